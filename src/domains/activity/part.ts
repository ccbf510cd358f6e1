import type { ServerPart } from '#domains/server-part.ts'
import { changelogHandlers } from './changelog/server/handlers.ts'
import { filesHandlers } from './files/server/handlers.ts'
import { filesJobs } from './files/server/jobs.ts'
import { activityLogContract } from './log/contract.ts'
import { activityLogHandlers } from './log/server/handlers.ts'
import { activityItemsHandlers } from './server/handlers.ts'
import { activityPersonalData } from './server/personal-data.ts'

export const activityPart: ServerPart = {
  handlers: [...activityItemsHandlers, ...activityLogHandlers, ...changelogHandlers, ...filesHandlers],
  jobs: filesJobs,
  tables: ['activity-log'],
  savedViews: { activity: activityLogContract.list },
  personalData: activityPersonalData,
  withoutPeople: { 'An uploaded image: a key, a type and a size': ['files'] },
}
