import { and, eq, gt, lt, min, sql } from 'drizzle-orm'
import type { Db } from '#core/db/db.ts'
import { passwordRequestsTable } from '../schema.ts'

const maxRequestsPerHour = 30
const requestLockKey = 7_318_205 // arbitrary, but unique in this app

/** Counts a request of this address. Returns the seconds until the next request is allowed; 0 when this request may proceed. */
export const countPasswordRequest = (db: Db, address: string): Promise<number> =>
  db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${requestLockKey}, hashtext(${address}))`)
    const { at } = passwordRequestsTable
    const [recent] = await tx
      .select({
        count: sql<number>`count(*)::int`,
        seconds: sql<number>`ceil(extract(epoch from ${min(at)} + interval '1 hour' - now()))::int`,
      })
      .from(passwordRequestsTable)
      .where(and(eq(passwordRequestsTable.address, address), gt(at, sql`now() - interval '1 hour'`)))
    if (recent && recent.count >= maxRequestsPerHour) return Math.max(1, recent.seconds)
    await tx.delete(passwordRequestsTable).where(lt(at, sql`now() - interval '1 hour'`))
    await tx.insert(passwordRequestsTable).values({ address })
    return 0
  })
