import { type SQL, sql } from 'drizzle-orm'
import { campaignsTable } from '../schema.ts'

/**
 * This month's target in SQL, so that it sorts and sums there: by whole months since the start, the initial target, then
 * the 3, 6, 9 and 12 month one; a missing one falls back to the one before it. Today is the agency's, and a month that
 * began on a 31st ends with the last day of a shorter one.
 */
export const currentTargetSql = (zone: string): SQL<number> =>
  targetOnDaySql(sql`(now() at time zone ${zone}::text)::date`)

/** The same on another day, an expression of type date. */
export function targetOnDaySql(day: SQL): SQL<number> {
  const from = (months: number, target: unknown) =>
    sql`case when ${day} >= ${campaignsTable.start_date} + ${sql.raw(`interval '${months} months'`)} then ${target} end`
  return sql<number>`coalesce(
    ${from(12, campaignsTable.month_12_target)}, ${from(9, campaignsTable.month_9_target)}, ${from(6, campaignsTable.month_6_target)},
    ${from(3, campaignsTable.month_3_target)}, ${campaignsTable.initial_target})`
}
