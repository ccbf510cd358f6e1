import { defineFields } from '#contract/field-definitions.ts'
import { queryDate } from '#contract/fields.ts'
import { byAnyOf, byCheck, byIds, byQuery } from '#contract/filter-definitions.ts'
import { queryOwnerKeys } from '../campaign-or-team.ts'

/** The columns of the log and its file. Its row is the item that the changelog has too, built as JSON by PostgreSQL. */
export const activityLogFields = defineFields({
  date: { kind: 'date', label: 'Date', column: { width: 112 }, sort: true },
  campaign: { kind: 'custom', label: 'Campaign or team', column: { width: 190 }, sort: true },
  note: { kind: 'longText', label: 'Note', column: true, sort: true },
  files: { kind: 'custom', label: 'Files', column: { width: 96 } },
  user: { kind: 'custom', label: 'User', column: { width: 96 }, sort: true },
  assignee: { kind: 'custom', label: 'Assignee', column: { width: 108 }, sort: true },
  /** An item that is not a task is neither done nor open. */
  is_done: { kind: 'custom', label: 'Done', column: { width: 68 }, sort: true },
})

export const activityLogFilters = {
  from: byQuery(queryDate),
  to: byQuery(queryDate),
  campaign_ids: byAnyOf(queryOwnerKeys, { label: 'Campaigns and teams' }),
  /** Authors or assignees. */
  user_ids: byIds({ label: 'Admin users' }),
  /** The caller's own tasks. */
  my_tasks: byCheck({ label: 'My tasks' }),
}
