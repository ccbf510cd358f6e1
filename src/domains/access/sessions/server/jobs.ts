import { lt, sql } from 'drizzle-orm'
import { deleteOldAnswers } from '#core/http/idempotency.ts'
import { sessionsTable } from '#domains/access/schema.ts'
import { defineJob } from '#domains/app-context.ts'

/**
 * Removes the sessions that have expired: they open nothing, but have addresses and browsers of people. With them go the answers that
 * no one will ask for again.
 */
export const sessionCleanupJob = defineJob({
  name: 'session-cleanup',
  cron: '35 3 * * *',
  run: async ({ db }) => {
    await db.delete(sessionsTable).where(lt(sessionsTable.expires_at, sql`now()`))
    await deleteOldAnswers(db)
  },
})
