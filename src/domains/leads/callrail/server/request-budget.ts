import { and, count, eq, lte, sql } from 'drizzle-orm'
import type { Db } from '#core/db/db.ts'
import { callRailRequestsTable } from '../schema.ts'

/**
 * CallRail allows an account 1,000 requests in an hour, for everything that uses its key. Looking for new leads takes 90 of them, however
 * many companies there are: the first pages of calls and forms come first, and texts, companies and further pages share a third. History
 * may take what leaves enough for recordings.
 */
const hourlyRequests = { look: 90, more: 30, history: 800 } as const
type Purpose = keyof typeof hourlyRequests

/** Counts a request in, or returns false if there have been enough in the last hour. */
export async function takeRequest(db: Db, accountId: string, purpose: Purpose, now: Date): Promise<boolean> {
  const { account_id, purpose: of, at } = callRailRequestsTable
  const hourAgo = new Date(now.getTime() - 3_600_000)
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`callrail ${accountId}`}, 0))`)
    await tx.delete(callRailRequestsTable).where(and(eq(account_id, accountId), lte(at, hourAgo)))
    const sent = await tx
      .select({ of, count: count() })
      .from(callRailRequestsTable)
      .where(eq(account_id, accountId))
      .groupBy(of)
    const counts = new Map(sent.map((row) => [row.of, row.count]))
    const looks = (counts.get('look') ?? 0) + (counts.get('more') ?? 0)
    if (purpose !== 'history' && looks >= hourlyRequests.look) return false
    if (purpose !== 'look' && (counts.get(purpose) ?? 0) >= hourlyRequests[purpose]) return false
    await tx.insert(callRailRequestsTable).values({ account_id: accountId, purpose, at: now })
    return true
  })
}
