import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { getRowShape } from '#contract/field-definitions.ts'
import { booleanField, flagField, idField, requiredLines } from '#contract/fields.ts'
import { pagedFields } from '#contract/paged.ts'
import { canManageBilling } from '#domains/campaigns/terms/contract.ts'
import { disputeFields, disputeFilters } from './fields.ts'

const disputeSchema = z.object(getRowShape(disputeFields))
export type Dispute = z.infer<typeof disputeSchema>

const pagedDisputes = pagedFields(disputeFields, {
  filters: disputeFilters,
  sort: 'opened_at',
  order: 'desc',
  perPage: 50,
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
    description:
      'Once. Accepting takes the verification back; with `move_to` the lead goes to a campaign of another client instead, where it stays verified, and `notify` emails that client. The client who disputed it reads the answer on the rating page.',
    body: z
      .strictObject({
        accept: booleanField.optional(),
        answer: requiredLines('Please write an answer for the client', 2000),
        /** Accepts it: the lead belongs to the client of this campaign. */
        move_to: idField.optional(),
        notify: flagField.optional(),
      })
      .refine(({ accept, move_to }) => (move_to === undefined ? accept !== undefined : accept !== false), {
        path: ['accept'],
        error: 'Must be true or false',
        when: ({ value }) => typeof value === 'object' && value !== null,
      })
      .refine(({ move_to, notify }) => move_to !== undefined || !notify, {
        path: ['notify'],
        error: 'Only a client to whom the lead moves is notified',
      }),
    response: disputeSchema,
    success: 'Dispute was decided',
  }),
}
