import { Suspense, useState } from 'react'
import { countOf } from '#contract/count-of.ts'
import { readListTotal } from '#contract/paged.ts'
import { useCurrentUser } from '#domains/access/ui/public.ts'
import { lazyComponent } from '#ui/data/lazy-part.ts'
import { useApi } from '#ui/data/useApi.ts'
import { QueryError } from '#ui/feedback/QueryStates.tsx'
import { type CampaignEvent, campaignEventsContract } from '../contract.ts'
import { getDayOf } from './EventLine.tsx'
import classes from './Events.module.css'

const EventDialog = lazyComponent(() => import('./EventDialog.tsx'))

/** Returns a day's pixel position on the chart's axis; null outside of it. */
type DayPosition = (day: string) => number | null

type EventLaneProps = {
  campaignId: number
  from: string
  to: string
  width: number
  left: number
  positionOf: DayPosition
}

const maxMarks = 200
/** Marks closer than this, in pixels, are merged. */
const clusterWidth = 26

/** Events below the axis of a chart. Renders nothing for users who may not see them. */
export function EventLane(props: EventLaneProps) {
  const me = useCurrentUser()
  return campaignEventsContract.list.allow(me ?? null) ? <Lane {...props} /> : null
}

function Lane({ campaignId, from, to, width, left, positionOf }: EventLaneProps) {
  const [opened, setOpened] = useState<readonly CampaignEvent[]>()
  return (
    // biome-ignore lint/a11y/useSemanticElements: part of a drawing, not a fieldset.
    <div role="group" aria-label="What happened" className={classes.lane} style={{ width }}>
      {laneGroups.map(({ by, label }) => (
        <LaneGroup key={by} {...{ campaignId, from, to, left, positionOf, by, label }} open={setOpened} />
      ))}
      <Suspense>
        {opened && <EventDialog campaignId={campaignId} events={opened} onClose={() => setOpened(undefined)} />}
      </Suspense>
    </div>
  )
}

const laneGroups = [
  { by: 'person', label: 'People' },
  { by: 'machine', label: 'Automatic' },
] as const

type LaneGroupProps = Omit<EventLaneProps, 'width'> & {
  by: 'person' | 'machine'
  label: string
  open: (events: readonly CampaignEvent[]) => void
}

function LaneGroup({ campaignId, from, to, left, positionOf, by, label, open }: LaneGroupProps) {
  const query = { from, to, by, per_page: maxMarks }
  const { data, error, refetch } = useApi(
    campaignEventsContract.list,
    { params: { id: campaignId }, query },
    { quiet: true, keepPrevious: true },
  )
  const clusters = clusterEvents(data?.data ?? [], positionOf)
  const rest = data ? readListTotal(data) - data.data.length : 0
  return (
    // biome-ignore lint/a11y/useSemanticElements: part of a drawing, not a fieldset.
    <div role="group" aria-label={label} className={classes.row} data-by={by} aria-busy={!data && !error}>
      <span className={classes.label} aria-hidden="true">
        {label}
      </span>
      {error && !data && <QueryError what={label} error={error} retry={refetch} />}
      {data?.data.length === 0 && (
        <span className={classes.none} style={{ marginInlineStart: left }}>
          Nothing happened in these days.
        </span>
      )}
      {clusters.map(({ x, events }) => (
        <button
          key={events[0]?.key}
          type="button"
          className={classes.mark}
          style={{ left: x }}
          aria-label={nameCluster(events)}
          title={nameCluster(events)}
          onClick={() => open(events)}
        >
          {events.length > 1 ? events.length : ''}
        </button>
      ))}
      {rest > 0 && (
        <span className={classes.none} style={{ marginInlineStart: left }}>
          {countOf(rest, 'older one')} {rest === 1 ? 'is' : 'are'} in the campaign’s timeline.
        </span>
      )}
    </div>
  )
}

type EventCluster = { x: number; events: CampaignEvent[] }

/** Returns marks from left to right, merging those that would overlap. */
function clusterEvents(events: readonly CampaignEvent[], positionOf: DayPosition): EventCluster[] {
  const clusters: EventCluster[] = []
  for (const event of events.toReversed()) {
    const x = positionOf(getDayOf(event))
    if (x === null) continue
    const last = clusters.at(-1)
    if (last && x - last.x < clusterWidth) last.events.push(event)
    else clusters.push({ x, events: [event] })
  }
  return clusters
}

/** The name includes the number shown on the mark. */
function nameCluster(events: readonly CampaignEvent[]): string {
  const titles = events.map(({ title }) => title)
  return titles.length === 1 ? titles.join() : `${titles.length} events: ${titles.slice(0, 3).join(', ')}`
}
