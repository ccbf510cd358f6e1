import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { flag, id, queryDate, queryIds } from '#contract/fields.ts'
import { readsChangelog } from '../allow.ts'
import { queryCampaignsAndTeams } from '../campaign-or-team.ts'
import { uploadedFile } from '../files/contract.ts'

/** A line of the grid: a campaign or a team, with the note that stands beside its name. */
const line = z.object({
  id,
  name: z.string(),
  note: z.string(),
  type: z.enum(['campaign', 'team']),
  /** No other line has it, as in `GET campaigns/all?with_teams=1`. */
  key: z.string(),
})
export type ChangelogLine = z.infer<typeof line>

/** An item in its cell; what most of them do not have is not there. */
const entry = z.object({
  id,
  note: z.string(),
  created_at: z.string(),
  user: z.object({ username: z.string() }),
  version: z.int(),
  is_task: z.literal(1).optional(),
  is_done: flag.optional(),
  assignee_id: id.optional(),
  files: z.array(uploadedFile).optional(),
})
export type ChangelogEntry = z.infer<typeof entry>

const total = z.int().min(0)
const day = z.object({ total, data: z.array(entry) })

const filters = { from: queryDate, to: queryDate, user_ids: queryIds, campaign_ids: queryCampaignsAndTeams }

export const changelog = {
  grid: endpoint('GET /campaign-changelog', {
    allow: readsChangelog,
    about:
      'Items by campaign and day. `days_list` has every day of the range; `changelogs_by_campaign` a campaign under its id and a team under its key.',
    query: z.object({ ...filters, cache: z.unknown().optional() }),
    answers: z.object({
      total_changelog_count: total,
      days_list: z.record(z.string(), z.object({ total })),
      sticky_campaigns: z.array(line),
      campaigns: z.array(line),
      teams: z.array(line),
      changelogs_by_campaign: z.record(z.string(), z.object({ data: z.record(z.string(), day) })),
    }),
  }),
}
export const changelogFilters = filters
export type ChangelogQuery = z.output<(typeof changelog.grid)['query']>
