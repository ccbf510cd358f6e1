import type { ServerPart } from '#domains/server-part.ts'
import { messageJobs } from './server/jobs.ts'

export const messagesPart: ServerPart = {
  jobs: messageJobs,
  withoutPeople: {
    'Emails to staff and clients; their content is encrypted and removed when they were sent': ['messages'],
  },
  encryptedColumns: [{ table: 'messages', column: 'content', id: 'dedupe_key' }],
  // It may have gone out after the backup was made, so nothing is resent automatically.
  afterRestore: [
    {
      table: 'messages',
      sql: `
        update messages set state = 'uncertain', content = null, error = 'Restored from a backup; it may have been sent since'
        where state in ('queued', 'sending')`,
    },
  ],
}
