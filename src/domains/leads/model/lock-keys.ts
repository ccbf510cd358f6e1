import { sql } from 'drizzle-orm'
import type { Tx } from '#core/db/db.ts'

/**
 * Locks these names until the transaction ends, in sorted order, so that two transactions cannot deadlock. Read what the lock
 * protects in a later statement, which sees what was committed during the wait.
 */
export async function lockKeys(tx: Tx, names: string[]): Promise<void> {
  if (names.length === 0) return
  const inOrder = [...new Set(names)].sort()
  await tx.execute(
    sql`select pg_advisory_xact_lock(hashtextextended(name, 0)) from unnest(${sql.param(inOrder)}::text[]) name`,
  )
}
