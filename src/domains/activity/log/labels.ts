/** What the columns of the log and of its file are called. */
export const activityLogColumnTitles = {
  date: 'Date',
  campaign: 'Campaign or team',
  note: 'Note',
  files: 'Files',
  user: 'User',
  assignee: 'Assignee',
  is_done: 'Done',
} as const
