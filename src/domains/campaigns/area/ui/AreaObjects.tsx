import { Button } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { countOf } from '#contract/count-of.ts'
import { copyText } from '#ui/cells/clipboard.ts'
import { useApi } from '#ui/data/useApi.ts'
import arrange from '#ui/layout/arrange.module.css'
import { GeoNamesCredit } from '#ui/map/GeoNamesCredit.tsx'
import text from '#ui/theme/text.module.css'
import { campaignAreasContract } from '../contract.ts'
import type { GeoPoint } from '../polygon.ts'
import classes from './AreaObjects.module.css'

/** Waits for a pause while a point is moved with the keys. */
const debounceMilliseconds = 250

/** The ZIP codes and cities in the current polygon, saved or not. */
export function AreaObjects({ points }: { points: readonly GeoPoint[] }) {
  const [settled] = useDebouncedValue(points, debounceMilliseconds)
  const found = useApi(
    campaignAreasContract.objects,
    { body: { points: [...settled] } },
    { quiet: true, keepPrevious: true },
  )
  if (found.error)
    return (
      <div className={classes.failed} role="alert">
        <p>{found.error.errors.points?.[0] ?? `ZIP codes could not be read: ${found.error.message}`}</p>
        {found.error.status !== 422 && (
          <Button variant="default" size="compact-sm" onClick={() => void found.refetch()}>
            Retry
          </Button>
        )}
      </div>
    )
  const isOld = found.isFetching || settled !== points
  return (
    <div className={`${arrange.stackWide} ${classes.objects}`} aria-busy={isOld} data-old={isOld || undefined}>
      <ObjectList title="ZIP codes" counted={['ZIP code', 'ZIP codes']} apart=", " values={found.data?.zipCodes} />
      <ObjectList title="Cities" counted={['city', 'cities']} apart="; " values={found.data?.cities} />
      <p className={`${text.caption} ${text.prose}`}>
        ZIP codes whose center is in the area, from <GeoNamesCredit />
      </p>
    </div>
  )
}

type ObjectListProps = {
  title: string
  counted: [one: string, many: string]
  apart: string
  values: readonly string[] | undefined
}

function ObjectList({ title, counted, apart, values }: ObjectListProps) {
  return (
    <section className={arrange.stackNarrow} aria-label={`${title} inside`}>
      <header className={arrange.ends}>
        <h2>{values ? countOf(values.length, ...counted) : title}</h2>
        <Button
          variant="default"
          size="compact-sm"
          disabled={!values || values.length === 0}
          aria-label={`Copy ${title}`}
          onClick={() => values && void copyText(values.join('\n'))}
        >
          Copy
        </Button>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard. */}
      <p className={classes.values} tabIndex={0}>
        {values === undefined ? 'Loading…' : values.length === 0 ? 'None in this area' : values.join(apart)}
      </p>
    </section>
  )
}
