import { Button } from '@mantine/core'
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

/** Stands in the place of rows where there are none; when filters are on they may be why. */
export function QueryEmpty({ changed, reset }: { changed?: boolean | undefined; reset?: (() => void) | undefined }) {
  return (
    <div className={classes.missing}>
      <p>List is empty</p>
      {changed && (
        <Button variant="default" onClick={reset}>
          Reset filters
        </Button>
      )}
    </div>
  )
}
