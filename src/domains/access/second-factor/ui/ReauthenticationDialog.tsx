import { Alert, Button, Modal, PasswordInput, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { logOut } from '#domains/access/ui/current-user.ts'
import { callApi } from '#ui/data/api.ts'
import { useApi } from '#ui/data/useApi.ts'
import arrange from '#ui/layout/arrange.module.css'
import { useBusyFocus } from '#ui/layout/restore-focus.ts'
import text from '#ui/theme/text.module.css'
import { secondFactorContract, secondStepContract } from '../contract.ts'
import { hasPasskeys, signWithPasskey } from './authenticator.ts'
import classes from './second-factor.module.css'

/** Asks for the second factor, or for the password if there is none, on top of any open dialog. */
export default function ReauthenticationDialog({ answer }: { answer: (confirmed: boolean) => void }) {
  const { data, error } = useApi(secondFactorContract.read, undefined, { quiet: true })
  const [typed, setTyped] = useState('')
  const [refusal, setRefusal] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const noteFocus = useBusyFocus(busy)
  const canSign = data !== undefined && data.passkeys.length > 0 && hasPasskeys()
  const asksForPassword = data !== undefined && !data.totp && data.passkeys.length === 0

  async function prove(work: () => Promise<Parameters<typeof callApi<typeof secondStepContract.reauthenticate>>[1]>) {
    noteFocus()
    setBusy(true)
    setRefusal(null)
    try {
      await callApi(secondStepContract.reauthenticate, await work())
      answer(true)
    } catch (problem) {
      setRefusal(problem instanceof Error ? describeProblem(problem) : String(problem))
    } finally {
      setBusy(false)
    }
  }
  function submit(event: FormEvent) {
    event.preventDefault()
    event.stopPropagation() // keeps the event from a form in a dialog underneath
    void prove(async () => ({ body: asksForPassword ? { password: typed } : { code: typed } }))
  }
  return (
    <Modal
      opened
      onClose={() => answer(false)}
      closeOnEscape={false}
      title="Please confirm that it is you"
      size="sm"
      zIndex={260}
    >
      <form noValidate onSubmit={submit} className={arrange.stack}>
        {data && <p className={text.quiet}>You are asked again 15 minutes after the last time.</p>}
        {asksForPassword && (
          <PasswordInput
            label="Password"
            autoComplete="current-password"
            data-autofocus
            autoFocus // the dialog may be open before it is known what to ask for
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        )}
        {data?.totp && (
          <TextInput
            label="Code"
            description="Six digits from your authenticator app"
            autoComplete="one-time-code"
            inputMode="numeric"
            data-autofocus
            autoFocus
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        )}
        {(asksForPassword || data?.totp) && (
          <Button type="submit" loading={busy} disabled={typed === ''}>
            Confirm
          </Button>
        )}
        {canSign && (
          <Button
            variant={data.totp ? 'default' : 'filled'}
            loading={busy}
            onClick={() => void prove(async () => ({ body: { credential: await signWithPasskey() } }))}
          >
            Use a passkey
          </Button>
        )}
        {(refusal || error) && (
          <Alert color="red" role="alert">
            {refusal ?? error?.message}
          </Alert>
        )}
        <div className={classes.links}>
          <Button variant="subtle" size="compact-sm" color="gray" onClick={() => answer(false)}>
            Cancel
          </Button>
          <Button
            variant="subtle"
            size="compact-sm"
            onClick={() => {
              answer(false)
              void logOut()
            }}
          >
            Log in again instead
          </Button>
        </div>
      </form>
    </Modal>
  )
}

const describeProblem = (problem: Error) =>
  'errors' in problem
    ? (Object.values(problem.errors as Record<string, string[]>).flat()[0] ?? problem.message)
    : problem.message
