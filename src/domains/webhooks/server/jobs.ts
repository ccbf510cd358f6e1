import { sql } from 'drizzle-orm'
import { defineJob } from '#domains/app-context.ts'
import { webhookMessagesTable } from '../schema.ts'

const keptDays = 30

/** Removes old messages with their deliveries, because they contain personal data. */
const webhookCleanupJob = defineJob({
  name: 'webhook-cleanup',
  cron: '40 3 * * *',
  run: async ({ db }) => {
    await db
      .delete(webhookMessagesTable)
      .where(sql`state <> 'waiting' and ${webhookMessagesTable.created_at} < now() - ${keptDays} * interval '1 day'`)
  },
})

export const webhookJobs = [webhookCleanupJob]
