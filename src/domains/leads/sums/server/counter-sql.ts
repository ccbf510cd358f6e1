import { type SQL, sql } from 'drizzle-orm'
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

/** Returns the sum of a counter over rows of that shape. */
export function addUpChanges(name: string): SQL {
  const { test, sumOf } = leadCounters[name]!
  const added =
    sumOf === undefined
      ? sql`number`
      : sumOf === 'rating'
        ? sql`number * ${ratingFromFacets(facetsColumn)}`
        : sql`${sql.identifier(sumOf)}`
  if (test === null) return sql`coalesce(sum(${added}), 0)`
  const passes = test === 'missed' ? sql`missed` : facetCondition(test, facetsColumn)
  return sql`coalesce(sum(${added}) filter (where ${passes}), 0)`
}

export const allCounters = (of: (name: string, column: SQL) => SQL): SQL =>
  sql.join(
    leadCounterNames.map((name) => of(name, sql`${sql.identifier(name)}`)),
    sql`, `,
  )
