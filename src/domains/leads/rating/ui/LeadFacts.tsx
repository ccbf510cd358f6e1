import type { ReactNode } from 'react'
import { shownDay } from '#ui/cells/days.ts'
import { Player } from '#ui/layout/Player.tsx'
import type { RatedLead } from '../contract.ts'
import classes from './screen.module.css'

/** The lead as its client needs to know it. What it does not have is not mentioned. */
export function LeadFacts({ lead, recordingOf }: { lead: RatedLead; recordingOf: () => Promise<string> }) {
  return (
    <section className={classes.card} aria-labelledby="lead">
      <header className={classes.head}>
        <p className={classes.campaign}>{lead.campaign}</p>
        <h1 id="lead">{lead.name ?? 'Lead'}</h1>
        <p className={classes.when}>
          {lead.type} · {shownDay(lead.date)} {lead.time}
        </p>
      </header>
      <dl className={classes.facts}>
        <Fact label="Phone">{lead.phone && <a href={`tel:${lead.phone.replace(/[^\d+]/g, '')}`}>{lead.phone}</a>}</Fact>
        <Fact label="Email">{lead.email && <a href={`mailto:${lead.email}`}>{lead.email}</a>}</Fact>
        <Fact label="Location">{lead.location}</Fact>
        <Fact label="Recording" isLong={lead.recording !== null}>
          {lead.type === 'Call' && (lead.recording ? <Player length={null} addressOf={recordingOf} /> : 'No recording')}
        </Fact>
        <Fact label="Tags">{lead.tags.join(', ')}</Fact>
        <Fact label="Message" isLong>
          {lead.message}
        </Fact>
        <Fact label="Notes" isLong>
          {lead.notes}
        </Fact>
      </dl>
    </section>
  )
}

function Fact({ label, isLong, children }: { label: string; isLong?: boolean; children: ReactNode }) {
  if (!children) return null
  return (
    <div data-long={isLong || undefined}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}
