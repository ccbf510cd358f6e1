import { sql } from 'drizzle-orm'
import type { House } from '#core/app-context.ts'
import type { Db } from '#core/db/db.ts'
import { listCalls } from '#integrations/callrail/api.ts'
import { callRailReconciliation } from '../schema.ts'
import { type Compared, compare } from './compare.ts'
import { NoAnswer, type Patience, Patiently, usualPatience } from './retrying-list.ts'

export type Run = Compared & { outcome: (typeof callRailReconciliation.$inferSelect)['outcome']; error: string | null }

const aDay = 86_400_000
/** How far the first run looks back. */
const firstRun = 7 * aDay
/** After a longer gap the rest is for the CSV import. */
const longestGap = 90 * aDay
/** Looked at again by every run: who is still talking is listed but not over, and recordings come later. */
const overlap = aDay

/**
 * Compares CallRail's list of calls with what the hooks told of, a day at a time, from where the last run came to until now. Each
 * day that is through moves the mark, so that a run that breaks off is no loss. Nothing is asked inside a transaction.
 */
export async function reconcile({ db, settings }: House, patience: Patience = usualPatience): Promise<Run> {
  const now = new Date()
  const total = { seen: 0, stored: 0, foreign: 0 }
  const patiently = new Patiently(patience)
  try {
    for (let from = await start(db, now); from < now; ) {
      const left = now.getTime() - from.getTime()
      const to = left < 1.5 * aDay ? now : new Date(from.getTime() + aDay) // a day and an hour are one question
      for (let page = 1, pages = 1; page <= pages; page++) {
        const listed = await patiently.ask(() => listCalls(settings, { from, to, page }, never, patiently.limit))
        pages = listed.pages
        const compared = await compare(db, listed.calls, now)
        for (const count of ['seen', 'stored', 'foreign'] as const) total[count] += compared[count]
      }
      await remember(db, { ran_at: now, until: to, outcome: 'done', error: null })
      from = to
    }
    return { ...total, outcome: 'done', error: null }
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error
    const { outcome, message } = error
    await remember(db, { ran_at: now, outcome, error: message.slice(0, 500) })
    return { ...total, outcome, error: message }
  }
}

const never = new AbortController().signal

async function start(db: Db, now: Date): Promise<Date> {
  const [last] = await db.select({ until: callRailReconciliation.until }).from(callRailReconciliation)
  if (!last?.until) return new Date(now.getTime() - firstRun)
  return new Date(Math.max(last.until.getTime() - overlap, now.getTime() - longestGap))
}

/** The mark never goes back: a day that is looked at again was through before. */
async function remember(db: Db, row: typeof callRailReconciliation.$inferInsert): Promise<void> {
  await db
    .insert(callRailReconciliation)
    .values(row)
    .onConflictDoUpdate({
      target: callRailReconciliation.id,
      set: { ...row, until: sql`greatest(excluded.until, callrail_reconciliation.until)` },
    })
}
