import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import arrange from '#ui/layout/arrange.module.css'
import classes from './QueryStates.module.css'

type QueryErrorProps = { what: string; error: Error; retry: () => unknown }

/** Shown in place of data that could not be loaded. */
export function QueryError({ what, error, retry }: QueryErrorProps) {
  return (
    <div className={classes.missing} role="alert">
      <p>
        {what} could not be loaded: {error.message}
      </p>
      <Button variant="default" onClick={() => void retry()}>
        Retry
      </Button>
    </div>
  )
}

/** Shown until the parts of a page are loaded. */
export function QueryPending() {
  return (
    <div className={`${arrange.stack} ${classes.pending}`} role="status" aria-label="Loading">
      <span />
      <span />
    </div>
  )
}

/** Shown above older data that could not be refreshed. */
export function QueryOutdated({ what, error, retry }: QueryErrorProps) {
  return (
    <div className={classes.outdated} role="alert">
      {what} may be out of date: {error.message}
      <Button variant="default" size="compact-sm" onClick={() => void retry()}>
        Retry
      </Button>
    </div>
  )
}

type QueryEmptyProps = {
  changed?: boolean | undefined
  reset?: (() => void) | undefined
  /** Links to other places that have rows, or what the list is for. */
  children?: ReactNode
}

/** Shown in place of an empty list's rows; offers to reset filters that are set. */
export function QueryEmpty({ changed, reset, children }: QueryEmptyProps) {
  return (
    <div className={classes.missing}>
      <p>List is empty</p>
      {children}
      {changed && (
        <Button variant="default" onClick={reset}>
          Reset filters
        </Button>
      )}
    </div>
  )
}
