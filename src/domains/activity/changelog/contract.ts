import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { flagField, idField, queryDate, queryIds } from '#contract/fields.ts'
import { textInstantField } from '#contract/instants.ts'
import { canReadChangelog } from '../allow.ts'
import { queryOwnerKeys } from '../campaign-or-team.ts'
import { uploadedFileSchema } from '../files/contract.ts'

/** A line of the grid: a campaign or a team, with the note next to its name. */
const changelogLineSchema = z.object({
  id: idField,
  name: z.string(),
  note: z.string(),
  type: z.enum(['campaign', 'team']),
  /** Unique, as in `GET campaigns/all?with_teams=1`. */
  key: z.string(),
})
export type ChangelogLine = z.infer<typeof changelogLineSchema>

/** An item in its cell; rarely used fields are optional. */
const changelogEntrySchema = z.object({
  id: idField,
  note: z.string(),
  created_at: textInstantField,
  user: z.object({ username: z.string() }),
  version: z.int(),
  is_task: z.literal(1).optional(),
  is_done: flagField.optional(),
  assignee_id: idField.optional(),
  /** 1 if reports show the item to the client, else absent. */
  client_may_read: flagField.optional(),
  files: z.array(uploadedFileSchema).optional(),
})
export type ChangelogEntry = z.infer<typeof changelogEntrySchema>

const entryCountSchema = z.int().min(0)
const changelogDaySchema = z.object({ total: entryCountSchema, data: z.array(changelogEntrySchema) })

export const changelogFilters = { from: queryDate, to: queryDate, user_ids: queryIds, campaign_ids: queryOwnerKeys }

/** No paged list: a grid of days and the entries of one day (docs/decisions/025-lists-described-once.md). */
export const changelogContract = {
  grid: endpoint('GET /campaign-changelog', {
    allow: canReadChangelog,
    reads: ['activity'],
    description:
      'Items by campaign and day. `days_list` has every day of the range; `changelogs_by_campaign` a campaign under its id and a team under its key.',
    query: z.object({ ...changelogFilters, cache: z.unknown().optional() }),
    response: z.object({
      total_changelog_count: entryCountSchema,
      days_list: z.record(z.string(), z.object({ total: entryCountSchema })),
      sticky_campaigns: z.array(changelogLineSchema),
      campaigns: z.array(changelogLineSchema),
      teams: z.array(changelogLineSchema),
      changelogs_by_campaign: z.record(z.string(), z.object({ data: z.record(z.string(), changelogDaySchema) })),
    }),
  }),
}
export type ChangelogQuery = z.output<(typeof changelogContract.grid)['query']>
