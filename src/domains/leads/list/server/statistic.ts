import { type SQL, sql } from 'drizzle-orm'
import type { DbOrTx } from '#core/db/db.ts'
import type { CurrentUser } from '#domains/access/public.ts'
import {
  type BadgeFilterName,
  checkFilterList,
  choiceFilterList,
  type FacetTest,
  testChoice,
} from '#domains/leads/filters.ts'
import { facetCondition, ratingFromFacets } from '#domains/leads/model/facets.ts'
import type { LeadMatch } from '#domains/leads/model/filter.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'

/**
 * Returns the badges as the JSON of the response. The leads are read once, grouped by their facets; a group that fails no
 * filter counts for every badge, one that fails exactly one counts for that filter's own badges only.
 */
export async function readLeadStatistic(db: DbOrTx, me: CurrentUser, { base, tests }: LeadMatch): Promise<string> {
  const active = Object.entries(tests)
  const failed = active.map(
    ([, test], bit) => sql`case when ${facetCondition(test, facetsColumn)} then 0 else ${powerOfTwo(bit)} end`,
  )
  /** Of the groups that a filter's own badges look at, those that pass the badge's test. */
  const among = (filter: BadgeFilterName, test: FacetTest) => {
    const bit = active.findIndex(([name]) => name === filter)
    const others = bit === -1 ? sql`failed = 0` : sql`failed in (0, ${powerOfTwo(bit)})`
    return sql`filter (where ${others} and ${facetCondition(test, facetsColumn)})`
  }
  const count = (filter: BadgeFilterName, test: FacetTest) => sql`coalesce(sum(alike.number) ${among(filter, test)}, 0)`
  const valueCounts = ([name, { values }]: (typeof choiceFilterList)[number]) =>
    jsonObject(values.map((value) => [value, count(name, testChoice(name, value))]))
  const badgeValue = ([name, { test, sumOf, averageOf }]: (typeof checkFilterList)[number]) => {
    if (sumOf) return sql`coalesce(sum(alike.${sql.identifier(sumOf)}) ${among(name, test)}, 0)`
    if (!averageOf) return count(name, test)
    return sql`round(sum(alike.number * ${ratingFromFacets(facetsColumn)}) ${among(name, test)}
      / sum(alike.number) ${among(name, test)}, 2)`
  }
  const badges: [string, SQL][] = [
    ...choiceFilterList
      .filter(([, { forAdmins }]) => me.isAdmin || !forAdmins)
      .map((choice): [string, SQL] => [choice[1].badge, valueCounts(choice)]),
    ...checkFilterList.map((check): [string, SQL] => [check[1].badge, badgeValue(check)]),
  ]
  const found = await db.execute<{ json: string }>(sql`
    select ${jsonObject(badges)}::text as json
    from (
      select ${leadsTable.facets}, count(*) as number, 
        sum(${leadsTable.client_value}) as client_value, sum(${leadsTable.client_profit}) as client_profit
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
