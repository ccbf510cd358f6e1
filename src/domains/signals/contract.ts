import { z } from 'zod'
import { adminOnly, bothRules, mayUsePages } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { dateField, idField, queryCheckbox, queryId, queryOneOf, requiredText } from '#contract/fields.ts'
import { pagedQuery } from '#contract/paged.ts'
import { signalKinds, signalSeverities, signalStates, signalSubjectTypes } from './labels.ts'

const lostLeadsSchema = z.object({ low: z.number(), mid: z.number(), high: z.number() })
const jsonObjectSchema = z.record(z.string(), z.unknown())

export const signalSchema = z.object({
  id: idField,
  kind: z.enum(signalKinds),
  severity: z.enum(signalSeverities),
  /** A sentence that names its subject. */
  title: z.string(),
  /** Null: of the agency, for super admins. */
  campaign: z.object({ id: idField, name: z.string() }).nullable(),
  /** The id is a number, or the name of what has none: a source is `11/callrail`, a host `shop.example`. */
  subject: z.object({ type: z.enum(signalSubjectTypes), id: z.union([z.int(), z.string()]), label: z.string() }),
  opened_at: z.string(),
  closed_at: z.string().nullable(),
  /** `says` is a sentence; the rest are its numbers. What closed it, once it is closed; `opened_with` is then what opened it. */
  evidence: jsonObjectSchema,
  /** Leads probably lost so far, with an 80 % range. */
  expected_lost: lostLeadsSchema.nullable(),
  claimed_by: z.object({ id: idField, username: z.string() }).nullable(),
  muted_until: z.string().nullable(),
  /** The signal that explains this one, and speaks for it. */
  parent_id: idField.nullable(),
  /** The activity item that was made of it. */
  task_id: idField.nullable(),
  /** A person has claimed it, muted it, or has a task of it to do. */
  is_handled: z.boolean(),
})
export type Signal = z.infer<typeof signalSchema>

const mayReadSignals = mayUsePages('dashboard')
/** Tasks are written and done by admins. */
const mayMakeTask = bothRules(adminOnly, mayReadSignals)

export const signalsContract = {
  list: endpoint('GET /signals', {
    allow: mayReadSignals,
    description:
      'What is wrong now, the most severe first, or what was wrong, the last closed first. Those of one’s campaigns; super admins also get those without one. `today` is open ones, and those closed since midnight.',
    ...pagedQuery({
      row: signalSchema,
      sorts: ['severity', 'opened_at', 'closed_at', 'id'],
      sort: 'severity',
      perPage: 50,
      filters: {
        /** Open ones where it is not given. */
        state: queryOneOf(signalStates),
        kind: queryOneOf(signalKinds),
        campaign_id: queryId,
        /** Claimed by who asks. */
        mine: queryCheckbox,
      },
    }),
  }),
  count: endpoint('GET /signals/count', {
    allow: mayReadSignals,
    description:
      'How many open signals are not handled yet. Those that another one explains are not counted beside it.',
    response: z.object({
      needs_you: z.int().min(0),
      /** Of these. */
      severe: z.int().min(0),
      /** All open ones, and the newest of them: a reader of the list sees that it has changed. */
      open: z.int().min(0),
      newest_id: idField.nullable(),
    }),
  }),
  claim: endpoint('POST /signals/:id/claim', {
    allow: mayReadSignals,
    description: 'Says who handles it; 409 where another one does, or it is closed.',
    response: signalSchema,
    success: 'Signal was claimed',
  }),
  unclaim: endpoint('DELETE /signals/:id/claim', {
    allow: mayReadSignals,
    description: 'Gives one’s own claim back; super admins end those of others too.',
    response: signalSchema,
    success: 'Claim was given back',
  }),
  mute: endpoint('POST /signals/:id/mute', {
    allow: mayReadSignals,
    description:
      'Sends no messages of it until then, at most 90 days ahead: an instant, or a day, which stands for its beginning. It stays open; null ends it.',
    body: z.strictObject({
      until: z.union([z.iso.datetime({ offset: true }), z.iso.date()], { error: 'Please pick a time' }).nullable(),
    }),
    response: signalSchema,
    success: 'Signal was muted',
  }),
  probe: endpoint('POST /signals/:id/probe', {
    allow: mayReadSignals,
    description:
      'Looks again now. Of a silent source it asks CallRail’s own list, the site and its listing; what is found becomes the kind.',
    response: signalSchema,
    success: 'Signal was checked',
  }),
  task: endpoint('POST /signals/:id/task', {
    allow: mayMakeTask,
    description:
      'Makes a task of it, in the activity log of its campaign: for who asks and today, where nothing else is given. It is done when the signal closes.',
    body: z
      .strictObject({
        assignee_id: idField.optional(),
        date: dateField('Please pick a date').optional(),
        note: requiredText('Please input your note', 10_000).optional(),
      })
      .optional(),
    response: signalSchema,
    success: 'Task was added',
  }),
}
