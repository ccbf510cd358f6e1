import { z } from 'zod'
import { type AccessRule, type AccessSubject, adminsWithPages, bothRules } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { booleanField, dateField, flagField, idField } from '#contract/fields.ts'
import { leadsContract } from '../contract.ts'
import { leadFields } from '../fields.ts'
import { type LeadTag, leadTags } from '../labels.ts'
import { canManageSpam } from '../spam/allow.ts'
import { batchStates, maxBatchLeads, type StoredBatchAction, storedBatchActions } from './labels.ts'

const mayWrite = (rule: AccessRule) => bothRules(leadsContract.update.allow, rule)
const mayHide = mayWrite(leadFields.hide.writableBy)

/** The same rules as for a single lead. */
export const batchActionRules: Record<StoredBatchAction, AccessRule> = {
  verify: mayWrite(leadFields.confirmed.writableBy),
  unverify: mayWrite(leadFields.confirmed.writableBy),
  tag: mayWrite(leadFields.tags.writableBy),
  untag: mayWrite(leadFields.tags.writableBy),
  hide: mayHide,
  unhide: mayHide,
  spam: mayHide,
  archive: leadsContract.archive.allow,
  unarchive: leadsContract.unarchive.allow,
  move: mayWrite(leadFields.campaign_id.writableBy),
  undo_rule: adminsWithPages('leads'),
}

export const tooManyMessage = `At most ${maxBatchLeads.toLocaleString('en-US')} leads at once`
const eitherIdsOrFilterMessage = 'Either ids or a filter'

/** The parameters of the leads list; paging has no effect. */
const batchFilterSchema = z.strictObject({ ...leadsContract.list.query.shape, archived: flagField.default(0) })

const selectionFields = {
  ids: z.array(idField).min(1, 'Please select leads').max(maxBatchLeads, tooManyMessage).optional(),
  filter: batchFilterSchema.optional(),
  /** How many leads the caller expects the filter to match. */
  total: z.int().min(0).optional(),
}
const plainActions = ['verify', 'unverify', 'hide', 'unhide', 'archive', 'unarchive'] as const
export type PlainAction = (typeof plainActions)[number]
const moveSchema = z.strictObject({
  campaign_id: leadFields.campaign_id.form,
  clientsite_id: idField.nullable(),
})

const batchFormSchema = z
  .discriminatedUnion('action', [
    z.strictObject({ ...selectionFields, action: z.enum(plainActions), value: z.null().optional() }),
    z.strictObject({ ...selectionFields, action: z.enum(['tag', 'untag']), value: z.enum(leadTags, 'Not a tag') }),
    z.strictObject({
      ...selectionFields,
      action: z.literal('spam'),
      value: z.strictObject({ spammer: z.boolean().default(false) }).default({ spammer: false }),
    }),
    z.strictObject({ ...selectionFields, action: z.literal('move'), value: moveSchema }),
  ])
  .refine(({ ids, filter }) => (ids === undefined) !== (filter === undefined), {
    error: eitherIdsOrFilterMessage,
    path: ['ids'],
  })
  .refine(({ filter, total }) => filter === undefined || total !== undefined, {
    error: 'How many leads the filter matches',
    path: ['total'],
  })
type BatchForm = z.output<typeof batchFormSchema>

/** Days in the agency's time zone; null is unbounded. */
export const ruleUndoFormSchema = z
  .object({
    from: dateField('Please pick a date').nullable().default(null),
    to: dateField('Please pick a date').nullable().default(null),
    mail: booleanField.default(false),
  })
  .refine(({ from, to }) => from === null || to === null || from <= to, {
    error: 'The end is before the start',
    path: ['to'],
  })
/** The rule to undo, and the tag that it sets. */
export type RuleUndo = z.output<typeof ruleUndoFormSchema> & { rule: number; tag: LeadTag }

export type FormAct = BatchForm extends infer Form
  ? Form extends BatchForm
    ? Pick<Form, 'action' | 'value'>
    : never
  : never
/** The action on each lead, with its value. */
export type BatchAct = FormAct | { action: 'undo_rule'; value: RuleUndo }

/** Whether this person may do it. Blocking senders takes more than hiding their leads. */
export const mayRunBatch = (me: AccessSubject, { action, value }: BatchAct): boolean =>
  batchActionRules[action](me) && (action !== 'spam' || !value.spammer || canManageSpam(me))

const countField = z.int().min(0)
export const batchSchema = z.object({
  id: idField,
  action: z.enum(storedBatchActions),
  state: z.enum(batchStates),
  /** How many leads the batch has, and how many of them are processed. */
  total: countField,
  processed: countField,
  /** How many leads changed; for an undo, how many were restored. */
  changed: countField,
  /** Leads that did not change; for an undo, those that were not restored. */
  skipped: z.array(z.object({ id: idField, reason: z.string() })),
  /** Why it failed. */
  problem: z.string().nullable(),
})
export type LeadBatch = z.infer<typeof batchSchema>

export const leadBatchContract = {
  create: endpoint('POST /leads/batch', {
    allow: leadsContract.update.allow,
    changes: ['lead'],
    description:
      'Applies one action to up to 10,000 leads: those in `ids`, or those that match `filter` now. If `filter` does not match `total` leads, nothing changes and the response is 409 with the actual number. More than 200 leads are changed by a job. `value` is the tag, `{ spammer }` or `{ campaign_id, clientsite_id }`.',
    body: batchFormSchema,
    response: batchSchema,
    conflict: { total: countField },
  }),
  get: endpoint('GET /leads/batch/:id', {
    allow: leadsContract.update.allow,
    reads: ['lead'],
    description: 'The progress of a batch. Only for its creator and super admins.',
    response: batchSchema,
  }),
  undo: endpoint('POST /leads/batch/:id/undo', {
    allow: leadsContract.update.allow,
    changes: ['lead'],
    description:
      'Restores what the batch changed, except leads that a person has changed since; `skipped` lists those.',
    response: batchSchema,
  }),
}
