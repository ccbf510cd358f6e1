import { sql } from 'drizzle-orm'
import type { Queries } from '#server/db.ts'
import type { LeadStatistic } from './contract.ts'
import { answeringStatusOf, checkTests, passes, progressOf, ratingOf, sourceOf, type Tests, typeOf } from './facets.ts'
import type { Matching } from './matching.ts'
import { leads } from './table.ts'
import { answeringStatuses, type Check, leadTypes, sources } from './words.ts'

/** How many leads look alike to every filter, and what they are worth together, in cents. */
type Alike = { facets: number; count: number; value: bigint; profit: bigint }

/**
 * The badges. The leads are scanned once, grouped by how they look to the filters; a group that fails no filter counts
 * everywhere, one that fails exactly one counts for that filter's own badges only.
 */
export async function statistic(db: Queries, { base, tests }: Matching): Promise<LeadStatistic> {
  const found = await db.execute<{ facets: number; count: number; value: string; profit: string }>(sql`
    select ${leads.facets}, count(*)::int as count,
      coalesce(sum(${leads.client_value}) * 100, 0)::bigint as value,
      coalesce(sum(${leads.client_profit}) * 100, 0)::bigint as profit
    from ${leads} where ${base} group by ${leads.facets}`)
  return fold(
    found.rows.map((row) => ({ ...row, value: BigInt(row.value), profit: BigInt(row.profit) })),
    tests,
  )
}

export function fold(groups: Alike[], tests: Tests): LeadStatistic {
  const filters = Object.entries(tests)
  const counts = { type: zeros(leadTypes), status: zeros(answeringStatuses), progress: zeros(progressKeys) }
  const bySource = zeros(sources)
  const checked = zeros(Object.keys(checkTests) as Check[])
  let [value, profit, wonValue, wonProfit] = [0n, 0n, 0n, 0n]
  let stars = 0

  for (const group of groups) {
    const { facets, count } = group
    const failed = filters.filter(([, test]) => !passes(facets, test)).map(([name]) => name)
    if (failed.length > 1) continue
    const countsFor = (filter: keyof Tests) => failed.length === 0 || failed[0] === filter
    const add = <Key extends string>(to: Record<Key, number>, key: Key | undefined) => {
      if (key !== undefined) to[key] += count
    }
    if (countsFor('lead_type')) add(counts.type, typeOf(facets))
    if (countsFor('answering_status')) add(counts.status, answeringStatusOf(facets))
    if (countsFor('client_progress')) add(counts.progress, progressKeys[progressOf(facets) - 1])
    if (countsFor('source')) add(bySource, sourceOf(facets))
    for (const [check, test] of checkEntries) {
      if (!countsFor(check) || !passes(facets, test)) continue
      checked[check] += count
      if (check === 'value') value += group.value
      if (check === 'profit') profit += group.profit
      if (check === 'won_value') wonValue += group.value
      if (check === 'won_profit') wonProfit += group.profit
      if (check === 'rating') stars += count * ratingOf(facets)
    }
  }

  return {
    countByType: counts.type,
    countByAnsweringStatus: counts.status,
    countByClientProgress: counts.progress,
    countBySource: bySource,
    confirmedCount: checked.confirmed,
    unmarkedCount: checked.unmarked,
    firstCallCount: checked.first_call,
    voiceMailCount: checked.voicemail,
    voiceMailIssuesCount: checked.voicemail_issues,
    totalValue: dollars(value),
    totalProfit: dollars(profit),
    totalWonValue: dollars(wonValue),
    totalWonProfit: dollars(wonProfit),
    averageRating: checked.rating === 0 ? null : Math.round((stars * 100) / checked.rating) / 100,
    noFeedbackCount: checked.no_feedback,
    notRatedCount: checked.not_rated,
  }
}

const progressKeys = ['1', '2', '3', '4', '5'] as const
const checkEntries = Object.entries(checkTests) as [Check, (typeof checkTests)[Check]][]
const zeros = <Key extends string>(keys: readonly Key[]) =>
  Object.fromEntries(keys.map((key) => [key, 0])) as Record<Key, number>
const dollars = (cents: bigint) => Number(cents) / 100
