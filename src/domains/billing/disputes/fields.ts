import { z } from 'zod'
import { defineFields } from '#contract/field-definitions.ts'
import { idField } from '#contract/fields.ts'
import { byChoice, byId, byIds } from '#contract/filter-definitions.ts'
import { textInstantField } from '#contract/instants.ts'
import { leadTypes } from '#domains/leads/labels.ts'
import {
  disputeChannels,
  disputeChannelTitles,
  disputeReasons,
  disputeReasonTitles,
  disputeStates,
  disputeStateTitles,
} from './labels.ts'

/** The facts about the lead, for the decision. */
const disputedLeadSchema = z.object({
  id: idField,
  name: z.string().nullable(),
  type: z.enum(leadTypes),
  /** Day and time in the agency's zone. */
  date: z.string(),
  time: z.string(),
  phone: z.string().nullable(),
  email: z.string().nullable(),
  message: z.string().nullable(),
  /** The call's length in seconds. */
  duration: z.int().nullable(),
  /** Whether there is a recording. */
  recording: z.boolean(),
  rating: z.int().nullable(),
  progress: z.int().nullable(),
  client_notes: z.string().nullable(),
  confirmed: z.boolean(),
})
export type DisputedLead = z.infer<typeof disputedLeadSchema>

export const disputeFields = defineFields({
  id: { kind: 'count', label: 'ID', row: idField },
  lead_id: { kind: 'count', label: 'Lead', row: idField },
  /** Null if the reader may not see the lead. */
  lead: { kind: 'custom', label: 'Lead', row: disputedLeadSchema.nullable(), column: { width: 130 } },
  /** Of the lead. */
  type: { kind: 'custom', label: 'Type', column: { width: 60 } },
  date: { kind: 'custom', label: 'Date', column: { width: 104 } },
  message: { kind: 'custom', label: 'Message', column: true },
  campaign: {
    kind: 'custom',
    label: 'Campaign',
    row: z.object({ id: idField, name: z.string() }),
    column: { width: 180 },
  },
  via: {
    kind: 'choice',
    label: 'Marked via',
    row: z.enum(disputeChannels),
    choices: disputeChannelTitles,
    column: { width: 104 },
  },
  /** Null if the client did not say why. */
  reason: {
    kind: 'choice',
    label: 'Reason',
    row: z.enum(disputeReasons).nullable(),
    choices: disputeReasonTitles,
    column: { width: 150 },
  },
  state: {
    kind: 'custom',
    label: 'State',
    row: z.enum(disputeStates),
    column: { width: 86, pinned: 'start' },
  },
  answer: { kind: 'longText', label: 'Answer', row: z.string().nullable(), column: true },
  /** ISO 8601 in UTC. */
  opened_at: { kind: 'instant', label: 'Opened', row: textInstantField, column: { width: 136 }, sort: true },
  decided_at: { kind: 'instant', label: 'Decided', row: textInstantField.nullable() },
  /** A username. */
  decided_by: { kind: 'text', label: 'Decided by', row: z.string().nullable() },
})

export const disputeFilters = {
  state: byChoice(disputeStates, disputeStateTitles, { label: 'State' }),
  campaign_ids: byIds({ label: 'Campaign', columns: ['campaign_id'] }),
  lead_id: byId(),
}
