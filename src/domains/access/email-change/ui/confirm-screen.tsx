import { Alert, Button } from '@mantine/core'
import { useState } from 'react'
import { getErrorMessage } from '#contract/error-message.ts'
import { LoginPageLink } from '#domains/access/password-reset/ui/LoginPageLink.tsx'
import classes from '#domains/access/sign-in/ui/screen.module.css'
import { readAddressSecret } from '#ui/data/address-secrets.ts'
import { ApiError, callApi } from '#ui/data/api.ts'
import { useDocumentTitle } from '#ui/layout/Screen.tsx'
import { emailChangeContract } from '../contract.ts'

const outdatedLink = 'This link was used already, or is too old. Ask for a new one in your profile.'
const lostKey = 'Please open the link in the email again. Its key leaves the address of this page when it opens.'

/** The target of a mailed link. A button confirms, because mail scanners open every link. */
export default function ConfirmEmailScreen() {
  useDocumentTitle('Confirm your email')
  const key = readAddressSecret('key')
  const [answer, setAnswer] = useState<{ message: string; failed: boolean } | undefined>(
    key === null ? { message: lostKey, failed: true } : undefined,
  )
  const [busy, setBusy] = useState(false)

  async function confirm() {
    setBusy(true)
    try {
      setAnswer({ ...(await callApi(emailChangeContract.confirm, { body: { key: key ?? '' } })), failed: false })
    } catch (problem) {
      const isDead = problem instanceof ApiError && problem.status === 404
      setAnswer({ message: isDead ? outdatedLink : getErrorMessage(problem), failed: true })
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <h1>Confirm your email</h1>
      {answer ? (
        <Alert color={answer.failed ? 'red' : 'green'} role="alert" className={classes.refusal}>
          {answer.message}
        </Alert>
      ) : (
        <>
          <p className={classes.greeting}>Confirm, and your account uses this address from now on.</p>
          <Button fullWidth loading={busy} onClick={() => void confirm()}>
            Confirm
          </Button>
        </>
      )}
      <p className={classes.clients}>
        <LoginPageLink>To the login page</LoginPageLink>
      </p>
    </>
  )
}
