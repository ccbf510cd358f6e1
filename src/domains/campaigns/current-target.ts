import { type SQL, sql } from 'drizzle-orm'
import { campaigns } from './table.ts'

/**
 * This month's target in SQL, so that it sorts and sums there: by whole months since the start, the initial target, then
 * the 3, 6, 9 and 12 month one; a missing one falls back to the one before it. Months are counted in the agency's zone.
 */
export function currentTarget(zone: string): SQL<number> {
  const age = sql`age((now() at time zone ${zone})::date, ${campaigns.start_date})`
  const months = sql`(extract(year from ${age}) * 12 + extract(month from ${age}))`
  const from = (month: number, target: unknown) =>
    sql`case when ${months} >= ${sql.raw(String(month))} then ${target} end`
  return sql<number>`coalesce(
    ${from(12, campaigns.month_12_target)}, ${from(9, campaigns.month_9_target)}, ${from(6, campaigns.month_6_target)},
    ${from(3, campaigns.month_3_target)}, ${campaigns.initial_target})`
}
