import { type SQL, sql } from 'drizzle-orm'
import { getToday } from '#contract/days.ts'
import { campaignsTable } from '../schema.ts'

/**
 * This month's target in SQL, for sorting and sums. By whole months since the start: the initial target, then those of
 * month 3, 6, 9 and 12; a missing target falls back to the previous one. Today is in the agency's zone, and a month
 * that starts on a 31st ends on the last day of a shorter month.
 */
export const currentTargetSql = (zone: string): SQL<number> => targetOnDaySql(sql`${getToday(zone)}::date`)

/** Returns a target in whole leads: at least one, or 0 for none. */
export const roundTarget = (target: number): number => (target > 0 ? Math.max(1, Math.round(target)) : 0)

/** Returns the target on another day, an expression of type date. */
export function targetOnDaySql(day: SQL): SQL<number> {
  const from = (months: number, target: unknown) =>
    sql`case when ${day} >= ${campaignsTable.start_date} + ${sql.raw(`interval '${months} months'`)} then ${target} end`
  return sql<number>`coalesce(
    ${from(12, campaignsTable.month_12_target)}, ${from(9, campaignsTable.month_9_target)}, ${from(6, campaignsTable.month_6_target)},
    ${from(3, campaignsTable.month_3_target)}, ${campaignsTable.initial_target})`
}
