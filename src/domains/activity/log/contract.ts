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
    /** Of whoever wrote an item, or has to do it. */
    user_ids: queryIds,
    /** Tasks of whoever asks. */
    my_tasks: queryCheckbox,
  },
})
export type ActivityLogQuery = z.output<typeof pagedActivityLog.query>

export const activityLogContract = {
  list: endpoint('GET /activity-log', {
    allow: canReadActivityLog,
    description:
      'Items of the campaigns one may see, and of all teams. `campaign_ids` takes both: `campaign-3` or 3, `team-2`.',
    ...pagedActivityLog,
  }),
  csv: exportEndpoint('GET /activity-log/export', {
    allow: canReadActivityLog,
    query: pagedActivityLog.query,
    file: 'activity_log.csv',
  }),
  toggleStatus: endpoint('POST /activity-log/:id/toggle-status', {
    allow: canReadActivityLog,
    description:
      'A task is done, or not any more. `is_done` says which, so that a retry does not flip back; without it, it flips.',
    body: z.object({ is_done: flagField.optional() }).optional(),
    response: activityItemSchema,
    success: 'State changed successfully',
  }),
}
