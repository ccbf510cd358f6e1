import { type SQL, sql } from 'drizzle-orm'
import type { Queries } from '#core/db/db.ts'
import type { Me } from '#domains/access/server/current-user.ts'
import type { LeadStatistic } from '#domains/leads/contract.ts'
import { answeringStatuses, type Check, leadTypes, sources } from '#domains/leads/labels.ts'
import { checkTests, condition, groups, ratingIn, type Test, type Tests } from '#domains/leads/model/facets.ts'
import type { Matching } from '#domains/leads/model/filter.ts'
import { leads } from '#domains/leads/model/schema.ts'

type Filter = keyof Tests
type Badges = { [Name in keyof LeadStatistic]: SQL }

/**
 * The badges, as the JSON that is answered. The leads are read once, grouped by how they look to the filters; a group that
 * fails no filter counts everywhere, one that fails exactly one counts for that filter's own badges only.
 */
export async function statistic(db: Queries, me: Me, { base, tests }: Matching): Promise<string> {
  const active = Object.entries(tests)
  const failed = active.map(([, test], bit) => sql`case when ${condition(test, facets)} then 0 else ${power(bit)} end`)
  /** Of the groups that a filter's own badges look at, those that pass the badge's test. */
  const among = (filter: Filter, test: Test) => {
    const bit = active.findIndex(([name]) => name === filter)
    const others = bit === -1 ? sql`failed = 0` : sql`failed in (0, ${power(bit)})`
    return sql`filter (where ${others} and ${condition(test, facets)})`
  }
  const count = (filter: Filter, test: Test) => sql`coalesce(sum(alike.number) ${among(filter, test)}, 0)`
  const checked = (check: Check) => count(check, checkTests[check])
  const total = (check: Check, what: SQL) => sql`coalesce(sum(${what}) ${among(check, checkTests[check])}, 0)`
  const radios = <Value extends string>(filter: Filter, values: readonly Value[], test: (value: Value) => Test) =>
    object(values.map((value) => [value, count(filter, test(value))]))

  const badges: Badges = {
    countByType: radios('lead_type', leadTypes, groups.lead_type),
    countByAnsweringStatus: radios('answering_status', answeringStatuses, groups.answering_status),
    countByClientProgress: radios('client_progress', ['1', '2', '3', '4', '5'], groups.client_progress),
    ...(me.isAdmin && { countBySource: radios('source', sources, groups.source) }),
    confirmedCount: checked('confirmed'),
    unmarkedCount: checked('unmarked'),
    firstCallCount: checked('first_call'),
    voiceMailCount: checked('voicemail'),
    voiceMailIssuesCount: checked('voicemail_issues'),
    totalValue: total('value', sql`alike.value`),
    totalProfit: total('profit', sql`alike.profit`),
    totalWonValue: total('won_value', sql`alike.value`),
    totalWonProfit: total('won_profit', sql`alike.profit`),
    averageRating: sql`round(sum(alike.number * ${ratingIn(facets)}) ${among('rating', checkTests.rating)}
      / sum(alike.number) ${among('rating', checkTests.rating)}, 2)`,
    noFeedbackCount: checked('no_feedback'),
    notRatedCount: checked('not_rated'),
  }
  const found = await db.execute<{ json: string }>(sql`
    select ${object(Object.entries(badges))}::text as json
    from (
      select ${leads.facets}, count(*) as number, sum(${leads.client_value}) as value, sum(${leads.client_profit}) as profit
      from ${leads} where ${base} group by ${leads.facets}
    ) alike, lateral (select ${sql.join([sql`0`, ...failed], sql` + `)} as failed) judged`)
  return found.rows[0]!.json
}

const facets = sql`alike.facets`
const power = (bit: number) => sql.raw(String(1 << bit))
const object = (entries: [string, SQL][]) =>
  sql`json_build_object(${sql.join(
    entries.map(([name, value]) => sql`${name}::text, ${value}`),
    sql`, `,
  )})`
