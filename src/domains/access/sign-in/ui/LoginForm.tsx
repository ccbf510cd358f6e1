import { Alert, Button, PasswordInput, TextInput } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { useState } from 'react'
import { getErrorMessage } from '#contract/error-message.ts'
import { secondStepContract } from '#domains/access/second-factor/contract.ts'
import type { PendingSignIn } from '#domains/access/second-factor/sign-in-answer.ts'
import { hasPasskeys, signWithPasskey } from '#domains/access/second-factor/ui/authenticator.ts'
import { SecondStep } from '#domains/access/second-factor/ui/SecondStep.tsx'
import { singleSignOnContract } from '#domains/access/single-sign-on/contract.ts'
import { callApi } from '#ui/data/api.ts'
import { appConfig } from '#ui/data/environment.ts'
import arrange from '#ui/layout/arrange.module.css'
import { useBusyFocus } from '#ui/layout/restore-focus.ts'
import { credentialsSchema, sessionContract } from '../contract.ts'
import classes from './screen.module.css'

type LoginFormProps = {
  /** Who is asked for; empty for anyone. */
  username?: string
  /** Shown above the form before, and in the second step. */
  greeting?: string
  /** What a sign-in link has begun: a second step, or a refusal. */
  begun?: { pending: PendingSignIn | null; refusal: string | null }
  /** The login of clients, which has neither passkeys nor single sign-on. */
  forClients?: boolean
  /** Called with the new session. */
  onToken: (token: string) => Promise<void>
  /** Prepares to go to the OpenID provider, at the click, and returns what goes there. */
  openProvider: () => (address: string) => void
  /** The page is about to be left. */
  isLeaving?: boolean
}

type SignInAnswer = { token: string } | { error: string } | { second_factor: PendingSignIn }

/** Signs a person in: with a password and a second factor, a passkey, or at the OpenID provider. */
export function LoginForm(props: LoginFormProps) {
  const { username = '', greeting, begun, forClients = false, onToken, openProvider, isLeaving = false } = props
  const login = forClients ? sessionContract.clientLogin : sessionContract.login
  const [refusal, setRefusal] = useState(begun?.refusal ?? null)
  const [pending, setPending] = useState(begun?.pending ?? null)
  const [isAttempting, setAttempting] = useState(false)
  const busy = isAttempting || isLeaving
  const noteFocus = useBusyFocus(busy)
  const form = useForm({
    initialValues: { username, password: '' },
    validate: schemaResolver(credentialsSchema, { sync: true }),
  })

  async function attempt(work: () => Promise<SignInAnswer | undefined>) {
    noteFocus()
    setAttempting(true)
    setRefusal(null)
    try {
      const answer = await work()
      if (!answer) return
      if ('error' in answer) return setRefusal(answer.error)
      if ('second_factor' in answer) return setPending(answer.second_factor)
      await onToken(answer.token)
    } catch (problem) {
      setRefusal(getErrorMessage(problem))
    } finally {
      setAttempting(false)
    }
  }
  const signInByPasskey = () =>
    void attempt(async () =>
      callApi(secondStepContract.passkeyLogin, { body: { credential: await signWithPasskey() } }),
    )
  function signInAtProvider() {
    const goTo = openProvider()
    void attempt(async () => {
      goTo((await callApi(singleSignOnContract.begin)).auth_url)
      return undefined
    })
  }

  return (
    <>
      {(pending || greeting) && (
        <p className={classes.greeting}>{pending ? 'Please confirm that it is you.' : greeting}</p>
      )}
      {pending ? (
        <SecondStep
          pending={pending}
          attempt={attempt}
          busy={busy}
          onOtherWay={() => setRefusal(null)}
          onCancel={() => {
            setPending(null)
            setRefusal(null)
          }}
        />
      ) : (
        <>
          <form
            noValidate
            onSubmit={form.onSubmit((body) => attempt(() => callApi(login, { body })))}
            className={`${arrange.stack} ${classes.form}`}
          >
            <TextInput
              label="Username"
              name="username"
              autoComplete="username"
              autoFocus={username === ''}
              {...form.getInputProps('username')}
            />
            <PasswordInput
              label="Password"
              name="password"
              autoComplete="current-password"
              autoFocus={username !== ''}
              data-autofocus={username !== '' || undefined}
              aria-invalid={form.errors.password !== undefined || undefined}
              {...form.getInputProps('password')}
            />
            <Button type="submit" fullWidth loading={busy}>
              Log in
            </Button>
          </form>
          <div className={classes.others}>
            {!forClients && hasPasskeys() && (
              <Button variant="default" disabled={busy} onClick={signInByPasskey}>
                Use a passkey
              </Button>
            )}
            {!forClients && appConfig.singleSignOn && (
              <Button variant="default" disabled={busy} onClick={signInAtProvider}>
                Single sign-on
              </Button>
            )}
          </div>
        </>
      )}
      {refusal && (
        <Alert color="red" role="alert" className={classes.refusal}>
          {refusal}
        </Alert>
      )}
    </>
  )
}
