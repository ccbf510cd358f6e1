import type { ReactNode } from 'react'
import { leadsContract } from '#domains/leads/contract.ts'
import { type LeadProgress, progressLabels } from '#domains/leads/labels.ts'
import { recordingsContract } from '#domains/leads/recordings/contract.ts'
import { renderPageLink } from '#ui/cells/cells.tsx'
import { formatClock } from '#ui/cells/clock.ts'
import { formatDay } from '#ui/cells/days.ts'
import { EmailLink } from '#ui/cells/EmailCell.tsx'
import { PhoneLink } from '#ui/cells/PhoneCell.tsx'
import { RecordLink } from '#ui/cells/RecordLink.tsx'
import { formatInstant } from '#ui/cells/timestamps.ts'
import { callApi } from '#ui/data/api.ts'
import { usePerson } from '#ui/data/person.ts'
import { useApi } from '#ui/data/useApi.ts'
import arrange from '#ui/layout/arrange.module.css'
import { RecordingPlayer } from '#ui/layout/Player.tsx'
import text from '#ui/theme/text.module.css'
import { type Dispute, disputesContract } from '../contract.ts'
import type { DisputedLead } from '../fields.ts'
import { disputeChannelTitles, disputeReasonTitles, disputeStateTitles } from '../labels.ts'
import { DecisionForm } from './DecisionForm.tsx'
import classes from './Disputes.module.css'

/** A dispute with all the evidence and, while it is open, the decision. */
export function DisputePane({ dispute }: { dispute: Dispute }) {
  const { lead, campaign, via, reason, opened_at, state, answer, decided_by, decided_at } = dispute
  return (
    <section className={`${arrange.framed} ${arrange.stackWide} ${classes.pane}`} aria-labelledby="dispute">
      <h2 id="dispute">Dispute: {describeLead(dispute)}</h2>
      {lead?.message && <p className={text.asWritten}>{lead.message}</p>}
      {lead && <Recording lead={lead} />}
      {state === 'open' ? (
        <DecisionForm key={dispute.id} dispute={dispute} />
      ) : (
        <p className={text.asWritten}>
          <b>{disputeStateTitles[state]}</b>
          {decided_by && ` by ${decided_by}`}
          {decided_at && `, ${formatInstant(decided_at)}`}
          {answer && `: ${answer}`}
        </p>
      )}
      <dl className={classes.facts}>
        <EvidenceFact label="Campaign">
          <RecordLink kind="campaign" id={campaign.id}>
            {campaign.name}
          </RecordLink>
        </EvidenceFact>
        <EvidenceFact label="Marked Not Lead">
          {disputeChannelTitles[via]}, <span className={text.oneLine}>{formatInstant(opened_at)}</span>
        </EvidenceFact>
        <EvidenceFact label="Reason">{reason && disputeReasonTitles[reason]}</EvidenceFact>
        {lead ? (
          <LeadEvidence lead={lead} campaignId={campaign.id} />
        ) : (
          <EvidenceFact label="Lead">In another campaign now</EvidenceFact>
        )}
      </dl>
      <EarlierDisputes dispute={dispute} />
    </section>
  )
}

/** Linda Howard’s call (Beacon Pest Solutions) */
export const describeLead = ({ lead, lead_id, campaign }: Dispute) =>
  `${lead?.name ? `${lead.name}’s ${lead.type.toLowerCase()}` : `${lead?.type ?? 'Lead'} ${lead_id}`} (${campaign.name})`

function Recording({ lead }: { lead: DisputedLead }) {
  const me = usePerson().subject
  if (lead.type !== 'Call') return null
  if (!lead.recording) return <p>The call has no recording.</p>
  if (!recordingsContract.get.allow(me)) return <p>The recording is for those who may open Leads.</p>
  const addressOf = async () => (await callApi(recordingsContract.get, { params: { id: lead.id } })).url
  return <RecordingPlayer length={formatDuration(lead.duration)} addressOf={addressOf} />
}

function LeadEvidence({ lead, campaignId }: { lead: DisputedLead; campaignId: number }) {
  const me = usePerson().subject
  const inLeads = { date_from: lead.date, date_to: lead.date, campaign_ids: String(campaignId), lead: lead.id }
  return (
    <>
      <EvidenceFact label="Received">
        {lead.type}, {formatDay(lead.date)} {formatClock(lead.time)}
      </EvidenceFact>
      <EvidenceFact label="Phone">{lead.phone && <PhoneLink phone={lead.phone} />}</EvidenceFact>
      <EvidenceFact label="Email">{lead.email && <EmailLink email={lead.email} />}</EvidenceFact>
      <EvidenceFact label="Rating">{lead.rating && `${lead.rating} of 5`}</EvidenceFact>
      <EvidenceFact label="Progress">{lead.progress && progressLabels[lead.progress as LeadProgress]}</EvidenceFact>
      <EvidenceFact label="Client notes">{lead.client_notes}</EvidenceFact>
      <EvidenceFact label="History">
        <RecordLink kind="lead" id={lead.id}>
          The lead’s page
        </RecordLink>
        {leadsContract.list.allow(me) && <> · {renderPageLink('/leads', inLeads, 'Open in Leads')}</>}
      </EvidenceFact>
    </>
  )
}

/** What was decided about the same lead before. */
function EarlierDisputes({ dispute }: { dispute: Dispute }) {
  const { data } = useApi(disputesContract.list, { query: { lead_id: dispute.lead_id } }, { quiet: true })
  const others = data?.data.filter(({ id }) => id !== dispute.id) ?? []
  if (others.length === 0) return null
  return (
    <>
      <h3>Disputed before</h3>
      <ul>
        {others.map(({ id, state, opened_at, answer }) => (
          <li key={id}>
            {formatInstant(opened_at)}: {disputeStateTitles[state]}
            {answer && `: ${answer}`}
          </li>
        ))}
      </ul>
    </>
  )
}

/** Renders nothing if the value is unknown. */
function EvidenceFact({ label, children }: { label: string; children: ReactNode }) {
  if (children === null || children === undefined || children === '' || children === false || children === 0)
    return null
  return (
    <div>
      <dt className={text.caption}>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** Formats minutes and seconds like the list of leads. */
const formatDuration = (seconds: number | null) =>
  seconds === null ? null : `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
