import { Drawer } from '@mantine/core'
import type { Lead } from '#domains/leads/contract.ts'
import type { PatchLead } from '#domains/leads/list/ui/lead-mutations.ts'
import { useApi } from '#ui/data/useApi.ts'
import { QueryError } from '#ui/feedback/QueryStates.tsx'
import { SkeletonLines } from '#ui/feedback/Skeleton.tsx'
import { CountedSection } from '#ui/layout/CountedSection.tsx'
import { useRestoreFocus } from '#ui/layout/restore-focus.ts'
import { type LeadHistory, leadHistoryContract } from '../contract.ts'
import { HistoryChanges } from './Changes.tsx'
import { describeNoEvents, describeNoMails, EventHistory, MailHistory, RatingHistory } from './Lines.tsx'

type HistoryDrawerProps = { lead: Lead; patch: PatchLead; onClose: () => void }

/** Everything that happened to a lead, each list the newest first. */
export default function HistoryDrawer({ lead, patch, onClose }: HistoryDrawerProps) {
  useRestoreFocus()
  const title = lead.lead_name ? `History of ${lead.lead_name}` : 'History'
  return (
    <Drawer opened onClose={onClose} position="right" size="min(560px, 100vw)" title={title}>
      <HistoryContent lead={lead} patch={patch} />
    </Drawer>
  )
}

function HistoryContent({ lead, patch }: Omit<HistoryDrawerProps, 'onClose'>) {
  const { data, error, refetch } = useApi(leadHistoryContract.read, { params: { id: lead.id } }, { quiet: true })
  if (data) return <HistorySections found={data} lead={lead} patch={patch} />
  if (error) return <QueryError what="The history" error={error} retry={refetch} />
  return (
    <div role="status" aria-label="Loading">
      <SkeletonLines widths={skeletonWidths} />
    </div>
  )
}

const skeletonWidths = ['30%', '80%', '60%', '30%', '70%', '50%', '30%', '80%']

function HistorySections({ found, lead, patch }: { found: LeadHistory; lead: Lead; patch: PatchLead }) {
  const { changes, mails, events, ratings } = found
  return (
    <>
      <CountedSection heading="h3" title="Changes" none="Nothing has been changed yet." count={changes.length}>
        <HistoryChanges changes={changes} lead={lead} patch={patch} />
      </CountedSection>
      <CountedSection heading="h3" title="Emails" none={describeNoMails(found)} count={mails.length}>
        <MailHistory leadId={lead.id} mails={mails} />
      </CountedSection>
      <CountedSection
        heading="h3"
        title="Ratings by email"
        none="The client hasn’t rated this lead."
        count={ratings.length}
      >
        <RatingHistory ratings={ratings} mails={mails} />
      </CountedSection>
      <CountedSection heading="h3" title="Events" none={describeNoEvents(found)} count={events.length}>
        <EventHistory events={events} />
      </CountedSection>
    </>
  )
}
