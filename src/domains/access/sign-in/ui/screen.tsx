import { Alert, Button, PasswordInput, TextInput } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { getErrorMessage } from '#contract/error-message.ts'
import { secondStepContract } from '#domains/access/second-factor/contract.ts'
import type { PendingSignIn } from '#domains/access/second-factor/sign-in-answer.ts'
import { hasPasskeys, signWithPasskey } from '#domains/access/second-factor/ui/authenticator.ts'
import { getPendingSignIn } from '#domains/access/second-factor/ui/pending-sign-in.ts'
import { SecondStep } from '#domains/access/second-factor/ui/SecondStep.tsx'
import { singleSignOnContract } from '#domains/access/single-sign-on/contract.ts'
import { getTokenError } from '#domains/access/ui/token-link.ts'
import { callApi } from '#ui/data/api.ts'
import { appConfig } from '#ui/data/environment.ts'
import { saveSession } from '#ui/data/session-token.ts'
import { usePageLeave } from '#ui/data/usePageLeave.ts'
import arrange from '#ui/layout/arrange.module.css'
import { useDocumentTitle } from '#ui/layout/Screen.tsx'
import { credentialsSchema, sessionContract } from '../contract.ts'
import classes from './screen.module.css'

type SignInAnswer = { token: string } | { error: string } | { second_factor: PendingSignIn }

/** The sign-in page for staff. Clients are referred to their own site. */
export default function LoginScreen() {
  useDocumentTitle('Administrator Login')
  const navigate = useNavigate()
  const [refusal, setRefusal] = useState(getTokenError)
  const [pending, setPending] = useState(getPendingSignIn)
  const [isAttempting, setAttempting] = useState(false)
  const { isLeaving, leaveFor } = usePageLeave()
  const busy = isAttempting || isLeaving
  const form = useForm({
    initialValues: { username: '', password: '' },
    validate: schemaResolver(credentialsSchema, { sync: true }),
  })

  async function attempt(work: () => Promise<SignInAnswer>) {
    setAttempting(true)
    setRefusal(null)
    try {
      const answer = await work()
      if ('error' in answer) return setRefusal(answer.error)
      if ('second_factor' in answer) return setPending(answer.second_factor)
      saveSession(answer.token)
      await navigate({ to: '/' })
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
  async function leaveForProvider() {
    setAttempting(true)
    setRefusal(null)
    try {
      leaveFor((await callApi(singleSignOnContract.begin)).auth_url)
    } catch (problem) {
      setRefusal(getErrorMessage(problem))
    } finally {
      setAttempting(false)
    }
  }

  return (
    <>
      <h1>Administrator Login</h1>
      <p className={classes.greeting}>
        {pending ? 'Please confirm that it is you.' : 'Hello, guest! Please log in to continue.'}
      </p>
      {pending ? (
        <SecondStep
          pending={pending}
          attempt={attempt}
          busy={busy}
          onCancel={() => {
            setPending(null)
            setRefusal(null)
          }}
        />
      ) : (
        <>
          <form
            noValidate
            onSubmit={form.onSubmit((body) => attempt(() => callApi(sessionContract.login, { body })))}
            className={`${arrange.stack} ${classes.form}`}
          >
            <TextInput
              label="Username"
              name="username"
              autoComplete="username"
              autoFocus
              {...form.getInputProps('username')}
            />
            <PasswordInput
              label="Password"
              name="password"
              autoComplete="current-password"
              aria-invalid={form.errors.password !== undefined || undefined}
              {...form.getInputProps('password')}
            />
            <Button type="submit" fullWidth loading={busy}>
              Log in
            </Button>
          </form>
          <div className={classes.others}>
            {hasPasskeys() && (
              <Button variant="default" disabled={busy} onClick={signInByPasskey}>
                Use a passkey
              </Button>
            )}
            {appConfig.singleSignOn && (
              <Button variant="default" disabled={busy} onClick={() => void leaveForProvider()}>
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
      <p className={classes.clients}>
        <Link to="/forgot">Forgot password?</Link>
      </p>
      <p className={classes.clients}>
        Are you a client?{' '}
        {appConfig.clientLoginUrl ? (
          <a href={appConfig.clientLoginUrl}>Go to the client login site</a>
        ) : (
          'Please use the client login site.'
        )}
      </p>
    </>
  )
}
