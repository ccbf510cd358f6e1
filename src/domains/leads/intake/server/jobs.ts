import { and, inArray, lt, sql } from 'drizzle-orm'
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

const stepSize = 2000

/** Deletes processed events that are past their retention. Events that wait for a person stay. */
export async function deleteOldEvents({ db, jobs, settings: { RETAIN_EVENTS_DAYS: days } }: AppContext): Promise<void> {
  if (days === undefined) return
  const { id, state, received_at } = inboundEventsTable
  const old = db
    .select({ id })
    .from(inboundEventsTable)
    .where(and(inArray(state, ['done', 'ignored']), lt(received_at, sql`now() - ${days} * interval '1 day'`)))
    .orderBy(id)
    .limit(stepSize)
  while (!jobs.stopping.aborted) {
    const { rowCount } = await db.delete(inboundEventsTable).where(inArray(id, old))
    if ((rowCount ?? 0) < stepSize) return
  }
}
