import { z } from 'zod'
import { type AccessRule, adminOnly, bothRules, mayUsePages } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { booleanField, dateField, flagField, idField } from '#contract/fields.ts'
import { leadsContract } from '../contract.ts'
import { leadFields } from '../fields.ts'
import { type LeadTag, leadTags } from '../labels.ts'
import { batchStates, maxBatchLeads, type StoredBatchAction, storedBatchActions } from './labels.ts'

const mayWrite = (rule: AccessRule) => bothRules(leadsContract.update.allow, rule)
const mayHide = mayWrite(leadFields.hide.writableBy)

/** Who may do the same to a single lead. */
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
  undo_rule: bothRules(adminOnly, mayUsePages('leads')),
}

export const tooManyMessage = `At most ${maxBatchLeads.toLocaleString('en-US')} leads at once`
export const eitherIdsOrFilterMessage = 'Either ids or a filter'

/** The list's own parameters; which page of it has no effect. */
const batchFilterSchema = z.strictObject({ ...leadsContract.list.query.shape, archived: flagField.default(0) })
export type BatchFilter = z.output<typeof batchFilterSchema>

const selectionFields = {
  ids: z.array(idField).min(1, 'Please select leads').max(maxBatchLeads, tooManyMessage).optional(),
  filter: batchFilterSchema.optional(),
  /** How many leads the filter matches, as far as the caller knows. */
  total: z.int().min(0).optional(),
}
const plainActions = ['verify', 'unverify', 'hide', 'unhide', 'archive', 'unarchive'] as const
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
export type BatchForm = z.output<typeof batchFormSchema>

/** Days of the agency; without one there is no bound. */
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
/** Which rule is taken back, and the tag that it gives. */
export type RuleUndo = z.output<typeof ruleUndoFormSchema> & { rule: number; tag: LeadTag }

export type FormAct = BatchForm extends infer Form
  ? Form extends BatchForm
    ? Pick<Form, 'action' | 'value'>
    : never
  : never
/** What is to be done to each lead. */
export type BatchAct = FormAct | { action: 'undo_rule'; value: RuleUndo }

const countField = z.int().min(0)
export const batchSchema = z.object({
  id: idField,
  action: z.enum(storedBatchActions),
  state: z.enum(batchStates),
  /** How many leads were asked for, and how many of them have been dealt with. */
  total: countField,
  processed: countField,
  /** How many really changed; of an undo, how many were brought back. */
  changed: countField,
  /** Leads that stayed as they were; of an undo, those that keep what the batch did. */
  skipped: z.array(z.object({ id: idField, reason: z.string() })),
  /** Why it failed. */
  problem: z.string().nullable(),
})
export type LeadBatch = z.infer<typeof batchSchema>

export const leadBatchContract = {
  create: endpoint('POST /leads/batch', {
    allow: leadsContract.update.allow,
    description:
      'Does the same to many leads, at most 10,000: those of `ids`, or those that match `filter` now. Where they are not `total`, nothing is done and the answer is 409 with their number. More than 200 are changed by a job. `value` is the tag, `{ spammer }` or `{ campaign_id, clientsite_id }`.',
    body: batchFormSchema,
    response: batchSchema,
    conflict: { total: countField },
  }),
  get: endpoint('GET /leads/batch/:id', {
    allow: leadsContract.update.allow,
    description: 'How far it is. For those who made it, and super admins.',
    response: batchSchema,
  }),
  undo: endpoint('POST /leads/batch/:id/undo', {
    allow: leadsContract.update.allow,
    description: 'Brings back what the batch changed, except leads that a person has changed since, which it names.',
    response: batchSchema,
  }),
}
