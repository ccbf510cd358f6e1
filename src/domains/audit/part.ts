import type { ServerPart } from '#domains/server-part.ts'
import { createErasuresHandlers } from './erasures/server/handlers.ts'
import { auditLogHandlers } from './server/handlers.ts'
import { auditJobs } from './server/jobs.ts'

export const auditPart: ServerPart = {
  handlers: ({ personalData }) => [...auditLogHandlers, ...createErasuresHandlers(personalData)],
  jobs: auditJobs,
  tables: ['audit', 'erasures'],
  withoutPeople: {
    'The erased people themselves, encrypted, so that a restored backup is erased from again': ['erasures'],
  },
  encryptedColumns: [{ table: 'erasures', column: 'person', id: 'list_key' }],
}
