import { type SQL, sql } from 'drizzle-orm'
import { leadsTable } from './schema.ts'

/** What the days of a query allow: from the first instant until before the other. */
export type TimeSpan = { from?: Date; until?: Date }

/** Seven days counted from 1 January 1970 in UTC: no week of any calendar, only a drawer that the search's index sorts leads into. */
const weekMs = 604_800_000
/** For longer spans naming each week costs more than reading the words' leads of all years. Measured at a million leads over eight. */
const maxWeeks = 54

/**
 * The weeks that a search within these days can find anything in, spelt as the index `leads_search` spells them. It narrows nothing
 * by itself: the days are asked for as well. Without it a month's search reads each word's leads of all years.
 */
export function searchWeeksCondition({ from, until }: TimeSpan): SQL | undefined {
  if (from === undefined || until === undefined || until <= from) return undefined
  const [first, last] = [Math.floor(from.getTime() / weekMs), Math.floor(until.getTime() / weekMs)]
  if (last - first >= maxWeeks) return undefined
  const weeks = Array.from({ length: last - first + 1 }, (_, nth) => first + nth)
  return sql`array[floor(extract(epoch from ${leadsTable.occurred_at} at time zone 'UTC') / 604800)::int] && ${sql.param(weeks)}::int[]`
}
