import type { ServerPart } from '#domains/server-part.ts'
import { signalsHandlers } from './server/handlers.ts'
import { signalsJobs } from './server/jobs.ts'
import { signalsPersonalData } from './server/personal-data.ts'
import { watchesHandlers } from './watches/server/handlers.ts'

export const signalsPart: ServerPart = {
  handlers: [...signalsHandlers, ...watchesHandlers],
  jobs: signalsJobs,
  personalData: signalsPersonalData,
  withoutPeople: { 'What staff are told of': ['user_watches'] },
  encryptedColumns: [{ table: 'user_watches', column: 'webhook_url', id: 'user_id' }],
}
