import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTitle } from './Screen.tsx'
import classes from './states.module.css'

/** Calm pages for when there is nothing to show. */

export function NotFound() {
  return (
    <State title="Page not found">
      <p>There is nothing at this address.</p>
      <Link to="/">Go to Home</Link>
    </State>
  )
}

export function NoAccess() {
  return (
    <State title="You do not have access to this page">
      <p>Ask an administrator if you need it.</p>
      <Link to="/">Go to Home</Link>
    </State>
  )
}

/** Something of ours failed, or a new version was installed while this page was open. */
export function Broken({ error }: { error: unknown }) {
  return (
    <State title="Something went wrong">
      <p>{error instanceof Error ? error.message : String(error)}</p>
      <Button variant="default" onClick={() => location.reload()}>
        Reload
      </Button>
    </State>
  )
}

export function Loading() {
  return <div className={classes.state} role="status" aria-label="Loading" />
}

function State({ title, children }: { title: string; children: ReactNode }) {
  useTitle(title)
  return (
    <div className={classes.state}>
      <h1>{title}</h1>
      {children}
    </div>
  )
}
