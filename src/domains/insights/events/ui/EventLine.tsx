import { Link } from '@tanstack/react-router'
import { formatDay } from '#ui/cells/days.ts'
import { RecordLink } from '#ui/cells/RecordLink.tsx'
import { formatInstant, getInstantDay } from '#ui/cells/timestamps.ts'
import text from '#ui/theme/text.module.css'
import type { CampaignEvent } from '../contract.ts'
import { campaignEvents } from '../labels.ts'
import classes from './Events.module.css'
import { hasTime } from './fold-events.ts'

/** Returns the event's day in the agency's zone. */
export const getDayOf = ({ at }: CampaignEvent) => getInstantDay(at)

/** One event: when, what, by whom, with a link. */
export function EventLine({ event }: { event: CampaignEvent }) {
  const { title } = event
  return (
    <>
      <span className={classes.when}>{formatMoment(event)}</span>
      <span className={classes.title}>
        <EventSubject event={event}>{title}</EventSubject>
      </span>
      <span className={text.small}>{formatActor(event)}</span>
    </>
  )
}

/** Events of one minute and one actor as one line, which opens to each of them. */
export function FoldedEventLine({ events }: { events: readonly [CampaignEvent, ...CampaignEvent[]] }) {
  const [first] = events
  const labels = new Set(events.map(({ kind }) => campaignEvents[kind].label))
  return (
    <>
      <span className={classes.when}>{formatMoment(first)}</span>
      <details className={classes.title}>
        <summary>
          {[...labels].join(', ')} · {events.length} events
        </summary>
        <ul>
          {events.map((event) => (
            <li key={event.key}>
              <EventSubject event={event}>{event.title}</EventSubject>
            </li>
          ))}
        </ul>
      </details>
      <span className={text.small}>{formatActor(first)}</span>
    </>
  )
}

// Notes and tasks only have a day.
const formatMoment = (event: CampaignEvent) => (hasTime(event) ? formatInstant(event.at) : formatDay(getDayOf(event)))
const formatActor = ({ by, username }: CampaignEvent) => (by === 'person' ? (username ?? 'A person') : 'Automatic')

function EventSubject({ event: { kind, subject }, children }: { event: CampaignEvent; children: string }) {
  switch (subject.type) {
    case 'client_site':
    case 'listing':
      return (
        <RecordLink kind={subject.type} id={subject.id}>
          {children}
        </RecordLink>
      )
    case 'note':
      return <Link to="/campaigns-changelog">{children}</Link>
    case 'task':
      return <Link to="/activity-log">{children}</Link>
    case 'link':
      return (
        <Link to="/network-sites/outgoing-links" search={{ url: subject.label }}>
          {children}
        </Link>
      )
    case 'redirect_domain':
      return (
        <Link to="/redirect-domains" search={{ url: subject.label }}>
          {children}
        </Link>
      )
    default:
      return kind ? children : null
  }
}
