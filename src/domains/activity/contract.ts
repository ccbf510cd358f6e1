import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { dateField, flagField, idField, versionField } from '#contract/fields.ts'
import { textInstantField } from '#contract/instants.ts'
import { canWriteActivityItems } from './allow.ts'
import { ownerKeyField, ownerKeysField } from './campaign-or-team.ts'
import { noteField } from './fields.ts'
import { uploadedFileSchema } from './files/contract.ts'

const namedRefSchema = z.object({ id: idField, name: z.string() })
const userRefSchema = z.object({ id: idField, username: z.string() })

/** An item as the activity log lists it. */
export const activityItemSchema = z.object({
  id: idField,
  date: z.string(),
  /** Who wrote it. */
  user: userRefSchema,
  campaign_id: idField.nullable(),
  team_id: idField.nullable(),
  campaign: namedRefSchema.nullable(),
  team: namedRefSchema.nullable(),
  assignee: userRefSchema.nullable(),
  assignee_id: idField.nullable(),
  /** The assignee of a task, else the author. */
  responsible_user_id: idField,
  is_task: flagField,
  is_done: flagField,
  /** Reports show it to the client. */
  client_may_read: flagField,
  note: z.string(),
  files: z.array(uploadedFileSchema),
  created_at: textInstantField,
  version: z.int(),
})
export type ActivityItem = z.infer<typeof activityItemSchema>

// ——— the form ———

const ownerRequiredMessage = 'Please select campaign of team'
export const assigneeRequiredMessage = 'Please select admin user'
const dateRequiredMessage = 'Please pick a date'
const uploadPendingMessage = 'Please wait until every image is uploaded'

const toFileId = (file: unknown) => (typeof file === 'object' && file !== null && 'id' in file ? file.id : file)
/** Ids of uploads; objects with an id are accepted too. A form holds a negative id while an image is uploading. */
const imageIdsField = z.preprocess(
  (list) => (Array.isArray(list) ? list.map(toFileId) : list),
  z
    .array(
      z.int('Not an image').min(1, uploadPendingMessage).max(2_147_483_647, 'Not an image'),
      'Not a list of images',
    )
    .max(20, 'At most 20 images')
    .transform((ids) => [...new Set(ids)]),
)

const itemFormFields = {
  campaign_ids: ownerKeysField(ownerRequiredMessage),
  date: dateField(dateRequiredMessage),
  note: noteField,
  is_task: flagField,
  assignee_id: idField.nullish(),
  client_may_read: flagField,
  files: imageIdsField,
}

type AssigneeInput = { is_task?: unknown; assignee_id?: unknown }
const hasAssignee = ({ is_task, assignee_id }: AssigneeInput) =>
  !(is_task === 1 || is_task === true) || Boolean(assignee_id)
/**
 * Checked together with the fields, not after them, so that a form reports all missing values at once. Skipped if the
 * body is not an object.
 */
const alwaysRefined = { when: ({ value }: { value: unknown }) => typeof value === 'object' && value !== null }

const newItemSchema = z
  .strictObject({
    id: z.null().optional(),
    campaign_ids: itemFormFields.campaign_ids.optional(),
    /** One campaign or team, sent by a cell of the changelog. Its day may be in the past. */
    campaignId: ownerKeyField(ownerRequiredMessage).nullish(),
    date: itemFormFields.date,
    note: itemFormFields.note,
    is_task: itemFormFields.is_task.default(0),
    assignee_id: itemFormFields.assignee_id,
    client_may_read: itemFormFields.client_may_read.default(0),
    files: itemFormFields.files.default([]),
  })
  .refine(({ campaign_ids, campaignId }) => Boolean(campaignId) || (campaign_ids ?? []).length > 0, {
    path: ['campaign_ids'],
    error: ownerRequiredMessage,
    ...alwaysRefined,
  })
  .refine(hasAssignee, { path: ['assignee_id'], error: assigneeRequiredMessage, ...alwaysRefined })
export type NewActivityItem = z.output<typeof newItemSchema>

/** Omitted fields stay unchanged. The owner and the day may be sent, but must not differ. */
const itemUpdateSchema = z
  .strictObject({
    id: idField.optional(),
    campaign_ids: itemFormFields.campaign_ids.optional(),
    campaignId: ownerKeyField(ownerRequiredMessage).nullish(),
    date: itemFormFields.date.optional(),
    note: itemFormFields.note,
    is_task: itemFormFields.is_task.optional(),
    assignee_id: itemFormFields.assignee_id,
    client_may_read: itemFormFields.client_may_read.optional(),
    files: itemFormFields.files.optional(),
    /** The version that was opened; without it the last write wins. */
    version: versionField,
  })
  .refine(({ is_task, assignee_id }) => assignee_id === undefined || hasAssignee({ is_task, assignee_id }), {
    path: ['assignee_id'],
    error: assigneeRequiredMessage,
    ...alwaysRefined,
  })
export type ActivityItemChanges = z.output<typeof itemUpdateSchema>

export const activityItemsContract = {
  create: endpoint('POST /campaign-changelog', {
    allow: canWriteActivityItems,
    changes: ['activity'],
    description:
      'One item for each campaign and team (`campaign-3` or 3, `team-2`). `campaignId` names a single one, and its day may be in the past.',
    body: newItemSchema,
    response: z.object({ data: z.array(activityItemSchema) }),
    success: 'Activity Log item was added successfully',
  }),
  update: endpoint('PUT /campaign-changelog/:id', {
    allow: canWriteActivityItems,
    changes: ['activity'],
    row: 'activity',
    description:
      'The note, the task and the images. Campaign and date cannot be changed. If someone else has saved the item since the `version` that was opened, returns 409 with the newer item.',
    body: itemUpdateSchema,
    response: activityItemSchema,
    conflict: { item: activityItemSchema },
    success: 'Activity Log item was updated successfully',
  }),
  remove: endpoint('DELETE /campaign-changelog/:id', {
    allow: canWriteActivityItems,
    changes: ['activity'],
    row: 'activity',
    confirm: 'Are you sure to remove this item?',
    success: 'Activity Log item was deleted successfully',
  }),
}
