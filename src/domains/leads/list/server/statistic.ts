import { type SQL, sql } from 'drizzle-orm'
import type { DbOrTx } from '#core/db/db.ts'
import type { CurrentUser } from '#domains/access/public.ts'
import {
  type BadgeFilterName,
  type CheckFilterName,
  type ChoiceFilterName,
  checkFilterList,
  choiceFilterList,
  type FacetTest,
  testChoice,
} from '#domains/leads/filters.ts'
import { facetCondition, ratingFromFacets } from '#domains/leads/model/facets.ts'
import type { LeadMatch } from '#domains/leads/model/filter.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { choiceCounterName, leadCounterNames, sumCounterName } from '#domains/leads/sums/counters.ts'
import { coverSelection, hasSumsCondition, sumsQuery } from '#domains/leads/sums/server/read-sums.ts'

/** Returns the badges as the JSON of the response. */
export async function readLeadStatistic(
  db: DbOrTx,
  { me, zone }: { me: CurrentUser; zone: string },
  match: Pick<LeadMatch, 'base' | 'tests' | 'sums'>,
): Promise<string> {
  return (await readSummedStatistic(db, { me, zone }, match)) ?? readCountedStatistic(db, me, match)
}

/** Returns null if a filter is active, since each badge would then need sums per pair of filters, or if there are no sums. */
async function readSummedStatistic(
  db: DbOrTx,
  { me, zone }: { me: CurrentUser; zone: string },
  { sums }: Pick<LeadMatch, 'sums'>,
): Promise<string | null> {
  const pieces = sums?.counter === 'total' ? coverSelection(sums.selection) : null
  if (!sums || !pieces) return null
  const counters = leadCounterNames.filter((name) => name !== 'total' && name !== 'missed')
  const sumOf = (name: string) => sql`coalesce(sum(part.${sql.identifier(name)}), 0)`
  const badges = describeBadges(me, {
    choice: (name, value) => sumOf(choiceCounterName(name, value)),
    check: (name, { sumOf: money, averageOf }) => {
      if (money) return sumOf(sumCounterName(name))
      if (!averageOf) return sumOf(name)
      return sql`round(${sumOf(sumCounterName(name))}::numeric / nullif(${sumOf(name)}, 0), 2)`
    },
  })
  const found = await db.execute<{ json: string | null }>(sql`
    select case when ${hasSumsCondition(zone)} then ${jsonObject(badges)} end::text as json
    from (${sumsQuery(sums.selection, pieces, counters, zone)}) part`)
  return found.rows[0]!.json
}

type BadgeSql = {
  choice(name: ChoiceFilterName, value: string): SQL
  check(name: CheckFilterName, filter: (typeof checkFilterList)[number][1]): SQL
}

function describeBadges(me: CurrentUser, { choice, check }: BadgeSql): [string, SQL][] {
  return [
    ...choiceFilterList
      .filter(([, { forAdmins }]) => me.isAdmin || !forAdmins)
      .map(([name, { badge, values }]): [string, SQL] => [
        badge,
        jsonObject(values.map((value) => [value, choice(name, value)])),
      ]),
    ...checkFilterList.map(([name, filter]): [string, SQL] => [filter.badge, check(name, filter)]),
  ]
}

/**
 * Reads the leads once, grouped by their facets. A group that fails no filter counts for every badge; one that fails exactly one
 * filter counts only for that filter's own badges.
 */
async function readCountedStatistic(
  db: DbOrTx,
  me: CurrentUser,
  { base, tests }: Pick<LeadMatch, 'base' | 'tests'>,
): Promise<string> {
  const active = Object.entries(tests)
  const failed = active.map(
    ([, test], bit) => sql`case when ${facetCondition(test, facetsColumn)} then 0 else ${powerOfTwo(bit)} end`,
  )
  /** Of the groups that count for a filter's own badges, those that pass the badge's test. */
  const among = (filter: BadgeFilterName, test: FacetTest) => {
    const bit = active.findIndex(([name]) => name === filter)
    const others = bit === -1 ? sql`failed = 0` : sql`failed in (0, ${powerOfTwo(bit)})`
    return sql`filter (where ${others} and ${facetCondition(test, facetsColumn)})`
  }
  const count = (filter: BadgeFilterName, test: FacetTest) => sql`coalesce(sum(alike.number) ${among(filter, test)}, 0)`
  const badges = describeBadges(me, {
    choice: (name, value) => count(name, testChoice(name, value)),
    check: (name, { test, sumOf, averageOf }) => {
      if (sumOf) return sql`coalesce(sum(alike.${sql.identifier(sumOf)}) ${among(name, test)}, 0)`
      if (!averageOf) return count(name, test)
      return sql`round(sum(alike.number * ${ratingFromFacets(facetsColumn)}) ${among(name, test)}
        / sum(alike.number) ${among(name, test)}, 2)`
    },
  })
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
