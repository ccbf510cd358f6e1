import { type SQL, sql } from 'drizzle-orm'
import { checkFilters, type FacetTest, facetBits, missedTagsSql } from '../filters.ts'
import { leadsTable } from './schema.ts'

type FacetsColumn = SQL | typeof leadsTable.facets

/** Returns the test as a condition. Its numbers are literals, so that the planner finds their statistics. */
export const facetCondition = ({ mask, is, not }: FacetTest, facets: FacetsColumn = leadsTable.facets): SQL =>
  sql`(${facets} & ${sql.raw(String(mask))}) ${sql.raw(not ? '<>' : '=')} ${sql.raw(String(is))}`

/** Returns the rating as a number, 0 if there is none or it is unconfirmed. */
export const ratingFromFacets = (facets: FacetsColumn): SQL =>
  sql`((${facets} & ${sql.raw(String(facetBits.rating.mask))}) >> ${sql.raw(String(facetBits.rating.at))})`

/** The rating that a lead shows, confirmed or not. */
export const shownRatingColumn = sql`coalesce(${leadsTable.unconfirmed_rating}, ${leadsTable.rating})`

/** The origin of the rating that a lead shows. */
export const ratingOriginColumn = sql`case when ${leadsTable.unconfirmed_rating} is null then ${leadsTable.rating_via} else 'link' end`

/** Reads `facets`, which every index of the list holds. */
export const verifiedLeadCondition = facetCondition(checkFilters.confirmed.test)

export const missedTagCondition = sql`${leadsTable.tags}${sql.raw(missedTagsSql(''))}`

/** A missed lead is tagged as a missed call and not verified. */
export const missedLeadCondition = sql`(not ${leadsTable.confirmed} and ${missedTagCondition})`
