import type { ReactNode } from 'react'
import { AgencyHead } from '#domains/agency/ui/public.ts'
import { formatDay } from '#ui/cells/days.ts'
import { PhoneLink } from '#ui/cells/PhoneCell.tsx'
import { RecordingPlayer } from '#ui/layout/Player.tsx'
import text from '#ui/theme/text.module.css'
import type { RatedLead } from '../contract.ts'
import classes from './screen.module.css'

/** Formats 14:05 as 2:05 PM. */
const formatClock = (time: string) => {
  const [hour = 0, minute = '00'] = [Number(time.slice(0, 2)), time.slice(3, 5)]
  return `${hour % 12 || 12}:${minute} ${hour < 12 ? 'AM' : 'PM'}`
}

/** The lead for its client. Empty fields are left out. */
export function RatedLeadFacts({ lead, recordingOf }: { lead: RatedLead; recordingOf: () => Promise<string> }) {
  return (
    <section className={classes.card} aria-labelledby="lead">
      <AgencyHead agency={lead.agency} />
      <header className={classes.head}>
        <p className={text.medium}>{lead.campaign}</p>
        <h1 id="lead">{lead.name ?? 'Lead'}</h1>
        <p className={`${text.quiet} ${text.numbers}`}>
          {lead.type} · {formatDay(lead.date)} {formatClock(lead.time)} {lead.timezone_name}
        </p>
      </header>
      <dl className={classes.facts}>
        <LeadFact label="Phone">{lead.phone && <PhoneLink phone={lead.phone} />}</LeadFact>
        <LeadFact label="Email">{lead.email && <a href={`mailto:${lead.email}`}>{lead.email}</a>}</LeadFact>
        <LeadFact label="Location">{lead.location}</LeadFact>
        <LeadFact label="Recording" isLong={lead.recording !== null}>
          {lead.type === 'Call' &&
            (lead.recording ? <RecordingPlayer length={null} addressOf={recordingOf} /> : 'No recording')}
        </LeadFact>
        <LeadFact label="Tags">{lead.tags.join(', ')}</LeadFact>
        <LeadFact label="Message" isLong>
          {lead.message}
        </LeadFact>
        <LeadFact label="Notes" isLong>
          {lead.notes}
        </LeadFact>
      </dl>
    </section>
  )
}

function LeadFact({ label, isLong, children }: { label: string; isLong?: boolean; children: ReactNode }) {
  if (!children) return null
  return (
    <div data-wide={isLong || undefined}>
      <dt className={text.caption}>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}
