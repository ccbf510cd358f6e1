import { and, type SQL, sql } from 'drizzle-orm'
import { facetBits, isShownTest } from '../../filters.ts'
import { facetCondition, missedLeadCondition, ratingFromFacets } from '../../model/facets.ts'
import { leadsTable } from '../../model/schema.ts'
import { leadCounterNames, leadCounters } from '../counters.ts'

/** Leads in the shape of `lead_changes`, each added once. */
export const leadsAsChanges = sql`
  select ${leadsTable.campaign_id}, ${leadsTable.occurred_at}, ${leadsTable.archived}, ${leadsTable.facets},
    ${missedLeadCondition} as missed, 1 as number, ${leadsTable.client_value}, ${leadsTable.client_profit} from ${leadsTable}`

const facetsColumn = sql`facets`
/** For rows of that shape: whether they are visible to everyone. */
export const shownChangeCondition = facetCondition(isShownTest, facetsColumn)
export const hiddenChangeColumn = sql`(facets & ${sql.raw(String(facetBits.hidden.mask))}) <> 0`

/** Returns the sums of these counters as columns of their names, each over the rows of that shape that it counts `among`. */
export const addUpCounters = (names: readonly string[], among?: (name: string) => SQL): SQL =>
  sql.join(
    names.map((name) => sql`${addUpChanges(name, among?.(name))} as ${sql.identifier(name)}`),
    sql`, `,
  )

/** Returns the sum of a counter over rows of that shape. */
export function addUpChanges(name: string, among?: SQL): SQL {
  const { test, sumOf } = leadCounters[name]!
  const added =
    sumOf === undefined
      ? sql`number`
      : sumOf === 'rating'
        ? sql`number * ${ratingFromFacets(facetsColumn)}`
        : sql`${sql.identifier(sumOf)}`
  const counted = and(among, test === 'missed' ? sql`missed` : test ? facetCondition(test, facetsColumn) : undefined)
  return counted ? sql`coalesce(sum(${added}) filter (where ${counted}), 0)` : sql`coalesce(sum(${added}), 0)`
}

export const allCounters = (of: (name: string, column: SQL) => SQL): SQL =>
  sql.join(
    leadCounterNames.map((name) => of(name, sql`${sql.identifier(name)}`)),
    sql`, `,
  )
