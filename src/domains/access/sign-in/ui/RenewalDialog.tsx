import { Button, Modal } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { readCurrentUser } from '#domains/access/ui/current-user.ts'
import { callApi } from '#ui/data/api.ts'
import { startPageAgain } from '#ui/data/page-unload.ts'
import { readSessionToken, saveSession } from '#ui/data/session-token.ts'
import arrange from '#ui/layout/arrange.module.css'
import { sessionContract } from '../contract.ts'
import { LoginForm } from './LoginForm.tsx'
import { openRenewalWindow } from './renewal-window.ts'

/** Milliseconds between looks at the session of this browser: another window may sign in. */
const watchInterval = 500

/** Signs the same person in again, over the page as it stands. */
export default function RenewalDialog({ answer }: { answer: (proceed: boolean) => void }) {
  const [me] = useState(readCurrentUser)
  const [ended] = useState(readSessionToken)

  /** Goes on with the page; for someone else it starts again. */
  async function proceed() {
    const now = await callApi(sessionContract.me)
    if (now.id === me?.id) answer(true)
    else await startPageAgain()
  }
  const watched = useRef(proceed)
  useEffect(() => {
    watched.current = proceed
  })
  useEffect(() => {
    const timer = setInterval(() => {
      if ([ended, null].includes(readSessionToken())) return
      clearInterval(timer)
      watched.current().catch(() => answer(false))
    }, watchInterval)
    return () => clearInterval(timer)
  }, [ended, answer])

  return (
    <Modal
      opened
      onClose={() => answer(false)}
      closeOnEscape={false}
      closeOnClickOutside={false}
      withCloseButton={false}
      title="Your session has ended"
      size="sm"
      zIndex={270}
    >
      <div className={arrange.stack}>
        <p>Log in again to go on. This page and what you typed stay as they are.</p>
        <LoginForm
          username={me?.username ?? ''}
          onToken={(token) => {
            saveSession(token)
            return proceed()
          }}
          openProvider={openRenewalWindow}
        />
        <div>
          <Button variant="subtle" size="compact-sm" color="gray" onClick={() => answer(false)}>
            Go to the login page instead
          </Button>
        </div>
      </div>
    </Modal>
  )
}
