import { z } from 'zod'
import { adminsWithPages } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { idField, versionField } from '#contract/fields.ts'
import { textInstantField } from '#contract/instants.ts'
import { disputeReasons } from '#domains/billing/disputes/labels.ts'
import { leadSchema } from '../contract.ts'
import { inboundEventProviders, inboundEventStates } from '../intake/labels.ts'
import { mailKinds, mailStates } from '../labels.ts'

const canSeeHistory = adminsWithPages('leads', 'archivedleads')

/** ISO 8601 in UTC. */
const auditIdSchema = z.int().min(1)

const historyChangeSchema = z.object({
  audit_id: auditIdSchema,
  at: textInstantField,
  /** A username; null for the program itself: a provider's update, or a rating through an email's link. */
  by: z.string().nullable(),
  /** `link` and `page`: by the key of an email. `scanner, undone`: what a mail scanner had saved was undone. */
  via: z.string().nullable(),
  action: z.enum(['created', 'changed']),
  /** In API fields; those that the reader may not read are left out. */
  fields: z.array(
    z.object({
      field: z.string(),
      from: z.unknown(),
      to: z.unknown(),
      /** Whether the reader may restore `from`, and it differs from the current value. */
      can_restore: z.boolean(),
    }),
  ),
})

const historyMailSchema = z.object({
  id: idField,
  kind: z.enum(mailKinds),
  state: z.enum(mailStates),
  /** Empty, and no more is told of it, if it went to a client whom the reader does not see. */
  recipients: z.array(z.string()),
  /** Who requested it by hand; null if it was sent automatically. */
  asked_by: z.string().nullable(),
  created_at: textInstantField,
  sent_at: textInstantField.nullable(),
  error: z.string().nullable(),
  /** The mail server's response when it accepted the email, such as its queue id. */
  relay_answer: z.string().nullable(),
  /** The email was refused or may be lost, and no later email replaces it. */
  can_repeat: z.boolean(),
})

const historyEventSchema = z.object({
  id: z.int(),
  provider: z.enum(inboundEventProviders),
  state: z.enum(inboundEventStates),
  reason: z.string().nullable(),
  /** Sent by the provider's hook, or found in its list because no hook came. */
  found_by: z.enum(['hook', 'reconciliation']),
  received_at: textInstantField,
  processed_at: textInstantField.nullable(),
})

const historyRatingSchema = z.object({
  id: idField,
  at: textInstantField,
  mail_id: idField.nullable(),
  /** The page saved automatically when it opened; otherwise a person clicked Save. */
  auto: z.boolean(),
  /** A star 1 to 5, `not_lead`, or `trap`; null if the page was only saved. */
  choice: z.string().nullable(),
  /** Why a person said Not Lead. */
  reason: z.enum(disputeReasons).nullable(),
  outcome: z.enum(['counted', 'undone', 'ignored']),
  /** The key's links were opened the way only a mail scanner opens them. */
  scanner: z.boolean(),
})

/** Everything that happened to a lead, each list the newest first. */
export const leadHistorySchema = z.object({
  changes: z.array(historyChangeSchema),
  mails: z.array(historyMailSchema),
  /** Of a lead without emails, why none would be sent by itself now; null if one would be. */
  unmailed_because: z.string().nullable(),
  events: z.array(historyEventSchema),
  ratings: z.array(historyRatingSchema),
})
export type LeadHistory = z.infer<typeof leadHistorySchema>

export const leadHistoryContract = {
  read: endpoint('GET /lead/:id/history', { allow: canSeeHistory, reads: ['lead'], response: leadHistorySchema }),
  restore: endpoint('POST /lead/:id/restore', {
    allow: canSeeHistory,
    changes: ['lead'],
    row: 'lead',
    description:
      'Restores the value that a field had before a change. `version` is the one the editor saw, as with every change.',
    body: z.strictObject({ audit_id: auditIdSchema, field: z.string().max(50), version: versionField }),
    response: leadSchema,
    conflict: { lead: leadSchema },
    confirm: 'Are you sure you want to restore the old value?',
    success: 'The old value was restored',
  }),
}
