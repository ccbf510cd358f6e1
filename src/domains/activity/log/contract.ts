import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { flag, queryCheck, queryDate, queryIds } from '#contract/fields.ts'
import { listFile, paged } from '#contract/paged.ts'
import { readsLog } from '../allow.ts'
import { queryCampaignsAndTeams } from '../campaign-or-team.ts'
import { activityItem } from '../contract.ts'

const sorts = ['date', 'campaign', 'note', 'user', 'assignee', 'is_done'] as const
export type LogSort = (typeof sorts)[number]

const page = paged({
  row: activityItem,
  sorts,
  sort: 'date',
  order: 'desc',
  perPage: 200,
  filters: {
    from: queryDate,
    to: queryDate,
    campaign_ids: queryCampaignsAndTeams,
    /** Of whoever wrote an item, or has to do it. */
    user_ids: queryIds,
    /** Tasks of whoever asks. */
    my_tasks: queryCheck,
  },
})
export type LogQuery = z.output<typeof page.query>

export const activityLog = {
  list: endpoint('GET /activity-log', {
    allow: readsLog,
    about:
      'Items of the campaigns one may see, and of all teams. `campaign_ids` takes both: `campaign-3` or 3, `team-2`.',
    ...page,
  }),
  csv: listFile('GET /activity-log/export', { allow: readsLog, query: page.query, file: 'activity_log.csv' }),
  toggleStatus: endpoint('POST /activity-log/:id/toggle-status', {
    allow: readsLog,
    about:
      'A task is done, or not any more. `is_done` says which, so that a retry does not flip back; without it, it flips.',
    body: z.object({ is_done: flag.optional() }).optional(),
    answers: activityItem,
    says: 'State changed successfully',
  }),
}
