import { z } from 'zod'
import { adminOnly, bothRules, mayUsePages } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { dateField, idField, queryCheckbox, queryId, queryOneOf } from '#contract/fields.ts'
import { textInstantField } from '#contract/instants.ts'
import { pagedQuery } from '#contract/paged.ts'
import { noteField } from '#domains/activity/fields.ts'
import { signalKinds, signalSeverities, signalStates, signalSubjectTypes } from './labels.ts'

const lostLeadsSchema = z.object({ low: z.number(), mid: z.number(), high: z.number() })
const jsonObjectSchema = z.record(z.string(), z.unknown())

const signalSchema = z.object({
  id: idField,
  kind: z.enum(signalKinds),
  severity: z.enum(signalSeverities),
  /** A sentence that names its subject. */
  title: z.string(),
  /** Null: a signal of the agency, for super admins. */
  campaign: z.object({ id: idField, name: z.string() }).nullable(),
  /** The id is a number, or a name for subjects without one: a source is `11/callrail`, a host `shop.example`. */
  subject: z.object({ type: z.enum(signalSubjectTypes), id: z.union([z.int(), z.string()]), label: z.string() }),
  opened_at: textInstantField,
  closed_at: textInstantField.nullable(),
  /** `says` is a sentence; the rest are its numbers. For a closed signal, what closed it; `opened_with` is then what opened it. */
  evidence: jsonObjectSchema,
  /** Leads probably lost so far, with an 80% range. */
  expected_lost: lostLeadsSchema.nullable(),
  claimed_by: z.object({ id: idField, username: z.string() }).nullable(),
  muted_until: textInstantField.nullable(),
  /** When its subject was last checked by a probe. */
  probed_at: textInstantField.nullable(),
  /** The signal that explains this one and stands for it in messages. */
  parent_id: idField.nullable(),
  /** The activity item created for the signal. An open signal whose task is done or removed has none: it can get another. */
  task_id: idField.nullable(),
  /** The reader is the manager of its campaign. */
  is_mine: z.boolean(),
  /** Someone has claimed or muted it, or has an open task for it. */
  is_handled: z.boolean(),
})
export type Signal = z.infer<typeof signalSchema>

const mayReadSignals = mayUsePages('dashboard')
/** Only admins may create and complete tasks. */
const mayMakeTask = bothRules(adminOnly, mayReadSignals)

export const signalsContract = {
  list: endpoint('GET /signals', {
    allow: mayReadSignals,
    reads: ['signal'],
    description:
      'What is wrong now, the most severe first, then where most leads are lost, then one’s own campaigns; or what was wrong, the last closed first. Those of one’s campaigns; super admins also get those without one. `today` is open ones, and those closed since midnight.',
    // Drawn as cards, so it has no columns; each sort has an order of its own in SQL (docs/decisions/025-lists-described-once.md).
    ...pagedQuery({
      row: signalSchema,
      sorts: ['severity', 'opened_at', 'closed_at', 'id'],
      sort: 'severity',
      perPage: 50,
      filters: {
        /** Defaults to open ones. */
        state: queryOneOf(signalStates),
        kind: queryOneOf(signalKinds),
        campaign_id: queryId,
        /** Claimed by the caller. */
        mine: queryCheckbox,
      },
    }),
  }),
  read: endpoint('GET /signals/:id', {
    allow: mayReadSignals,
    reads: ['signal'],
    description: 'A signal, the leads of its source, site or campaign by day, and the earlier signals of its subject.',
    response: signalSchema.extend({
      /** The last 28 days, to today or to the day on which it closed; null for a signal that is not about leads. */
      days: z.array(z.object({ day: z.iso.date(), leads: z.int().min(0) })).nullable(),
      /** At most five, the last one first. */
      earlier: z.array(
        z.object({ id: idField, title: z.string(), opened_at: textInstantField, closed_at: textInstantField }),
      ),
    }),
  }),
  count: endpoint('GET /signals/count', {
    allow: mayReadSignals,
    reads: ['signal'],
    description:
      'The number of open signals that are not handled yet, without those that another one explains and without overdue tasks, which their assignees have.',
    response: z.object({
      needs_you: z.int().min(0),
      /** The severe ones among them. */
      severe: z.int().min(0),
      /** All open signals but overdue tasks, and the newest of them, so that the reader of a list notices changes. */
      open: z.int().min(0),
      newest_id: idField.nullable(),
    }),
  }),
  claim: endpoint('POST /signals/:id/claim', {
    allow: mayReadSignals,
    changes: ['signal'],
    description: 'Claims the signal; 409 if someone else has claimed it or it is closed.',
    response: signalSchema,
    success: 'You are handling this now',
  }),
  unclaim: endpoint('DELETE /signals/:id/claim', {
    allow: mayReadSignals,
    changes: ['signal'],
    description: 'Releases the caller’s own claim; super admins can release any.',
    response: signalSchema,
    success: 'Handed back',
  }),
  mute: endpoint('POST /signals/:id/mute', {
    allow: mayReadSignals,
    changes: ['signal'],
    description:
      'Sends no messages about the signal until then: an instant, or a day, which means its start; at most 90 days ahead. The signal stays open; null ends the mute.',
    body: z.strictObject({
      until: z.union([z.iso.datetime({ offset: true }), z.iso.date()], { error: 'Please pick a time' }).nullable(),
    }),
    response: signalSchema,
    success: 'Snoozed',
  }),
  probe: endpoint('POST /signals/:id/probe', {
    allow: mayReadSignals,
    changes: ['signal'],
    description:
      'Checks the subject again now: a site, a listing, a domain or a silent source, for which this checks CallRail’s own list, the site and the campaign’s listings; the cause found becomes the kind. Signals of other services and of several sites stay as they are.',
    response: signalSchema,
    success: 'Signal was checked',
  }),
  task: endpoint('POST /signals/:id/task', {
    allow: mayMakeTask,
    changes: ['signal', 'activity'],
    description:
      'Adds a task to the activity log of the campaign, by default for the caller and today. It is completed when the signal closes.',
    body: z
      .strictObject({
        assignee_id: idField.optional(),
        date: dateField('Please pick a date').optional(),
        note: noteField.optional(),
      })
      .optional(),
    response: signalSchema,
    success: 'Task was created',
  }),
}
