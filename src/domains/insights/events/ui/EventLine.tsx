import { Link } from '@tanstack/react-router'
import { formatDay, getToday } from '#ui/cells/days.ts'
import { RecordLink } from '#ui/cells/RecordLink.tsx'
import { formatInstant } from '#ui/cells/timestamps.ts'
import { appConfig } from '#ui/data/environment.ts'
import text from '#ui/theme/text.module.css'
import type { CampaignEvent } from '../contract.ts'
import classes from './Events.module.css'

/** Returns the event's day in the agency's zone. */
export const getDayOf = ({ at }: CampaignEvent) => getToday(appConfig.timezone, new Date(at))

/** One event: when, what, by whom, with a link. */
export function EventLine({ event }: { event: CampaignEvent }) {
  const { at, kind, title, by, username } = event
  // Notes and tasks only have a day.
  const when = kind === 'note' || kind === 'task' ? formatDay(getDayOf(event)) : formatInstant(at)
  return (
    <>
      <span className={classes.when}>{when}</span>
      <span className={classes.title}>
        <EventSubject event={event}>{title}</EventSubject>
      </span>
      <span className={text.small}>{by === 'person' ? (username ?? 'A person') : 'Machine'}</span>
    </>
  )
}

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
