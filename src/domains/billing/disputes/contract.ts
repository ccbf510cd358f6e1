import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { booleanField, idField, queryId, queryIds, queryOneOf, requiredText } from '#contract/fields.ts'
import { pagedQuery } from '#contract/paged.ts'
import { leadTypes } from '#domains/leads/labels.ts'
import { canManageBilling } from '../terms/contract.ts'
import { disputeChannels, disputeStates } from './labels.ts'

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

const disputeSchema = z.object({
  id: idField,
  lead_id: idField,
  /** Null if the reader may not see the lead. */
  lead: disputedLeadSchema.nullable(),
  campaign: z.object({ id: idField, name: z.string() }),
  via: z.enum(disputeChannels),
  state: z.enum(disputeStates),
  answer: z.string().nullable(),
  /** ISO 8601 in UTC. */
  opened_at: z.string(),
  decided_at: z.string().nullable(),
  /** A username. */
  decided_by: z.string().nullable(),
})
export type Dispute = z.infer<typeof disputeSchema>

const pagedDisputes = pagedQuery({
  row: disputeSchema,
  sorts: ['opened_at'],
  sort: 'opened_at',
  order: 'desc',
  perPage: 50,
  filters: { state: queryOneOf(disputeStates), campaign_ids: queryIds, lead_id: queryId },
})
export type DisputeListQuery = z.output<typeof pagedDisputes.query>

export const disputesContract = {
  list: endpoint('GET /disputes', {
    allow: canManageBilling,
    reads: ['dispute'],
    row: 'dispute',
    description: 'Verified leads that a client marked Not Lead, open ones first, with the facts about each lead.',
    ...pagedDisputes,
  }),
  decide: endpoint('POST /disputes/:id/decide', {
    allow: canManageBilling,
    changes: ['dispute', 'statement'],
    row: 'dispute',
    description: 'Once. Accepting takes the verification back. The client reads the answer on the rating page.',
    body: z.strictObject({
      accept: booleanField,
      answer: requiredText('Please write an answer for the client', 2000),
    }),
    response: disputeSchema,
    success: 'Dispute was decided',
  }),
}
