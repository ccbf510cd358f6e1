import { countOf } from '#contract/count-of.ts'
import { getToday } from '#contract/days.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import { formatShortDay } from '#contract/short-times.ts'
import { formatDay } from '#ui/cells/days.ts'
import { ShortTime } from '#ui/cells/ShortTime.tsx'
import { appConfig } from '#ui/data/environment.ts'
import { useApi } from '#ui/data/useApi.ts'
import { QueryError } from '#ui/feedback/QueryStates.tsx'
import { type Signal, signalsContract } from '../contract.ts'
import { SignalCard } from './SignalCard.tsx'
import classes from './Signals.module.css'
import { formatAge, getSignalStart, readEvidence } from './signal-times.ts'

type Detail = ResponseOf<typeof signalsContract.read>
type SignalDetailProps = { id: number; known: Signal | undefined; explained: readonly Signal[] }

/** The chosen signal: at once what the list knows, then its leads by day and its history. */
export default function SignalDetail({ id, known, explained }: SignalDetailProps) {
  const { data, error, refetch } = useApi(signalsContract.read, { params: { id } }, { quiet: true })
  const signal = known ?? data
  if (!signal)
    return error ? (
      <QueryError what="Signal" error={error} retry={refetch} />
    ) : (
      <div className={classes.bone} data-waiting />
    )
  return (
    <SignalCard
      signal={signal}
      explained={explained}
      chart={data?.days === null ? undefined : <LeadDays signal={signal} days={data?.days ?? []} />}
    >
      {!data && !error && <span data-waiting />}
      <SignalHistory signal={signal} earlier={data?.earlier ?? []} />
    </SignalCard>
  )
}

const barWidth = 10
const chartHeight = 44

/** The leads of 28 days as bars, with the days of the problem shaded. */
function LeadDays({ signal, days }: { signal: Signal; days: NonNullable<Detail['days']> }) {
  const most = Math.max(1, ...days.map(({ leads }) => leads))
  const startDay = getToday(appConfig.timezone, new Date(getSignalStart(signal)))
  // The day of the last lead had one.
  const start = days.findIndex(({ day }) => (readEvidence(signal).last_lead_at ? day > startDay : day >= startDay))
  const [first, last] = [days[0], days.at(-1)]
  const today = getToday(appConfig.timezone)
  const all = days.reduce((sum, { leads }) => sum + leads, 0)
  const label =
    first && last ? `${countOf(all, 'lead')} from ${formatDay(first.day)} to ${formatDay(last.day)}` : 'Leads'
  return (
    <figure className={classes.days}>
      <svg
        role="img"
        aria-label={label}
        viewBox={`0 0 ${28 * barWidth} ${chartHeight}`}
        preserveAspectRatio="none"
        width="100%"
        height={chartHeight}
      >
        {start >= 0 && (
          <rect x={start * barWidth} width={(days.length - start) * barWidth} height={chartHeight} data-gap />
        )}
        {days.map(({ day, leads }, index) => {
          const height = leads === 0 ? 1 : Math.max(3, (leads / most) * (chartHeight - 2))
          return (
            <rect key={day} x={index * barWidth + 1} width={barWidth - 2} y={chartHeight - height} height={height}>
              <title>{`${formatDay(day)}: ${countOf(leads, 'lead')}`}</title>
            </rect>
          )
        })}
      </svg>
      <figcaption>
        <span>{first && formatShortDay(first.day, today)}</span>
        <span>Leads by day, the problem shaded</span>
        <span>{last && formatShortDay(last.day, today)}</span>
      </figcaption>
    </figure>
  )
}

/** What happened to it so far, and the same problem before. */
function SignalHistory({ signal, earlier }: { signal: Signal; earlier: Detail['earlier'] }) {
  const { opened_at, probed_at, closed_at } = signal
  return (
    <section className={classes.history} aria-label="History">
      <h4>History</h4>
      <ul>
        {closed_at && (
          <li>
            <ShortTime at={closed_at} /> Closed
          </li>
        )}
        {probed_at && (
          <li>
            <ShortTime at={probed_at} /> Checked
          </li>
        )}
        <li>
          <ShortTime at={opened_at} /> Found
        </li>
        {earlier.map((one) => (
          <li key={one.id}>
            <ShortTime at={one.opened_at} /> {one.title}, for {formatAge(one.opened_at, Date.parse(one.closed_at))}
          </li>
        ))}
      </ul>
    </section>
  )
}
