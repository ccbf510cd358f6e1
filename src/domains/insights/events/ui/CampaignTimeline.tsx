import { Button } from '@mantine/core'
import { Suspense, useState } from 'react'
import { countOf } from '#contract/count-of.ts'
import { startOfWeek } from '#contract/days.ts'
import { readListTotal } from '#contract/paged.ts'
import { useCurrentUser } from '#domains/access/ui/public.ts'
import { formatDay } from '#ui/cells/days.ts'
import { lazyComponent } from '#ui/data/lazy-part.ts'
import { useApi } from '#ui/data/useApi.ts'
import { QueryError, QueryOutdated } from '#ui/feedback/QueryStates.tsx'
import { SmallSelect } from '#ui/filters/SmallSelect.tsx'
import arrange from '#ui/layout/arrange.module.css'
import { usePrinting } from '#ui/layout/printing.ts'
import text from '#ui/theme/text.module.css'
import { type CampaignEvent, campaignEventsContract } from '../contract.ts'
import { type CampaignEventKind, campaignEventKinds, campaignEvents, canReadEvents } from '../labels.ts'
import { EventLine, FoldedEventLine, getDayOf } from './EventLine.tsx'
import classes from './Events.module.css'
import { type EventFold, foldEvents } from './fold-events.ts'

const EventDialog = lazyComponent(() => import('./EventDialog.tsx'))

/** Leads by the Monday of their week, if the reader may see the counts. */
type WeekCounts = ReadonlyMap<string, { confirmed: number; missed: number }>

const perPage = 50
/** Lines and headings of weeks before "Show all". */
const linesAtFirst = 13
const actorChoices = [
  { value: '', label: 'All' },
  { value: 'person', label: 'People' },
  { value: 'machine', label: 'Automatic' },
] as const

