import { type SQL, sql } from 'drizzle-orm'
import { answeringStatuses, type CheckFilterName, leadTypes, trafficSources, wonProgress } from '../labels.ts'
import { leadsTable } from './schema.ts'

/**
 * The generated column `facets`: all that the filters and badges of the leads list look at, in one integer, so that
 * counting a month is one scan of a narrow index. The table writes it; here is where the program reads it.
 */
const bitField = (at: number, width = 1) => ({ at, mask: ((1 << width) - 1) << at })
const facetLayout = {
  /** In the order of the words: a form is 0, a call is 1. */
  type: bitField(0),
  /** 1 to 4 in the order of the words; 0 where there is none. */
  answeringStatus: bitField(1, 3),
  /** 1 to 5; 0 where there is none. */
  progress: bitField(4, 3),
  /** 1 to 6 in the order of the words; 0 is any other source, or none. */
  source: bitField(7, 3),
  confirmed: bitField(10),
  unmarked: bitField(11),
  firstCall: bitField(12),
  voicemail: bitField(13),
  voicemailIssues: bitField(14),
  hasValue: bitField(15),
  hasProfit: bitField(16),
  /** 1 to 5; 0 where there is none. */
  rating: bitField(17, 3),
  noFeedback: bitField(20),
  hidden: bitField(21),
}
type FacetBits = (typeof facetLayout)[keyof typeof facetLayout]

/** Asks whether these bits are that number, or (`not`) anything but it. */
export type FacetTest = { mask: number; is: number; not?: true }

const testEquals = ({ at, mask }: FacetBits, number = 1): FacetTest => ({ mask, is: number << at })
const testIsNone = (of: FacetBits) => testEquals(of, 0)
const testIsSome = (of: FacetBits): FacetTest => ({ ...testIsNone(of), not: true })
const combineTests = (a: FacetTest, b: FacetTest): FacetTest => ({ mask: a.mask | b.mask, is: a.is | b.is })

export const isShownTest = testIsNone(facetLayout.hidden)

/** The radio groups of the filter panel, each with the test for one of its values. */
export const radioFilterTests = {
  lead_type: (value: (typeof leadTypes)[number]) => testEquals(facetLayout.type, leadTypes.indexOf(value)),
  answering_status: (value: (typeof answeringStatuses)[number]) =>
    testEquals(facetLayout.answeringStatus, answeringStatuses.indexOf(value) + 1),
  client_progress: (value: string) => testEquals(facetLayout.progress, Number(value)),
  source: (value: (typeof trafficSources)[number]) => testEquals(facetLayout.source, trafficSources.indexOf(value) + 1),
}

/** The checkboxes. */
export const checkFilterTests: Record<CheckFilterName, FacetTest> = {
  confirmed: testEquals(facetLayout.confirmed),
  unmarked: testEquals(facetLayout.unmarked),
  first_call: testEquals(facetLayout.firstCall),
  voicemail: testEquals(facetLayout.voicemail),
  voicemail_issues: testEquals(facetLayout.voicemailIssues),
  value: testEquals(facetLayout.hasValue),
  profit: testEquals(facetLayout.hasProfit),
  won_value: combineTests(testEquals(facetLayout.hasValue), testEquals(facetLayout.progress, wonProgress)),
  won_profit: combineTests(testEquals(facetLayout.hasProfit), testEquals(facetLayout.progress, wonProgress)),
  rating: testIsSome(facetLayout.rating),
  no_feedback: testEquals(facetLayout.noFeedback),
  not_rated: testIsNone(facetLayout.rating),
}

/** One test for each filter that is on. */
export type FacetTests = Partial<Record<keyof typeof radioFilterTests | CheckFilterName, FacetTest>>

type FacetsColumn = SQL | typeof leadsTable.facets

/** The test as a condition. Its numbers are written out, so that the planner finds their statistics. */
export const facetCondition = ({ mask, is, not }: FacetTest, facets: FacetsColumn = leadsTable.facets): SQL =>
  sql`(${facets} & ${sql.raw(String(mask))}) ${sql.raw(not ? '<>' : '=')} ${sql.raw(String(is))}`

/** The rating as a number, 0 where there is none. */
export const ratingFromFacets = (facets: FacetsColumn): SQL =>
  sql`((${facets} & ${sql.raw(String(facetLayout.rating.mask))}) >> ${sql.raw(String(facetLayout.rating.at))})`

/** Spelt as the index `leads_counted` spells it. */
export const missedTagCondition = sql`${leadsTable.tags} && array['Missed Call', 'Auto Missed Call']`

/** A missed lead: tagged as a missed call, and not verified. */
export const missedLeadCondition = sql`(not ${leadsTable.confirmed} and ${missedTagCondition})`
