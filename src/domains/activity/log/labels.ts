/** The column titles of the log and its CSV file. */
export const activityLogColumnTitles = {
  date: 'Date',
  campaign: 'Campaign or team',
  note: 'Note',
  files: 'Files',
  user: 'User',
  assignee: 'Assignee',
  is_done: 'Done',
} as const
