import { type SQL, sql } from 'drizzle-orm'
import type { DbOrTx } from '#core/db/db.ts'
import type { CurrentUser } from '#domains/access/public.ts'
import { checkFilterList, choiceFilterList } from '#domains/leads/filters.ts'
import { facetCondition } from '#domains/leads/model/facets.ts'
import type { LeadMatch } from '#domains/leads/model/filter.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { choiceCounterName, leadCounterNames, leadCounters, sumCounterName } from '#domains/leads/sums/counters.ts'
import { addUpCounters } from '#domains/leads/sums/server/counter-sql.ts'
import { hasSumsCondition, sumsQuery } from '#domains/leads/sums/server/read-sums.ts'
import { planBadges } from './plan.ts'

/** Returns the badges as the JSON of the response. They read the same counters, from sums or from the leads. */
export async function readLeadStatistic(
  db: DbOrTx,
  { me, zone }: { me: CurrentUser; zone: string },
  match: Pick<LeadMatch, 'base' | 'tests' | 'sums'>,
): Promise<string> {
  const plan = planBadges(match)
  if (plan.way === 'scan') return (await readBadges(db, me, countLeads(match)))!
  const { selection, pieces } = plan.sums
  const json = await readBadges(db, me, sumsQuery(selection, pieces, badgeCounters, zone), hasSumsCondition(zone))
  return json ?? readLeadStatistic(db, { me, zone }, { ...match, sums: null }) // there are no sums while they are being built
}

const badgeCounters = leadCounterNames.filter((name) => name !== 'total' && name !== 'missed')

/** Adds up rows of counters. Returns null if the condition does not hold. */
async function readBadges(db: DbOrTx, me: CurrentUser, counters: SQL, where?: SQL): Promise<string | null> {
  const badges = jsonObject(describeBadges(me))
  const found = await db.execute<{ json: string | null }>(sql`
    select ${where ? sql`case when ${where} then ${badges} end` : badges}::text as json from (${counters}) part`)
  return found.rows[0]!.json
}

function describeBadges(me: CurrentUser): [string, SQL][] {
  const sumOf = (name: string) => sql`coalesce(sum(part.${sql.identifier(name)}), 0)`
  return [
    ...choiceFilterList
      .filter(([, { forAdmins }]) => me.isAdmin || !forAdmins)
      .map(([name, { badge, values }]): [string, SQL] => [
        badge,
        jsonObject(values.map((value) => [value, sumOf(choiceCounterName(name, value))])),
      ]),
    ...checkFilterList.map(([name, { badge, sumOf: money, averageOf }]): [string, SQL] => [
      badge,
      averageOf
        ? sql`round(${sumOf(sumCounterName(name))}::numeric / nullif(${sumOf(name)}, 0), 2)`
        : sumOf(money ? sumCounterName(name) : name),
    ]),
  ]
}

/**
 * Reads the leads once, grouped by their facets, and returns a row of counters. A group that fails no filter counts for every badge; one
 * that fails exactly one filter counts only for that filter's own badges.
 */
function countLeads({ base, tests }: Pick<LeadMatch, 'base' | 'tests'>): SQL {
  const active = Object.entries(tests)
  const failed = active.map(
    ([, test], bit) => sql`case when ${facetCondition(test, sql`alike.facets`)} then 0 else ${powerOfTwo(bit)} end`,
  )
  const among = (counter: string) => {
    const bit = active.findIndex(([name]) => name === leadCounters[counter]!.filter)
    return bit === -1 ? sql`failed = 0` : sql`failed in (0, ${powerOfTwo(bit)})`
  }
  return sql`
    select ${addUpCounters(badgeCounters, among)}
    from (
      select ${leadsTable.facets}, count(*) as number,
        sum(${leadsTable.client_value}) as client_value, sum(${leadsTable.client_profit}) as client_profit
      from ${leadsTable} where ${base} group by ${leadsTable.facets}
    ) alike, lateral (select ${sql.join([sql`0`, ...failed], sql` + `)} as failed) test`
}

const powerOfTwo = (bit: number) => sql.raw(String(1 << bit))
const jsonObject = (entries: [string, SQL][]) =>
  sql`json_build_object(${sql.join(
    entries.map(([name, value]) => sql`${name}::text, ${value}`),
    sql`, `,
  )})`
