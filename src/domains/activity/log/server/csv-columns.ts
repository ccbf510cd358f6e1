import { buildCsvColumns } from '#core/csv/field-csv.ts'
import type { ActivityItem } from '#domains/activity/contract.ts'
import { activityLogFields } from '../fields.ts'

/** The columns of activity_log.csv: those of the table. */
export const activityLogCsvColumns = buildCsvColumns<typeof activityLogFields, ActivityItem>(activityLogFields, {
  campaign: ({ campaign, team }) => (team ?? campaign)?.name,
  files: ({ files }) => files.length,
  user: ({ user }) => user.username,
  assignee: ({ assignee }) => assignee?.username,
  is_done: ({ is_task, is_done }) => (is_task ? (is_done ? 'Yes' : 'No') : null),
})
