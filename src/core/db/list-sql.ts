import { asc, type Column, desc, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { dropApostrophes, foldText } from '#contract/fold-text.ts'

/** SQL that lists share. */

type SqlValue = AnyPgColumn | SQL

/** Returns an order with nulls last in both directions; ties are sorted by id in the same direction. */
export function orderNullsLast(key: SqlValue, order: 'asc' | 'desc', id: SqlValue): SQL {
  const direction = sql.raw(order)
  return sql`${key} ${direction} nulls last, ${id} ${direction}`
}

/** Returns the function that orders a column this way. */
export const sortDirection = (order: 'asc' | 'desc') => (order === 'asc' ? asc : desc)

/** Returns what texts are sorted by: without case, accents and kinds of apostrophes, so that Émile comes before Frank. */
export const textOrderSql = (column: SqlValue): SQL => sql`fold_text(${column})`

/** Returns the `like` pattern of texts that contain this one; wildcards are escaped. */
const likeContaining = (wanted: string): string => `%${wanted.replace(/[\\%_]/g, '\\$&')}%`

/** Returns the condition that a column contains this text, case-insensitively. */
export const containsText = (column: SqlValue, wanted: string): SQL => sql`${column} ilike ${likeContaining(wanted)}`

/** Returns the `like` pattern of texts, as `fold_search` makes them, that contain this one: `foldSearch` says what makes no difference. */
export const likeFolded = (wanted: string): string =>
  likeContaining(dropApostrophes(foldText(wanted))).replace(/[ -]/g, '_')

/** Returns the condition that a column contains this text however it is spelled. */
export const containsFolded = (column: SqlValue, wanted: string): SQL =>
  sql`fold_search(${column}) like ${likeFolded(wanted)}`

/** Formats an instant as `isoTimestampSql` does. */
export const toIsoTimestamp = (instant: Date): string => `${instant.toISOString().slice(0, 19)}Z`

/** Formats a timestamp in PostgreSQL as ISO 8601 in UTC, with milliseconds, as JSON has it. */
export const isoInstantSql = (column: Column | SQL): SQL =>
  sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** Formats a timestamp in PostgreSQL as ISO 8601 in UTC, to the second. */
export const isoTimestampSql = (column: AnyPgColumn) =>
  sql<string | null>`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`
