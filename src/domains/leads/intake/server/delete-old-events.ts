import { and, inArray, lt, sql } from 'drizzle-orm'
import type { AppContext } from '#domains/app-context.ts'
import { inboundEventsTable } from '../schema.ts'

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
