import { Alert, Button, TextInput } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { useState } from 'react'
import { getErrorMessage } from '#contract/error-message.ts'
import classes from '#domains/access/sign-in/ui/screen.module.css'
import { callApi } from '#ui/data/api.ts'
import arrange from '#ui/layout/arrange.module.css'
import { useBusyFocus } from '#ui/layout/restore-focus.ts'
import { useDocumentTitle } from '#ui/layout/Screen.tsx'
import { forgotFormSchema, passwordResetContract } from '../contract.ts'
import { LoginPageLink } from './LoginPageLink.tsx'

/** Requests a mail with a link to choose a new password. */
export default function ForgotPasswordScreen() {
  useDocumentTitle('Forgot password')
  const [answer, setAnswer] = useState<{ message: string; failed: boolean }>()
  const [busy, setBusy] = useState(false)
  const noteFocus = useBusyFocus(busy)
  const form = useForm({ initialValues: { email: '' }, validate: schemaResolver(forgotFormSchema, { sync: true }) })

  async function send(body: typeof form.values) {
    noteFocus()
    setBusy(true)
    try {
      setAnswer({ ...(await callApi(passwordResetContract.forgot, { body })), failed: false })
    } catch (problem) {
      setAnswer({ message: getErrorMessage(problem), failed: true })
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <h1>Forgot password</h1>
      <p className={classes.greeting}>
        We email you a link to choose a new password. The link works once, for one hour.
      </p>
      {answer?.failed !== false && (
        <form
          noValidate
          onSubmit={form.onSubmit((values) => void send(values))}
          className={`${arrange.stack} ${classes.form}`}
        >
          <TextInput
            label="Email"
            name="email"
            type="email"
            autoComplete="email"
            autoFocus
            {...form.getInputProps('email')}
          />
          <Button type="submit" fullWidth loading={busy}>
            Send link
          </Button>
        </form>
      )}
      {answer && (
        <Alert color={answer.failed ? 'red' : 'green'} role="alert" className={classes.refusal}>
          {answer.message}
        </Alert>
      )}
      <p className={classes.clients}>
        <LoginPageLink>Back to the login page</LoginPageLink>
      </p>
    </>
  )
}
