import { inArray, lt, sql } from 'drizzle-orm'
import { deleteOldRows } from '#core/db/delete-old-rows.ts'
import { type AppContext, defineJob } from '#domains/app-context.ts'
import { inboundEventsTable } from '../schema.ts'
import { processInbox } from './worker.ts'

/** A fallback: storing an event normally wakes the workers. */
const intakeSweepJob = defineJob({
  name: 'intake-sweep',
  cron: '* * * * *',
  run: async (context) => {
    await processInbox(context)
  },
})

const eventRetentionJob = defineJob({ name: 'event-retention', cron: '5 4 * * *', run: deleteOldEvents })

export const intakeJobs = [intakeSweepJob, eventRetentionJob]

/** Deletes processed events that are past their retention. Events that wait for a person stay. */
export async function deleteOldEvents({ db, jobs, settings: { RETAIN_EVENTS_DAYS: days } }: AppContext): Promise<void> {
  if (days === undefined) return
  const { id, state, received_at } = inboundEventsTable
  const isOld = lt(received_at, sql`now() - ${days} * interval '1 day'`)
  await deleteOldRows(db, inboundEventsTable, { id, isOld, mayGo: inArray(state, ['done', 'ignored']) }, jobs.stopping)
}
