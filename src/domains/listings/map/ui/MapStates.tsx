import { Button } from '@mantine/core'
import { maxPins } from '../contract.ts'
import classes from './CampaignMap.module.css'

type QueryState = {
  data: readonly unknown[] | undefined
  error: Error | null
  refetch: () => unknown
  isFetching: boolean
}
type MapStatesProps = { pins: QueryState; areas: QueryState; changed: boolean; reset: () => void }

/** Errors and notices about the whole map; usually nothing. */
export function MapStates({ pins, areas, changed, reset }: MapStatesProps) {
  const failed = [pins, areas].filter(({ error }) => error)
  const isEmpty = pins.data?.length === 0 && areas.data?.length === 0 && !pins.isFetching && !areas.isFetching
  if (failed.length > 0)
    return (
      <div className={classes.state} role="alert">
        Not everything could be loaded: {failed[0]?.error?.message}
        <Button
          variant="default"
          size="compact-sm"
          onClick={() => {
            for (const one of failed) void one.refetch()
          }}
        >
          Retry
        </Button>
      </div>
    )
  if (pins.data?.length === maxPins)
    return (
      <p className={classes.state} role="status">
        Only {maxPins.toLocaleString('en-US')} listings are shown. Zoom in to see the others.
      </p>
    )
  if (!isEmpty) return null
  return (
    <div className={classes.state} role="status">
      There is nothing to show here.
      {changed && (
        <Button variant="default" size="compact-sm" onClick={reset}>
          Reset filters
        </Button>
      )}
    </div>
  )
}
