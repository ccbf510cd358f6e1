import { Link } from '@tanstack/react-router'
import type { AccessSubject } from '#contract/allow.ts'
import { useCurrentUser } from '#domains/access/ui/public.ts'
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

type OfCampaign = { campaignId: number }

/** One event: when, what, by whom, with a link. */
export function EventLine({ event, campaignId }: OfCampaign & { event: CampaignEvent }) {
  return (
    <>
      <span className={classes.when}>{formatMoment(event)}</span>
      <span className={classes.title}>
        <EventSubject event={event} campaignId={campaignId} />
      </span>
      <span className={text.small}>{formatActor(event)}</span>
    </>
  )
}

/** Events of one minute and one actor as one line, which opens to each of them. */
export function FoldedEventLine({
  events,
  campaignId,
}: OfCampaign & { events: readonly [CampaignEvent, ...CampaignEvent[]] }) {
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
              <EventSubject event={event} campaignId={campaignId} />
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

/** Returns the page of a day's notes: the changelog, or the activity log for those who have only that. */
export const getNotesPage = (me: AccessSubject | null | undefined) =>
  me && !me.permissions.changelog ? '/activity-log' : '/campaigns-changelog'

function EventSubject({ event, campaignId }: OfCampaign & { event: CampaignEvent }) {
  const me = useCurrentUser()
  const { subject, title } = event
  const day = getDayOf(event)
  const ofDay = { from: day, to: day, campaign_ids: campaignId }
  switch (subject.type) {
    case 'client_site':
    case 'listing':
      return (
        <RecordLink kind={subject.type} id={subject.id}>
          {title}
        </RecordLink>
      )
    case 'note':
      return (
        <Link to={getNotesPage(me)} search={ofDay}>
          {title}
        </Link>
      )
    case 'task':
      return (
        <Link to="/activity-log" search={ofDay}>
          {title}
        </Link>
      )
    case 'link':
      return (
        <Link to="/network-sites/outgoing-links" search={{ q: subject.label }}>
          {title}
        </Link>
      )
    case 'redirect_domain':
      return (
        <Link to="/redirect-domains" search={{ q: subject.label }}>
          {title}
        </Link>
      )
    default:
      return title
  }
}
