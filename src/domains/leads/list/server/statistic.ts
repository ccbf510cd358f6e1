import { type SQL, sql } from 'drizzle-orm'
import type { DbOrTx } from '#core/db/db.ts'
import type { CurrentUser } from '#domains/access/public.ts'
import type { LeadStatistic } from '#domains/leads/contract.ts'
import { answeringStatuses, type CheckFilterName, leadTypes, trafficSources } from '#domains/leads/labels.ts'
import {
  checkFilterTests,
  type FacetTest,
  type FacetTests,
  facetCondition,
  radioFilterTests,
  ratingFromFacets,
} from '#domains/leads/model/facets.ts'
import type { LeadMatch } from '#domains/leads/model/filter.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'

type FacetFilter = keyof FacetTests
type StatisticColumns = { [Name in keyof LeadStatistic]: SQL }

/**
 * The badges, as the JSON that is answered. The leads are read once, grouped by how they look to the filters; a group that
 * fails no filter counts everywhere, one that fails exactly one counts for that filter's own badges only.
 */
export async function readLeadStatistic(db: DbOrTx, me: CurrentUser, { base, tests }: LeadMatch): Promise<string> {
  const active = Object.entries(tests)
  const failed = active.map(
    ([, test], bit) => sql`case when ${facetCondition(test, facetsColumn)} then 0 else ${powerOfTwo(bit)} end`,
  )
  /** Of the groups that a filter's own badges look at, those that pass the badge's test. */
  const among = (filter: FacetFilter, test: FacetTest) => {
    const bit = active.findIndex(([name]) => name === filter)
    const others = bit === -1 ? sql`failed = 0` : sql`failed in (0, ${powerOfTwo(bit)})`
    return sql`filter (where ${others} and ${facetCondition(test, facetsColumn)})`
  }
  const count = (filter: FacetFilter, test: FacetTest) => sql`coalesce(sum(alike.number) ${among(filter, test)}, 0)`
  const checked = (check: CheckFilterName) => count(check, checkFilterTests[check])
  const total = (check: CheckFilterName, what: SQL) =>
    sql`coalesce(sum(${what}) ${among(check, checkFilterTests[check])}, 0)`
  const radios = <Value extends string>(
    filter: FacetFilter,
    values: readonly Value[],
    test: (value: Value) => FacetTest,
  ) => jsonObject(values.map((value) => [value, count(filter, test(value))]))

  const badges: StatisticColumns = {
    countByType: radios('lead_type', leadTypes, radioFilterTests.lead_type),
    countByAnsweringStatus: radios('answering_status', answeringStatuses, radioFilterTests.answering_status),
    countByClientProgress: radios('client_progress', ['1', '2', '3', '4', '5'], radioFilterTests.client_progress),
    ...(me.isAdmin && { countBySource: radios('source', trafficSources, radioFilterTests.source) }),
    confirmedCount: checked('confirmed'),
    unmarkedCount: checked('unmarked'),
    firstCallCount: checked('first_call'),
    voiceMailCount: checked('voicemail'),
    voiceMailIssuesCount: checked('voicemail_issues'),
    totalValue: total('value', sql`alike.value`),
    totalProfit: total('profit', sql`alike.profit`),
    totalWonValue: total('won_value', sql`alike.value`),
    totalWonProfit: total('won_profit', sql`alike.profit`),
    averageRating: sql`round(sum(alike.number * ${ratingFromFacets(facetsColumn)}) ${among('rating', checkFilterTests.rating)}
      / sum(alike.number) ${among('rating', checkFilterTests.rating)}, 2)`,
    noFeedbackCount: checked('no_feedback'),
    notRatedCount: checked('not_rated'),
  }
  const found = await db.execute<{ json: string }>(sql`
    select ${jsonObject(Object.entries(badges))}::text as json
    from (
      select ${leadsTable.facets}, count(*) as number, sum(${leadsTable.client_value}) as value, sum(${leadsTable.client_profit}) as profit
      from ${leadsTable} where ${base} group by ${leadsTable.facets}
    ) alike, lateral (select ${sql.join([sql`0`, ...failed], sql` + `)} as failed) judged`)
  return found.rows[0]!.json
}

const facetsColumn = sql`alike.facets`
const powerOfTwo = (bit: number) => sql.raw(String(1 << bit))
const jsonObject = (entries: [string, SQL][]) =>
  sql`json_build_object(${sql.join(
    entries.map(([name, value]) => sql`${name}::text, ${value}`),
    sql`, `,
  )})`
