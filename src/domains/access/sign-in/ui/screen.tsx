import { Alert, Button, PasswordInput, TextInput } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { getTokenError } from '#domains/access/ui/token-link.ts'
import { ApiError, callApi } from '#ui/data/api.ts'
import { appConfig } from '#ui/data/environment.ts'
import { saveSession } from '#ui/data/session-token.ts'
import { useDocumentTitle } from '#ui/layout/Screen.tsx'
import { credentialsSchema, sessionContract } from '../contract.ts'
import classes from './screen.module.css'

/** Where staff sign in. Clients are pointed to their own site. */
export default function LoginScreen() {
  useDocumentTitle('Administrator Login')
  const navigate = useNavigate()
  const [refusal, setRefusal] = useState(getTokenError)
  const [busy, setBusy] = useState(false)
  const form = useForm({
    initialValues: { username: '', password: '' },
    validate: schemaResolver(credentialsSchema, { sync: true }),
  })

  async function signIn(values: typeof form.values) {
    setBusy(true)
    setRefusal(null)
    try {
      const answer = await callApi(sessionContract.login, { body: values })
      if ('error' in answer) return setRefusal(answer.error)
      saveSession(answer.token)
      await navigate({ to: '/' })
    } catch (problem) {
      setRefusal(problem instanceof ApiError ? problem.message : String(problem))
    } finally {
      setBusy(false)
    }
  }

  return (
    <>
      <h1 className={classes.title}>Administrator Login</h1>
      <p className={classes.greeting}>Hello, guest! Please log in to continue.</p>
      <form noValidate onSubmit={form.onSubmit(signIn)} className={classes.form}>
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
      {refusal && (
        <Alert color="red" role="alert" className={classes.refusal}>
          {refusal}
        </Alert>
      )}
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
