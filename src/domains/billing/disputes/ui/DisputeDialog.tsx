import { Radio } from '@mantine/core'
import type { ReactNode } from 'react'
import { leadsContract } from '#domains/leads/contract.ts'
import { type LeadProgress, progressLabels } from '#domains/leads/labels.ts'
import { recordingsContract } from '#domains/leads/recordings/contract.ts'
import { renderPageLink } from '#ui/cells/cells.tsx'
import { formatDay } from '#ui/cells/days.ts'
import { PhoneLink } from '#ui/cells/PhoneCell.tsx'
import { formatInstant } from '#ui/cells/timestamps.ts'
import { callApi } from '#ui/data/api.ts'
import { usePerson } from '#ui/data/person.ts'
import { FormDialog } from '#ui/form/FormDialog.tsx'
import type { FieldControl } from '#ui/form/field-binding.ts'
import { ModalDialog } from '#ui/layout/ModalDialog.tsx'
import { RecordingPlayer } from '#ui/layout/Player.tsx'
import { type Dispute, disputesContract } from '../contract.ts'
import type { DisputedLead } from '../fields.ts'
import { disputeChannelTitles, disputeStateTitles } from '../labels.ts'
import classes from './DisputeDialog.module.css'

type DisputeDialogProps = { dispute: Dispute; onClose: () => void }

/** The lead with all the evidence and, while the dispute is open, the decision form. */
export default function DisputeDialog({ dispute, onClose }: DisputeDialogProps) {
  const title = `Dispute of ${dispute.lead?.name ?? `lead ${dispute.lead_id}`}`
  if (dispute.state !== 'open')
    return (
      <ModalDialog opened onClose={onClose} title={title} size="lg">
        <DisputeEvidence dispute={dispute} />
        <p className={classes.answer}>
          <b>{disputeStateTitles[dispute.state]}</b>
          {dispute.decided_by && ` by ${dispute.decided_by}`}
          {dispute.decided_at && `, ${formatInstant(dispute.decided_at)}`}: {dispute.answer}
        </p>
      </ModalDialog>
    )
  return (
    <FormDialog
      title={title}
      call={disputesContract.decide}
      params={{ id: dispute.id }}
      start={{ accept: null, answer: null }}
      fields={({ textareaControl }) => ({
        accept: decisionField,
        answer: textareaControl('Answer to the client', { rows: 3 }),
      })}
      layout={({ accept, answer }) => (
        <>
          <DisputeEvidence dispute={dispute} />
          {accept}
          {answer}
        </>
      )}
      opened
      onClose={onClose}
      size="lg"
    />
  )
}

const decisionField: FieldControl<boolean | 0 | 1> = (at) => (
  <Radio.Group
    label="Decision"
    name={at.name}
    error={at.error && 'Please accept or refuse'}
    value={at.value === null || at.value === undefined ? null : at.value ? 'accept' : 'refuse'}
    onChange={(value) => at.set(value === 'accept')}
  >
    <div className={classes.choices}>
      <Radio value="accept" label="Accept: the lead is no longer verified" />
      <Radio value="refuse" label="Refuse: the lead stays billed" />
    </div>
  </Radio.Group>
)

function DisputeEvidence({ dispute: { lead, campaign, via, opened_at } }: { dispute: Dispute }) {
  return (
    <dl className={classes.facts}>
      <EvidenceFact label="Campaign">{campaign.name}</EvidenceFact>
      <EvidenceFact label="Marked Not Lead">
        {disputeChannelTitles[via]}, {formatInstant(opened_at)}
      </EvidenceFact>
      {lead ? (
        <LeadEvidence lead={lead} campaignId={campaign.id} />
      ) : (
        <EvidenceFact label="Lead">In another campaign now</EvidenceFact>
      )}
    </dl>
  )
}

function LeadEvidence({ lead, campaignId }: { lead: DisputedLead; campaignId: number }) {
  const me = usePerson().subject
  const addressOf = async () => (await callApi(recordingsContract.get, { params: { id: lead.id } })).url
  const inLeads = { date_from: lead.date, date_to: lead.date, campaign_ids: String(campaignId), lead: lead.id }
  return (
    <>
      <EvidenceFact label="Received">
        {lead.type}, {formatDay(lead.date)} {lead.time}
      </EvidenceFact>
      <EvidenceFact label="Phone">{lead.phone && <PhoneLink phone={lead.phone} />}</EvidenceFact>
      <EvidenceFact label="Email">{lead.email}</EvidenceFact>
      <EvidenceFact label="Recording" isLong>
        {lead.type === 'Call' &&
          (lead.recording && recordingsContract.get.allow(me) ? (
            <RecordingPlayer length={formatDuration(lead.duration)} addressOf={addressOf} />
          ) : lead.recording ? (
            'For those who may open Leads'
          ) : (
            'No recording'
          ))}
      </EvidenceFact>
      <EvidenceFact label="Message" isLong>
        {lead.message}
      </EvidenceFact>
      <EvidenceFact label="Rating">{lead.rating && `${lead.rating} of 5`}</EvidenceFact>
      <EvidenceFact label="Progress">{lead.progress && progressLabels[lead.progress as LeadProgress]}</EvidenceFact>
      <EvidenceFact label="Client notes" isLong>
        {lead.client_notes}
      </EvidenceFact>
      <EvidenceFact label="History">
        {leadsContract.list.allow(me) && renderPageLink('/leads', inLeads, 'Open in Leads')}
      </EvidenceFact>
    </>
  )
}

/** Renders nothing if the value is unknown. */
function EvidenceFact({ label, isLong, children }: { label: string; isLong?: boolean; children: ReactNode }) {
  if (children === null || children === undefined || children === '' || children === false || children === 0)
    return null
  return (
    <div data-wide={isLong || undefined}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** Formats minutes and seconds like the list of leads. */
const formatDuration = (seconds: number | null) =>
  seconds === null ? null : `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
