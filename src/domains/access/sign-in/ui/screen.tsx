import { Link } from '@tanstack/react-router'
import { getPendingSignIn } from '#domains/access/second-factor/ui/pending-sign-in.ts'
import { getTokenError } from '#domains/access/ui/token-link.ts'
import { appConfig } from '#ui/data/environment.ts'
import { usePageLeave } from '#ui/data/usePageLeave.ts'
import { NotFoundPage } from '#ui/feedback/page-states.tsx'
import { useDocumentTitle } from '#ui/layout/Screen.tsx'
import { LoginForm } from './LoginForm.tsx'
import classes from './screen.module.css'
import { useAppEntry } from './useAppEntry.ts'

/** The sign-in page for staff. Clients are referred to their own site. */
export default function LoginScreen() {
  useDocumentTitle('Administrator Login')
  const { isLeaving, leaveFor } = usePageLeave()
  return (
    <>
      <h1>Administrator Login</h1>
      <LoginForm
        greeting="Hello, guest! Please log in to continue."
        begun={{ pending: getPendingSignIn(), refusal: getTokenError() }}
        onToken={useAppEntry()}
        openProvider={() => leaveFor}
        isLeaving={isLeaving}
      />
      <p className={classes.clients}>
        <Link to="/forgot">Forgot password?</Link>
      </p>
      <p className={classes.clients}>
        Are you a client?{' '}
        {appConfig.clientLoginUrl ? (
          <a href={appConfig.clientLoginUrl}>Go to the client login site</a>
        ) : (
          <Link to="/client-login">Go to the client login site</Link>
        )}
      </p>
    </>
  )
}

/** The sign-in page for clients, unless the agency has a client login site of its own. */
export function ClientLoginScreen() {
  useDocumentTitle('Client Login')
  const { isLeaving, leaveFor } = usePageLeave()
  const onToken = useAppEntry()
  if (appConfig.clientLoginUrl) return <NotFoundPage />
  return (
    <>
      <h1>Client Login</h1>
      <LoginForm
        forClients
        greeting="Please log in to see your leads."
        begun={{ pending: getPendingSignIn(), refusal: getTokenError() }}
        onToken={onToken}
        openProvider={() => leaveFor}
        isLeaving={isLeaving}
      />
      <p className={classes.clients}>
        <Link to="/forgot" search={{ client: '1' }}>
          Forgot password?
        </Link>
      </p>
    </>
  )
}
