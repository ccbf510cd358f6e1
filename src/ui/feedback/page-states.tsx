import { Button } from '@mantine/core'
import { Link, useRouter } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { getErrorMessage } from '#contract/error-message.ts'
import { ApiError } from '../data/api.ts'
import { usePerson } from '../data/person.ts'
import { useDocumentTitle } from '../layout/Screen.tsx'
import classes from './page-states.module.css'

/** Pages for when there is nothing to show. */

export function NotFoundPage() {
  return (
    <StatePage title="Page not found">
      <p>There is nothing at this address.</p>
      <FirstScreenLink />
    </StatePage>
  )
}

export function NoAccessPage() {
  return (
    <StatePage title="You do not have access to this page">
      <p>Ask the agency’s administrator if you need it.</p>
      <FirstScreenLink />
    </StatePage>
  )
}

/** Shown when the app failed, when a new version was installed while the page was open, or when there is no network. */
export function ErrorPage({ error }: { error: unknown }) {
  const router = useRouter()
  const isCutOff = error instanceof ApiError && error.status === 0
  useEffect(() => {
    if (!isCutOff) return
    const again = () => void router.invalidate()
    window.addEventListener('online', again)
    return () => window.removeEventListener('online', again)
  }, [isCutOff, router])
  if (isCutOff)
    return (
      <StatePage title="No network">
        <p>{error.message}</p>
        <Button variant="default" onClick={() => void router.invalidate()}>
          Try again
        </Button>
      </StatePage>
    )
  return (
    <StatePage title="Something went wrong">
      <p>{getErrorMessage(error)}</p>
      <Button variant="default" onClick={() => location.reload()}>
        Reload
      </Button>
    </StatePage>
  )
}

export function LoadingPage() {
  return <div className={classes.state} role="status" aria-label="Loading" />
}

/** Placeholder for the title and the rows of a screen whose code is still loading. */
export function ScreenSkeleton() {
  return (
    <div className={classes.screen} role="status" aria-label="Loading">
      <span />
      <span />
    </div>
  )
}

function FirstScreenLink() {
  const { path, label } = usePerson().firstScreen
  return <Link to={path}>Go to {label}</Link>
}

function StatePage({ title, children }: { title: string; children: ReactNode }) {
  useDocumentTitle(title)
  return (
    <div className={classes.state}>
      <h1>{title}</h1>
      {children}
    </div>
  )
}
