import { describeMentions } from '#core/erasure/personal-data.ts'
import type { ServerPart } from '#domains/server-part.ts'
import { changelogHandlers } from './changelog/server/handlers.ts'
import { filesHandlers } from './files/server/handlers.ts'
import { filesJobs } from './files/server/jobs.ts'
import { activityLogContract } from './log/contract.ts'
import { activityLogHandlers } from './log/server/handlers.ts'
import { activityItemsTable } from './schema.ts'
import { activityItemsHandlers } from './server/handlers.ts'
import { changelogImport } from './server/import-rows.ts'

export const activityPart: ServerPart = {
  handlers: [...activityItemsHandlers, ...activityLogHandlers, ...changelogHandlers, ...filesHandlers],
  jobs: filesJobs,
  tables: ['activity-log'],
  savedViews: { activity: activityLogContract.list },
  imports: { changelog: changelogImport },
  // Notes and tasks may mention a person.
  personalData: [
    describeMentions('Notes and tasks', activityItemsTable, {
      columns: ['note'],
      kept: ['author_name', 'assignee_name'],
      isVersioned: true,
    }),
  ],
  withoutPeople: { 'An uploaded image: a key, a type and a size': ['files'] },
  listRules: { activity: 'items of their campaigns, and of teams' },
}
