import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './QueryStates.module.css'

type QueryErrorProps = { what: string; error: Error; retry: () => unknown }

/** Stands in the place of what could not be read. */
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

/** Stands over what was read before and could not be read again. */
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
  /** Where else there is something. */
  children?: ReactNode
}

/** Stands in the place of rows where there are none; when filters are on they may be why. */
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
