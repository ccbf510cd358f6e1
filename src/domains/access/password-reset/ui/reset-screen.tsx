import { Alert, Button, PasswordInput } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { getErrorMessage } from '#contract/error-message.ts'
import classes from '#domains/access/sign-in/ui/screen.module.css'
import { readAddressSecret } from '#ui/data/address-secrets.ts'
import { ApiError, callApi, getFieldErrors } from '#ui/data/api.ts'
import { useSearchParams } from '#ui/data/search-params.ts'
import { saveSession } from '#ui/data/session-token.ts'
import { useApi } from '#ui/data/useApi.ts'
import arrange from '#ui/layout/arrange.module.css'
import { useBusyFocus } from '#ui/layout/restore-focus.ts'
import { useDocumentTitle } from '#ui/layout/Screen.tsx'
import { passwordResetContract, resetFormSchema } from '../contract.ts'
import { LoginPageLink } from './LoginPageLink.tsx'

const outdatedLink = 'This link was used already, or is too old. Ask for a new one.'

/** The target of a mailed link: its holder chooses a password after an invitation or a reset request. */
export default function ResetPasswordScreen() {
  useDocumentTitle('Choose a password')
  const key = readAddressSecret('key')
  if (key !== null) return <ResetForm linkKey={key} />
  return (
    <>
      <h1>Choose a password</h1>
      <Alert color="red" role="alert" className={classes.refusal}>
        Please open the link in the email again. Its key leaves the address of this page when it opens.
      </Alert>
      <OtherWays canAsk />
    </>
  )
}

function ResetForm({ linkKey: key }: { linkKey: string }) {
  const navigate = useNavigate()
  const [state, setState] = useState<'open' | 'busy' | 'done'>('open')
  const [refusal, setRefusal] = useState<string | null>(null)
  const noteFocus = useBusyFocus(state === 'busy')
  const link = useApi(passwordResetContract.check, { body: { key } }, { quiet: true })
  const form = useForm({
    initialValues: { key, new_password: '', new_password_confirmation: '' },
    validate: schemaResolver(resetFormSchema, { sync: true }),
  })

  async function save(body: typeof form.values) {
    noteFocus()
    setState('busy')
    setRefusal(null)
    try {
      const answer = await callApi(passwordResetContract.reset, { body })
      if (answer && 'token' in answer) {
        saveSession(answer.token)
        await navigate({ to: '/' })
      } else setState('done')
    } catch (problem) {
      setState('open')
      const errors = problem instanceof ApiError ? getFieldErrors(problem) : {}
      form.setErrors(errors)
      if (problem instanceof ApiError && problem.status === 404) void link.refetch()
      else if (Object.keys(errors).length === 0) setRefusal(getErrorMessage(problem))
    }
  }
  const isOutdated = link.error?.status === 404
  const said = isOutdated ? outdatedLink : refusal
  const field = (name: 'new_password' | 'new_password_confirmation', label: string) => (
    <PasswordInput
      label={label}
      name={name}
      autoComplete="new-password"
      // The library does not set it on this input.
      aria-invalid={form.errors[name] !== undefined || undefined}
      {...form.getInputProps(name)}
    />
  )
  return (
    <>
      <h1>Choose a password</h1>
      {state === 'done' ? (
        <Alert color="green" role="alert" className={classes.refusal}>
          {passwordResetContract.reset.success}
        </Alert>
      ) : isOutdated || link.isPending ? null : (
        <>
          <p className={classes.greeting}>
            At least 8 characters. If you are logged in elsewhere, you are logged out there.
          </p>
          <form
            noValidate
            onSubmit={form.onSubmit((values) => void save(values))}
            className={`${arrange.stack} ${classes.form}`}
          >
            {field('new_password', 'New Password')}
            {field('new_password_confirmation', 'New Password Confirmation')}
            <Button type="submit" fullWidth loading={state === 'busy'}>
              Save password
            </Button>
          </form>
        </>
      )}
      {said && state !== 'done' && (
        <Alert color="red" role="alert" className={classes.refusal}>
          {said}
        </Alert>
      )}
      <OtherWays canAsk={isOutdated && state !== 'done'} />
    </>
  )
}

function OtherWays({ canAsk }: { canAsk: boolean }) {
  const [{ client }] = useSearchParams()
  return (
    <p className={classes.clients}>
      <LoginPageLink>To the login page</LoginPageLink>
      {canAsk && (
        <>
          {' · '}
          <Link to="/forgot" search={client && { client }}>
            Ask for a new link
          </Link>
        </>
      )}
    </p>
  )
}