/** A campaign's events, newest first, by week with each week's leads. */
export default function CampaignTimeline({ campaignId, weeks }: { campaignId: number; weeks: WeekCounts | undefined }) {
  const me = useCurrentUser()
  const [by, setBy] = useState<'' | 'person' | 'machine'>('')
  const [kind, setKind] = useState<CampaignEventKind | ''>('')
  const [page, setPage] = useState(1)
  const [opened, setOpened] = useState<EventFold>()
  const [isWhole, setWhole] = useState(false)
  const isPrinting = usePrinting()
  const { data, error, isFetching, refetch } = useApi(
    campaignEventsContract.list,
    {
      params: { id: campaignId },
      query: { page, per_page: perPage, ...(by ? { by } : {}), ...(kind ? { kinds: [kind] } : {}) },
    },
    { quiet: true, keepPrevious: true },
  )
  const kinds = campaignEventKinds.filter((one) => me && canReadEvents(one, me.permissions))
  const isFiltered = by !== '' || kind !== ''
  const total = data ? readListTotal(data) : 0
  const last = Math.max(1, Math.ceil(total / perPage))
  const groups =
    data && groupByWeek(data.data, isFiltered ? undefined : weeks, { isFirst: page === 1, isLast: page >= last })
  const shown = groups && (isWhole || isPrinting ? groups : takeLines(groups, linesAtFirst))
  return (
    <div aria-busy={isFetching}>
      <div className={classes.filters}>
        <SmallSelect
          label="Who"
          value={by}
          choices={actorChoices}
          choose={(value) => {
            setBy(value)
            setPage(1)
          }}
        />
        <SmallSelect
          label="Type"
          value={kind}
          choices={[
            { value: '' as const, label: 'All' },
            ...kinds.map((value) => ({ value, label: campaignEvents[value].label })),
          ]}
          choose={(value) => {
            setKind(value)
            setPage(1)
          }}
        />
        <span className={text.small} role="status">
          {data && countOf(total, 'event')}
        </span>
      </div>
      {error && !data && <QueryError what="The timeline" error={error} retry={refetch} />}
      {error && data && <QueryOutdated what="The timeline" error={error} retry={refetch} />}
      {!error && !data && <span className={classes.bone} role="status" aria-label="Loading the timeline" />}
      {groups?.length === 0 && (
        <p className={text.small}>{isFiltered ? 'No events of this type.' : 'No events yet.'}</p>
      )}
      {shown?.map(({ monday, events, counts }) => (
        <section key={monday} className={classes.week} aria-label={`Week of ${formatDay(monday)}`}>
          <h3 className={text.dense}>
            Week of {formatDay(monday)}
            {counts && (
              <span>
                {counts.confirmed} verified, {counts.missed} missed
              </span>
            )}
          </h3>
          <ul className={`${classes.events} ${text.dense} ${arrange.ruled}`}>
            {events.map((fold) => (
              <li key={fold[0].key} data-by={fold[0].by}>
                {fold.length === 1 ? (
                  <EventLine event={fold[0]} campaignId={campaignId} />
                ) : (
                  <FoldedEventLine events={fold} campaignId={campaignId} />
                )}
                <button
                  type="button"
                  className={classes.more}
                  data-unprinted
                  aria-label={`Leads before and after: ${fold[0].title}`}
                  onClick={() => setOpened(fold)}
                >
                  Leads
                </button>
              </li>
            ))}
          </ul>
        </section>
      ))}
      {shown !== groups && (
        <button type="button" data-link onClick={() => setWhole(true)}>
          Show all {last > 1 ? `${data?.data.length} of this page` : total.toLocaleString('en-US')}
        </button>
      )}
      {last > 1 && shown === groups && (
        <div className={classes.filters}>
          <Button variant="default" disabled={page <= 1} onClick={() => setPage(page - 1)}>
            Newer
          </Button>
          <span className={text.small}>
            Page {page.toLocaleString('en-US')} of {last.toLocaleString('en-US')}
          </span>
          <Button variant="default" disabled={page >= last} onClick={() => setPage(page + 1)}>
            Older
          </Button>
        </div>
      )}
      <Suspense>
        {opened && <EventDialog campaignId={campaignId} events={opened} onClose={() => setOpened(undefined)} />}
      </Suspense>
    </div>
  )
}

type WeekGroup = { monday: string; events: EventFold[]; counts: { confirmed: number; missed: number } | undefined }

/** Includes weeks without events if they had leads and fall within this page. */
function groupByWeek(
  events: readonly CampaignEvent[],
  weeks: WeekCounts | undefined,
  { isFirst, isLast }: { isFirst: boolean; isLast: boolean },
): WeekGroup[] {
  const byWeek = Map.groupBy(events, (event) => startOfWeek(getDayOf(event)))
  const mondays = [...byWeek.keys()]
  const [newest, oldest] = [mondays[0] ?? '', mondays.at(-1) ?? '']
  const quiet = [...(weeks ?? [])].flatMap(([monday, { confirmed, missed }]) =>
    confirmed + missed > 0 && (isFirst || monday < newest) && (isLast || monday > oldest) ? [monday] : [],
  )
  return [...new Set([...mondays, ...quiet])]
    .sort()
    .reverse()
    .map((monday) => ({ monday, events: foldEvents(byWeek.get(monday) ?? []), counts: weeks?.get(monday) }))
}

/** Returns the first lines, of which the heading of a week is one; the same groups if they are no more. */
function takeLines(groups: WeekGroup[], most: number): WeekGroup[] {
  let left = most
  const taken: WeekGroup[] = []
  for (const group of groups) {
    left -= 1
    if (left <= 0) break
    taken.push({ ...group, events: group.events.slice(0, left) })
    left -= group.events.length
  }
  return countLines(taken) < countLines(groups) ? taken : groups
}

const countLines = (groups: readonly WeekGroup[]) => groups.reduce((sum, { events }) => sum + events.length + 1, 0)
