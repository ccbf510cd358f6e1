import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { flagField, queryCheckbox, queryDate, queryIds } from '#contract/fields.ts'
import { exportEndpoint, pagedQuery } from '#contract/paged.ts'
import { canReadActivityLog } from '../allow.ts'
import { queryOwnerKeys } from '../campaign-or-team.ts'
import { activityItemSchema } from '../contract.ts'

const activityLogSorts = ['date', 'campaign', 'note', 'user', 'assignee', 'is_done'] as const
export type ActivityLogSort = (typeof activityLogSorts)[number]

const pagedActivityLog = pagedQuery({
  row: activityItemSchema,
  sorts: activityLogSorts,
  sort: 'date',
  order: 'desc',
  perPage: 200,
  filters: {
    from: queryDate,
    to: queryDate,
    campaign_ids: queryOwnerKeys,
    /** Authors or assignees. */
    user_ids: queryIds,
    /** The caller's own tasks. */
    my_tasks: queryCheckbox,
  },
})
export type ActivityLogQuery = z.output<typeof pagedActivityLog.query>

export const activityLogContract = {
  list: endpoint('GET /activity-log', {
    allow: canReadActivityLog,
    reads: ['activity'],
    row: 'activity',
    description:
      'Items of the campaigns that the caller may see, and of all teams. `campaign_ids` takes both: `campaign-3` or 3, `team-2`.',
    ...pagedActivityLog,
  }),
  csv: exportEndpoint('GET /activity-log/export', {
    allow: canReadActivityLog,
    query: pagedActivityLog.query,
    file: 'activity_log.csv',
  }),
  toggleStatus: endpoint('POST /activity-log/:id/toggle-status', {
    allow: canReadActivityLog,
    changes: ['activity'],
    row: 'activity',
    description:
      'Marks a task done or open, as `is_done` says, so that a retry does not toggle back; without `is_done` it toggles.',
    body: z.object({ is_done: flagField.optional() }).optional(),
    response: activityItemSchema,
    success: 'State changed successfully',
  }),
}
