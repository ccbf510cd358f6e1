import { type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'

/** What lists have in common. */

type Value = AnyPgColumn | SQL

/** Nulls are last either way, and the id decides between equals in the same direction. */
export function ordered(key: Value, order: 'asc' | 'desc', id: Value): SQL {
  const direction = sql.raw(order)
  return sql`${key} ${direction} nulls last, ${id} ${direction}`
}

/** Text as people write it comes in the order in which they would look for it. */
export const folded = (column: Value): SQL => sql`lower(${column})`

/** Holds this text, in capitals or not; what means something to `like` means itself. */
export const contains = (column: Value, wanted: string): SQL =>
  sql`${column} ilike ${`%${wanted.replace(/[\\%_]/g, '\\$&')}%`}`
