import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import type { SortName } from '#contract/field-definitions.ts'
import { flagField } from '#contract/fields.ts'
import { exportEndpoint, pagedFields } from '#contract/paged.ts'
import { canReadActivityLog } from '../allow.ts'
import { activityItemSchema } from '../contract.ts'
import { activityLogFields, activityLogFilters } from './fields.ts'

export type ActivityLogSort = SortName<typeof activityLogFields>

/** An edit and the changelog have its row too, so the row is no field (docs/decisions/025-lists-described-once.md). */
const pagedActivityLog = pagedFields(activityLogFields, {
  row: activityItemSchema,
  filters: activityLogFilters,
  sort: 'date',
  order: 'desc',
  perPage: 200,
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
