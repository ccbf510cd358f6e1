import { Drawer } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Lead } from '#domains/leads/contract.ts'
import type { Patch } from '#domains/leads/list/ui/lead-mutations.ts'
import { useApi } from '#ui/data/useApi.ts'
import { Failed } from '#ui/feedback/QueryStates.tsx'
import { useFocusBack } from '#ui/layout/useFocusBack.ts'
import { history, type LeadHistory } from '../contract.ts'
import { Changes } from './Changes.tsx'
import classes from './HistoryDrawer.module.css'
import { EventLines, MailLines, RatingLines } from './Lines.tsx'

type Props = { lead: Lead; patch: Patch; onClose: () => void }

/** All that happened to a lead, each thing the newest first. */
export default function HistoryDrawer({ lead, patch, onClose }: Props) {
  useFocusBack()
  const title = lead.lead_name ? `History of ${lead.lead_name}` : 'History'
  return (
    <Drawer opened onClose={onClose} position="right" size="min(560px, 100vw)" title={title}>
      <Read lead={lead} patch={patch} />
    </Drawer>
  )
}

function Read({ lead, patch }: Omit<Props, 'onClose'>) {
  const { data, error, refetch } = useApi(history.read, { params: { id: lead.id } }, { quiet: true })
  if (data) return <Sections found={data} lead={lead} patch={patch} />
  if (error) return <Failed what="The history" error={error} retry={refetch} />
  return (
    <div role="status" aria-label="Loading">
      {bones.map((width, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are nothing but their place.
        <span key={index} className={classes.bone} style={{ width }} />
      ))}
    </div>
  )
}

const bones = ['30%', '80%', '60%', '30%', '70%', '50%', '30%', '80%']

function Sections({ found, lead, patch }: { found: LeadHistory; lead: Lead; patch: Patch }) {
  const { changes, mails, events, ratings } = found
  return (
    <>
      <Section title="Changes" none="Nothing has been changed yet." count={changes.length}>
        <Changes changes={changes} lead={lead} patch={patch} />
      </Section>
      <Section title="Mails" none="No mail was sent about it." count={mails.length}>
        <MailLines mails={mails} />
      </Section>
      <Section title="Ratings by mail" none="Nobody has opened a link of a mail." count={ratings.length}>
        <RatingLines ratings={ratings} mails={mails} />
      </Section>
      <Section title="Events" none="It did not come in through CallRail or a form." count={events.length}>
        <EventLines events={events} />
      </Section>
    </>
  )
}

type SectionProps = { title: string; none: string; count: number; children: ReactNode }

function Section({ title, none, count, children }: SectionProps) {
  return (
    <section className={classes.section} aria-label={title}>
      <h3>
        {title} {count > 0 && <span>{count}</span>}
      </h3>
      {count > 0 ? children : <p className={classes.none}>{none}</p>}
    </section>
  )
}
