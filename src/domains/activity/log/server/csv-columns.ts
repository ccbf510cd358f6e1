import type { CsvFile } from '#core/csv/csv-stream.ts'
import type { ActivityItem } from '#domains/activity/contract.ts'
import { activityLogColumnTitles } from '../labels.ts'

/** The columns of activity_log.csv: those of the table. An item that is not a task is neither done nor open. */
export const activityLogCsvColumns: CsvFile<ActivityItem>['columns'] = [
  { title: activityLogColumnTitles.date, cell: ({ date }) => date },
  { title: activityLogColumnTitles.campaign, cell: ({ campaign, team }) => (team ?? campaign)?.name },
  { title: activityLogColumnTitles.note, cell: ({ note }) => note },
  { title: activityLogColumnTitles.files, cell: ({ files }) => files.length },
  { title: activityLogColumnTitles.user, cell: ({ user }) => user.username },
  { title: activityLogColumnTitles.assignee, cell: ({ assignee }) => assignee?.username },
  {
    title: activityLogColumnTitles.is_done,
    cell: ({ is_task, is_done }) => (is_task ? (is_done ? 'Yes' : 'No') : null),
  },
]
