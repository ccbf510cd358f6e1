import type { LeadListQuery } from '#domains/leads/contract.ts'
import type { LeadMatch, MatchSums } from '#domains/leads/model/filter.ts'
import { type CountedSelection, coverSelection } from '#domains/leads/sums/server/read-sums.ts'

/** The leads to page through. */
export type LeadSelection = Pick<LeadMatch, 'where' | 'readsRows' | 'sums'>
export type LeadPageQuery = Pick<LeadListQuery, 'page' | 'per_page' | 'sort' | 'order'>

/** How a page of leads and their total are found. */
type PagePlan =
  /** Sums tell the total, and on which days the page starts: an index would pass all leads before it. */
  | { way: 'seek'; sums: CountedSelection }
  /** Sums tell the total, and an index the page. */
  | { way: 'sum'; sums: CountedSelection }
  /** Matching leads are read once, for both: no index holds what they are tested for, so a second scan would cost as much again. */
  | { way: 'scan' }
  /** Indexes tell both, at the same time. */
  | { way: 'count' }

/** Up to here an index passes the leads before a page in less time than it takes to find where the page starts. */
const deepOffset = 1000

/** Decides how to find a page; plan.test.ts lists which question goes which way. */
export function planPage({ readsRows, sums }: LeadSelection, { page, per_page, sort }: LeadPageQuery): PagePlan {
  const counted = coverSums(sums)
  if (!counted) return { way: readsRows ? 'scan' : 'count' }
  const isDeep = sort === 'lead_date' && (page - 1) * per_page >= deepOffset
  return { way: isDeep ? 'seek' : 'sum', sums: counted }
}

/** How the badges are counted. */
type BadgesPlan =
  /** Sums know the badges of all leads. */
  | { way: 'sum'; sums: CountedSelection }
  /** Matching leads are read once: with a filter, the badges of the others would need the sums of each pair of filters. */
  | { way: 'scan' }

/** Decides how to count the badges. */
export function planBadges({ sums }: Pick<LeadSelection, 'sums'>): BadgesPlan {
  const counted = sums?.counter === 'total' ? coverSums(sums) : null
  return counted ? { way: 'sum', sums: counted } : { way: 'scan' }
}

/** Returns null if none of the days has a sum. */
function coverSums(sums: MatchSums | null): CountedSelection | null {
  const pieces = sums && coverSelection(sums.selection)
  return pieces && { ...sums, pieces }
}
