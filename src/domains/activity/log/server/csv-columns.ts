import type { CsvFile } from '#core/csv/csv-stream.ts'
import type { ActivityItem } from '#domains/activity/contract.ts'
import { columnTitles as titles } from '../labels.ts'

/** The columns of activity_log.csv: those of the table. What is no task is neither done nor open. */
export const columns: CsvFile<ActivityItem>['columns'] = [
  { title: titles.date, cell: ({ date }) => date },
  { title: titles.campaign, cell: ({ campaign, team }) => (team ?? campaign)?.name },
  { title: titles.note, cell: ({ note }) => note },
  { title: titles.files, cell: ({ files }) => files.length },
  { title: titles.user, cell: ({ user }) => user.username },
  { title: titles.assignee, cell: ({ assignee }) => assignee?.username },
  { title: titles.is_done, cell: ({ is_task, is_done }) => (is_task ? (is_done ? 'Yes' : 'No') : null) },
]
