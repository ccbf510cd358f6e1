import { sql } from 'drizzle-orm'
import type { Tx } from '#core/db/db.ts'

/**
 * Whoever holds one of these names takes turns until their transaction ends. Always in the same order, so that two that hold several
 * do not wait for each other. What is decided by it is asked in a later statement, which sees what was committed while we waited.
 */
export async function lockKeys(tx: Tx, names: string[]): Promise<void> {
  if (names.length === 0) return
  const inOrder = [...new Set(names)].sort()
  await tx.execute(
    sql`select pg_advisory_xact_lock(hashtextextended(name, 0)) from unnest(${sql.param(inOrder)}::text[]) name`,
  )
}
