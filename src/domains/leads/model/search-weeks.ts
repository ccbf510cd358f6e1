import { type SQL, sql } from 'drizzle-orm'
import { leadsTable } from './schema.ts'

/** The span of a query's days: `from` is included, `until` is not. */
export type TimeSpan = { from?: Date; until?: Date }

/** Seven days counted from January 1, 1970 UTC: a bucket of the search's index, not a calendar week. */
const weekMs = 604_800_000
/** In longer spans listing each week costs more than reading the leads of all years. Measured with a million leads over eight years. */
const maxWeeks = 54

/**
 * Returns the condition for the weeks of these days, spelled as in the index `leads_search`. The exact days are a separate
 * condition; this one keeps a month's search from reading the matching leads of all years.
 */
export function searchWeeksCondition({ from, until }: TimeSpan): SQL | undefined {
  if (from === undefined || until === undefined || until <= from) return undefined
  const [first, last] = [Math.floor(from.getTime() / weekMs), Math.floor(until.getTime() / weekMs)]
  if (last - first >= maxWeeks) return undefined
  const weeks = Array.from({ length: last - first + 1 }, (_, nth) => first + nth)
  return sql`array[floor(extract(epoch from ${leadsTable.occurred_at} at time zone 'UTC') / 604800)::int] && ${sql.param(weeks)}::int[]`
}
