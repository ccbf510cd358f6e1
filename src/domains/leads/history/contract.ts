import { z } from 'zod'
import { admin, both, may } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { id } from '#contract/fields.ts'
import { lead } from '../contract.ts'
import { mailKinds, mailStates } from '../labels.ts'

const seesHistory = both(admin, may('leads', 'archivedleads'))

/** ISO 8601 in UTC. */
const at = z.string()
const auditId = z.int().min(1)

const change = z.object({
  audit_id: auditId,
  at,
  /** A username; null for the program itself: a provider's news, or a rating that came through a mail's link. */
  by: z.string().nullable(),
  /** `link` and `page`: by the key of a mail. `scanner, undone`: what a mail scanner had saved was taken back. */
  via: z.string().nullable(),
  action: z.enum(['created', 'changed']),
  /** In the words of the wire; what the reader may not read is left out. */
  fields: z.array(
    z.object({
      field: z.string(),
      from: z.unknown(),
      to: z.unknown(),
      /** Whether the reader may put `from` back, and it is not there already. */
      can_restore: z.boolean(),
    }),
  ),
})

const mail = z.object({
  id,
  kind: z.enum(mailKinds),
  state: z.enum(mailStates),
  recipients: z.array(z.string()),
  /** Who asked for it by hand; null when it went out by itself. */
  asked_by: z.string().nullable(),
  created_at: at,
  sent_at: at.nullable(),
  error: z.string().nullable(),
})

const event = z.object({
  id: z.int(),
  provider: z.enum(['callrail', 'formidable']),
  state: z.enum(['stored', 'done', 'ignored', 'quarantined']),
  reason: z.string().nullable(),
  /** Sent by the provider, or found in its list because no hook told of it. */
  found_by: z.enum(['hook', 'reconciliation']),
  received_at: at,
  processed_at: at.nullable(),
})

const ratingSave = z.object({
  id,
  at,
  mail_id: id.nullable(),
  /** The page saved by itself as it opened; otherwise a person pressed Save. */
  auto: z.boolean(),
  /** A star 1 to 5, `not_lead`, or `trap`; null where the page was only saved. */
  choice: z.string().nullable(),
  outcome: z.enum(['counted', 'undone', 'ignored']),
  /** The key's links were opened as only a mail scanner opens them. */
  scanner: z.boolean(),
})

/** All that happened to a lead, each list the newest first. */
export const leadHistory = z.object({
  changes: z.array(change),
  mails: z.array(mail),
  events: z.array(event),
  ratings: z.array(ratingSave),
})
export type LeadHistory = z.infer<typeof leadHistory>

export const history = {
  read: endpoint('GET /lead/:id/history', { allow: seesHistory, answers: leadHistory }),
  restore: endpoint('POST /lead/:id/restore', {
    allow: seesHistory,
    about: 'Puts back what a field was before that change. `version` is the one the editor saw, as with every change.',
    body: z.strictObject({ audit_id: auditId, field: z.string().max(50), version: z.int().min(1).optional() }),
    answers: lead,
    asks: 'Are you sure to put the old value back?',
    says: 'The old value was put back',
  }),
}
