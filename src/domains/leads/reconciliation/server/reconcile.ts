import { sql } from 'drizzle-orm'
import { msPerDay } from '#contract/days.ts'
import type { Db } from '#core/db/db.ts'
import type { AppContext } from '#domains/app-context.ts'
import { listCalls } from '#integrations/callrail/api.ts'
import { callRailReconciliationTable } from '../schema.ts'
import { type ReconcileCounts, storeMissingCalls } from './compare.ts'
import { CallRailUnavailable, defaultRetryPolicy, RetryingClient, type RetryPolicy } from './retrying-list.ts'

export type ReconcileResult = ReconcileCounts & {
  outcome: (typeof callRailReconciliationTable.$inferSelect)['outcome']
  error: string | null
}

/** How far the first run looks back. */
const firstRunMs = 7 * msPerDay
/** After a longer gap the rest is for the CSV import. */
const maxGapMs = 90 * msPerDay
/** Looked at again by every run: who is still talking is listed but not over, and recordings come later. */
const overlapMs = msPerDay

/**
 * Compares CallRail's list of calls with what the hooks told of, a day at a time, from where the last run came to until now. Each
 * day that is through moves the mark, so that a run that breaks off is no loss. Nothing is asked inside a transaction.
 */
export async function reconcileCallRail(
  { db, settings }: AppContext,
  patience: RetryPolicy = defaultRetryPolicy,
): Promise<ReconcileResult> {
  const now = new Date()
  const total = { seen: 0, stored: 0, foreign: 0 }
  const patiently = new RetryingClient(patience)
  try {
    for (let from = await findStartTime(db, now); from < now; ) {
      const left = now.getTime() - from.getTime()
      const to = left < 1.5 * msPerDay ? now : new Date(from.getTime() + msPerDay) // a day and an hour are one question
      for (let page = 1, pages = 1; page <= pages; page++) {
        const listed = await patiently.ask(() => listCalls(settings, { from, to, page }, neverAborted, patiently.limit))
        pages = listed.pages
        const compared = await storeMissingCalls(db, listed.calls, now)
        for (const count of ['seen', 'stored', 'foreign'] as const) total[count] += compared[count]
      }
      await saveReconciliation(db, { ran_at: now, until: to, outcome: 'done', error: null })
      from = to
    }
    return { ...total, outcome: 'done', error: null }
  } catch (error) {
    if (!(error instanceof CallRailUnavailable)) throw error
    const { outcome, message } = error
    await saveReconciliation(db, { ran_at: now, outcome, error: message.slice(0, 500) })
    return { ...total, outcome, error: message }
  }
}

const neverAborted = new AbortController().signal

async function findStartTime(db: Db, now: Date): Promise<Date> {
  const [last] = await db.select({ until: callRailReconciliationTable.until }).from(callRailReconciliationTable)
  if (!last?.until) return new Date(now.getTime() - firstRunMs)
  return new Date(Math.max(last.until.getTime() - overlapMs, now.getTime() - maxGapMs))
}

/** The mark never goes back: a day that is looked at again was through before. */
async function saveReconciliation(db: Db, row: typeof callRailReconciliationTable.$inferInsert): Promise<void> {
  await db
    .insert(callRailReconciliationTable)
    .values(row)
    .onConflictDoUpdate({
      target: callRailReconciliationTable.id,
      set: { ...row, until: sql`greatest(excluded.until, callrail_reconciliation.until)` },
    })
}
