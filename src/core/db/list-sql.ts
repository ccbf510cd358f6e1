import { type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'

/** What lists have in common. */

type SqlValue = AnyPgColumn | SQL

/** Nulls are last either way, and the id decides between equals in the same direction. */
export function orderNullsLast(key: SqlValue, order: 'asc' | 'desc', id: SqlValue): SQL {
  const direction = sql.raw(order)
  return sql`${key} ${direction} nulls last, ${id} ${direction}`
}

/** Text as people write it comes in the order in which they would look for it. */
export const lowerSql = (column: SqlValue): SQL => sql`lower(${column})`

/** Holds this text, in capitals or not; what means something to `like` means itself. */
export const containsText = (column: SqlValue, wanted: string): SQL =>
  sql`${column} ilike ${`%${wanted.replace(/[\\%_]/g, '\\$&')}%`}`

/** ISO 8601 in UTC, as PostgreSQL writes it. */
export const isoTimestampSql = (column: AnyPgColumn) =>
  sql<string | null>`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`
