import { asc, gt, inArray, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Db } from './db.ts'

const stepSize = 2000

/**
 * Deletes the old rows that may go, in steps, from a table whose rows get their ids as they come. The first step without an old row is the
 * last one: all that follow are younger, and no index on their time is needed.
 */
export async function deleteOldRows(
  db: Db,
  table: PgTable,
  { id, isOld, mayGo }: { id: PgColumn; isOld: SQL; mayGo: SQL },
  stopping: AbortSignal,
): Promise<void> {
  let reached = 0
  while (!stopping.aborted) {
    const step = await db
      .select({ id: sql`${id}`.mapWith(Number), isOld: sql<boolean>`${isOld}`, mayGo: sql<boolean>`${mayGo}` })
      .from(table)
      .where(gt(id, reached))
      .orderBy(asc(id))
      .limit(stepSize)
    const ids = step.flatMap((row) => (row.isOld && row.mayGo ? row.id : []))
    if (ids.length > 0) await db.delete(table).where(inArray(id, ids))
    if (step.length < stepSize || !step.some((row) => row.isOld)) return
    reached = step.at(-1)!.id
  }
}
