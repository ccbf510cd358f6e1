import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { callApi } from '#ui/data/api.ts'
import arrange from '#ui/layout/arrange.module.css'
import text from '#ui/theme/text.module.css'
import { secondStepContract } from '../contract.ts'
import type { PendingSignIn } from '../sign-in-answer.ts'
import { hasPasskeys, signWithPasskey } from './authenticator.ts'
import classes from './second-factor.module.css'

type SecondStepProps = {
  pending: PendingSignIn
  /** Makes the attempt and shows the result. */
  attempt: (work: () => Promise<{ token: string } | { error: string }>) => Promise<void>
  busy: boolean
  onOtherWay: () => void
  onCancel: () => void
}

/** The second step of a sign-in: a code, a passkey, or a recovery code. */
export function SecondStep({ pending: { challenge, methods }, attempt, busy, onOtherWay, onCancel }: SecondStepProps) {
  const [byRecovery, setByRecovery] = useState(!methods.includes('totp') && !methods.includes('passkey'))
  const [typed, setTyped] = useState('')
  const asksForCode = byRecovery || methods.includes('totp')

  function submit(event: FormEvent) {
    event.preventDefault()
    const body = byRecovery ? { challenge, recovery_code: typed } : { challenge, code: typed }
    void attempt(() => callApi(secondStepContract.finishLogin, { body }))
  }
  const signIn = () =>
    void attempt(async () => {
      const credential = await signWithPasskey(challenge)
      return callApi(secondStepContract.finishLogin, { body: { challenge, credential } })
    })

  return (
    <form noValidate onSubmit={submit} className={arrange.stack}>
      {asksForCode && (
        <>
          <TextInput
            key={byRecovery ? 'recovery' : 'code'}
            label={byRecovery ? 'Recovery code' : 'Code'}
            description={byRecovery ? 'One of the ten that you saved' : 'Six digits from your authenticator app'}
            name="code"
            autoComplete="one-time-code"
            inputMode={byRecovery ? 'text' : 'numeric'}
            autoFocus
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <Button type="submit" fullWidth loading={busy} disabled={typed.trim() === ''}>
            Continue
          </Button>
        </>
      )}
      {methods.includes('passkey') && hasPasskeys() && (
        <Button
          autoFocus={!asksForCode}
          variant={asksForCode ? 'default' : 'filled'}
          fullWidth
          loading={busy}
          onClick={signIn}
        >
          Use a passkey
        </Button>
      )}
      <div className={classes.links}>
        {methods.includes('recovery') && (
          <Button
            variant="subtle"
            size="compact-sm"
            onClick={() => {
              setByRecovery(!byRecovery)
              setTyped('')
              onOtherWay()
            }}
          >
            {byRecovery ? 'Use the second factor' : 'Use a recovery code'}
          </Button>
        )}
        <Button variant="subtle" size="compact-sm" color="gray" onClick={onCancel}>
          Start again
        </Button>
      </div>
      <p className={text.quiet}>
        If you have lost all of these, ask an administrator to have your second factor removed.
      </p>
    </form>
  )
}
