import { sql } from 'drizzle-orm'
import { msPerDay } from '#contract/days.ts'
import type { Db } from '#core/db/db.ts'
import type { AppContext } from '#domains/app-context.ts'
import { CallRailError, getEnvironmentAccount, listCalls, listForms } from '#integrations/callrail/api.ts'
import { callRailReconciliationTable } from '../schema.ts'
import { type ReconcileCounts, storeMissingCalls, storeMissingForms } from './compare.ts'
import { CallRailUnavailable, createRetryingClient, defaultRetryPolicy, type RetryPolicy } from './retrying-list.ts'

type ReconcileResult = ReconcileCounts & {
  outcome: (typeof callRailReconciliationTable.$inferSelect)['outcome']
  error: string | null
}

/** How far back the first run goes. */
const firstRunMs = 7 * msPerDay
/** The longest gap that a run covers; the CSV import is for older calls. */
const maxGapMs = 90 * msPerDay
/** Compared again by every run, because calls may be in progress and recordings come later. */
const overlapMs = msPerDay

/**
 * Compares CallRail's lists of calls and form submissions with what hooks reported, a day at a time, from the last run until now. Each
 * finished day moves the mark, so that an interrupted run loses nothing. No transaction is open during requests.
 */
export async function reconcileCallRail(
  { db, settings }: AppContext,
  policy: RetryPolicy = defaultRetryPolicy,
): Promise<ReconcileResult> {
  const now = new Date()
  const total = { seen: 0, stored: 0, foreign: 0 }
  const sendRequest = createRetryingClient(policy)
  const account = getEnvironmentAccount(settings)!
  const options = { limit: policy.limit }
  try {
    const start = await findStartTime(db, now)
    for (let from = start; from < now; ) {
      const left = now.getTime() - from.getTime()
      const to = left < 1.5 * msPerDay ? now : new Date(from.getTime() + msPerDay) // a day and an hour fit into one query
      for (let page = 1, pages = 1; page <= pages; page++) {
        const listed = await sendRequest(() => listCalls(account, { from, to, page }, options))
        pages = listed.pages
        const compared = await storeMissingCalls(db, listed.rows, now)
        addCounts(total, compared)
      }
      await saveReconciliation(db, { ran_at: now, until: to, outcome: 'done', error: null })
      from = to
    }
    // Few enough for one query. After a failure the next run reads those of a day again.
    for (let page = 1, pages = 1; page <= pages; page++) {
      const listed = await sendRequest(() => listTrackedForms(account, { from: start, to: now, page }, options))
      pages = listed.pages
      addCounts(total, await storeMissingForms(db, listed.rows, now))
    }
    return { ...total, outcome: 'done', error: null }
  } catch (error) {
    if (!(error instanceof CallRailUnavailable)) throw error
    const { outcome, message } = error
    await saveReconciliation(db, { ran_at: now, outcome, error: message.slice(0, 500) })
    return { ...total, outcome, error: message }
  }
}

function addCounts(total: ReconcileCounts, more: ReconcileCounts) {
  for (const count of ['seen', 'stored', 'foreign'] as const) total[count] += more[count]
}

/** An account without Form Tracking has no forms. */
const listTrackedForms: typeof listForms = async (...asked) => {
  try {
    return await listForms(...asked)
  } catch (error) {
    if (error instanceof CallRailError && [403, 404].includes(error.status ?? 0))
      return { rows: [], pages: 0, total: 0 }
    throw error
  }
}

async function findStartTime(db: Db, now: Date): Promise<Date> {
  const [last] = await db.select({ until: callRailReconciliationTable.until }).from(callRailReconciliationTable)
  if (!last?.until) return new Date(now.getTime() - firstRunMs)
  return new Date(Math.max(last.until.getTime() - overlapMs, now.getTime() - maxGapMs))
}

/** Saves the mark, which never goes back: days in the overlap are already finished. */
async function saveReconciliation(db: Db, row: typeof callRailReconciliationTable.$inferInsert): Promise<void> {
  await db
    .insert(callRailReconciliationTable)
    .values(row)
    .onConflictDoUpdate({
      target: callRailReconciliationTable.id,
      set: { ...row, until: sql`greatest(excluded.until, callrail_reconciliation.until)` },
    })
}
