import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { date, flag, id, required } from '#contract/fields.ts'
import { writesItems } from './allow.ts'
import { campaignOrTeam, campaignsAndTeams } from './campaign-or-team.ts'
import { uploadedFile } from './files/contract.ts'

const named = z.object({ id, name: z.string() })
const person = z.object({ id, username: z.string() })

/** An item as the activity log lists it. */
export const activityItem = z.object({
  id,
  date: z.string(),
  /** Who wrote it. */
  user: person,
  campaign_id: id.nullable(),
  team_id: id.nullable(),
  campaign: named.nullable(),
  team: named.nullable(),
  assignee: person.nullable(),
  assignee_id: id.nullable(),
  /** Whom to ask about it: whoever does the task, else whoever wrote it. */
  responsible_user_id: id,
  is_task: flag,
  is_done: flag,
  note: z.string(),
  files: z.array(uploadedFile),
  created_at: z.string(),
  version: z.int(),
})
export type ActivityItem = z.infer<typeof activityItem>

// ——— the form ———

const noPlace = 'Please select campaign of team'
export const noAssignee = 'Please select admin user'
const noDate = 'Please pick a date'
const stillUploading = 'Please wait until every image is uploaded'

const idOf = (file: unknown) => (typeof file === 'object' && file !== null && 'id' in file ? file.id : file)
/** Ids of uploads; objects with an id are taken too. A form holds a negative one as long as an image is under way. */
const images = z.preprocess(
  (list) => (Array.isArray(list) ? list.map(idOf) : list),
  z
    .array(z.int('Not an image').min(1, stillUploading).max(2_147_483_647, 'Not an image'), 'Not a list of images')
    .max(20, 'At most 20 images')
    .transform((ids) => [...new Set(ids)]),
)

const fields = {
  campaign_ids: campaignsAndTeams(noPlace),
  date: date(noDate),
  note: required('Please input your note', 10_000),
  is_task: flag,
  assignee_id: id.nullish(),
  files: images,
}

type Asked = { is_task?: unknown; assignee_id?: unknown }
const hasAssignee = ({ is_task, assignee_id }: Asked) => !(is_task === 1 || is_task === true) || Boolean(assignee_id)
/** Asked together with the fields, not after them: a form says everything that is missing at once. No form at all is asked nothing. */
const always = { when: ({ value }: { value: unknown }) => typeof value === 'object' && value !== null }

const createBody = z
  .strictObject({
    id: z.null().optional(),
    campaign_ids: fields.campaign_ids.optional(),
    /** One campaign or team: what a cell of the changelog sends. Its day may be long ago, as the days of the grid are. */
    campaignId: campaignOrTeam(noPlace).nullish(),
    date: fields.date,
    note: fields.note,
    is_task: fields.is_task.default(0),
    assignee_id: fields.assignee_id,
    files: fields.files.default([]),
  })
  .refine(({ campaign_ids, campaignId }) => Boolean(campaignId) || (campaign_ids ?? []).length > 0, {
    path: ['campaign_ids'],
    error: noPlace,
    ...always,
  })
  .refine(hasAssignee, { path: ['assignee_id'], error: noAssignee, ...always })
export type NewItem = z.output<typeof createBody>

/** What is not sent stays as it is. Whose it is and its day may be sent, and must be what they were. */
const updateBody = z
  .strictObject({
    id: id.optional(),
    campaign_ids: fields.campaign_ids.optional(),
    campaignId: campaignOrTeam(noPlace).nullish(),
    date: fields.date.optional(),
    note: fields.note,
    is_task: fields.is_task.optional(),
    assignee_id: fields.assignee_id,
    files: fields.files.optional(),
    /** The version that was opened; without it the last writer wins. */
    version: z.int().min(1).optional(),
  })
  .refine(({ is_task, assignee_id }) => assignee_id === undefined || hasAssignee({ is_task, assignee_id }), {
    path: ['assignee_id'],
    error: noAssignee,
    ...always,
  })
export type ItemChanges = z.output<typeof updateBody>

/** What a 409 of `update` carries: the item as somebody else has saved it meanwhile. */
export const newerItem = z.object({ item: activityItem })

export const activityItems = {
  create: endpoint('POST /campaign-changelog', {
    allow: writesItems,
    about:
      'One item for each campaign and team (`campaign-3` or 3, `team-2`). `campaignId` names a single one, and its day may be long ago.',
    body: createBody,
    answers: z.object({ data: z.array(activityItem) }),
    says: 'Activity Log item was added successfully',
  }),
  update: endpoint('PUT /campaign-changelog/:id', {
    allow: writesItems,
    about:
      'The note, the task and the images. Campaign and date cannot be changed. With the `version` that was opened, an item that somebody else has saved meanwhile answers 409 and the newer item.',
    body: updateBody,
    answers: activityItem,
    says: 'Activity Log item was updated successfully',
  }),
  remove: endpoint('DELETE /campaign-changelog/:id', {
    allow: writesItems,
    asks: 'Are you sure to remove this item?',
    says: 'Activity Log item was deleted successfully',
  }),
}
