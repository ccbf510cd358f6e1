import {
  answeringStatuses,
  type LeadTag,
  leadTypes,
  missedCallTags,
  progressLabels,
  trafficSources,
  wonProgress,
} from './labels.ts'

/**
 * The filters of the leads list that carry a badge, each defined once: its query parameter, SQL condition, control and
 * badge derive from its line below. They read only `facets`, a generated column that packs everything they test into one
 * integer, so that counting a month is one scan of a narrow index.
 *
 * A filter on a new facet takes three lines here (its bits, its SQL, the filter), a migration that regenerates the column,
 * and statistics for the planner. Each filter is also a column of `lead_sums`. CONTRIBUTING.md has the steps, also for a
 * filter without a badge.
 */

// ——— the facets ———

const bitField = (at: number, width = 1) => ({ at, mask: ((1 << width) - 1) << at })

/** The bits of each facet in the column. In a facet of several bits 0 means none, and labels count from 1. */
export const facetBits = {
  /** The index of the type among the labels, from 0. */
  type: bitField(0),
  answeringStatus: bitField(1, 3),
  progress: bitField(4, 3),
  /** Any other source is 0 as well. */
  source: bitField(7, 3),
  confirmed: bitField(10),
  unmarked: bitField(11),
  firstCall: bitField(12),
  voicemail: bitField(13),
  voicemailIssues: bitField(14),
  hasValue: bitField(15),
  hasProfit: bitField(16),
  rating: bitField(17, 3),
  noFeedback: bitField(20),
  hidden: bitField(21),
}
type FacetBits = (typeof facetBits)[keyof typeof facetBits]

/** Returns what each facet adds to the column, as SQL over a lead's columns. Used on the server to declare the column. */
export function buildFacetTerms(): Record<keyof typeof facetBits, string> {
  const shifted = ({ at }: FacetBits, number: string) => `(${number} << ${at})`
  const tagged = (tag: LeadTag) => `('${tag}' = any(tags))::int`
  const status = answeringStatusSql((value) => (value ? answeringStatuses.indexOf(value) + 1 : 0), 12)
  return {
    type: `(lead_type = '${leadTypes[1]}')::int`,
    answeringStatus: `2 * (${status})`,
    progress: shifted(facetBits.progress, 'coalesce(client_progress, 0)::int'),
    source: shifted(facetBits.source, `coalesce(array_position(${toTextArray(trafficSources)}, source), 0)`),
    confirmed: shifted(facetBits.confirmed, 'confirmed::int'),
    unmarked: shifted(facetBits.unmarked, "(not confirmed and tags = '{}' and not hide)::int"),
    firstCall: shifted(facetBits.firstCall, 'first_call::int'),
    voicemail: shifted(facetBits.voicemail, tagged('Voicemail')),
    voicemailIssues: shifted(facetBits.voicemailIssues, tagged('Voicemail Issues')),
    hasValue: shifted(facetBits.hasValue, '(client_value is not null)::int'),
    hasProfit: shifted(facetBits.hasProfit, '(client_profit is not null)::int'),
    rating: shifted(facetBits.rating, 'coalesce(rating, 0)::int'),
    noFeedback: shifted(
      facetBits.noFeedback,
      `(rating is null and client_progress is null and client_value is null and client_profit is null
            and company_name is null and client_notes is null)::int`,
    ),
    hidden: shifted(facetBits.hidden, 'hide::int'),
  }
}

/** Returns SQL that decides how a call was answered: `result` maps each status, and null for forms, to its SQL value. */
export function answeringStatusSql(
  result: (status: (typeof answeringStatuses)[number] | null) => string | number,
  indent: number,
): string {
  return [
    `case`,
    `when lead_type <> 'Call' then ${result(null)}`,
    `when ${missedTagsSql()} then ${result('Missed')}`,
    `when answered then ${result('Answered')}`,
    `when call_type = 'abandoned' or (not voicemail and coalesce(duration, 0) < 15) then ${result('Abandoned')}`,
    `else ${result('Unanswered')} end`,
  ].join(`\n${' '.repeat(indent)}`)
}

/** Returns the condition that a lead is tagged as a missed call, spelled as in the index `leads_counted`. */
export const missedTagsSql = (column = 'tags') => `${column} && ${toTextArray(missedCallTags)}`

export const toTextArray = (words: readonly string[]) => `array[${words.map((word) => `'${word}'`).join(', ')}]`

// ——— the filters ———

/** Whether the masked bits equal `is`, or with `not`, differ from it. */
export type FacetTest = { mask: number; is: number; not?: true }

const testEquals = ({ at, mask }: FacetBits, number = 1): FacetTest => ({ mask, is: number << at })
const testIsNone = (bits: FacetBits) => testEquals(bits, 0)
const testIsSome = (bits: FacetBits): FacetTest => ({ ...testIsNone(bits), not: true })
const combineTests = (a: FacetTest, b: FacetTest): FacetTest => ({ mask: a.mask | b.mask, is: a.is | b.is })
const isWon = testEquals(facetBits.progress, wonProgress)

/** Everyone but admins sees only leads that pass this test. */
export const isShownTest = testIsNone(facetBits.hidden)

type ChoiceFilter = {
  label: string
  /** The field of the statistics with the count of each value. */
  badge: string
  values: readonly [string, ...string[]]
  /** The label of each value; the value itself where there is none. */
  labels?: Partial<Record<string, string>>
  bits: FacetBits
  /** The facet's number for the first value. */
  first: 0 | 1
  forAdmins?: true
}
/** Filters by one of a few values. */
export const choiceFilters = {
  lead_type: { label: 'Type', badge: 'countByType', values: leadTypes, bits: facetBits.type, first: 0 },
  answering_status: {
    label: 'Answering status',
    badge: 'countByAnsweringStatus',
    values: answeringStatuses,
    bits: facetBits.answeringStatus,
    first: 1,
  },
  client_progress: {
    label: 'Progress',
    badge: 'countByClientProgress',
    values: ['1', '2', '3', '4', '5'],
    // Only this filter shortens 'In Progress'.
    labels: { ...progressLabels, 2: 'Progress' },
    bits: facetBits.progress,
    first: 1,
  },
  source: {
    label: 'Source',
    badge: 'countBySource',
    values: trafficSources,
    bits: facetBits.source,
    first: 1,
    forAdmins: true,
  },
} as const satisfies Record<string, ChoiceFilter>
export type ChoiceFilterName = keyof typeof choiceFilters

/** Returns the test that a lead has this value. */
export function testChoice(name: ChoiceFilterName, value: string): FacetTest {
  const { bits, values, first }: ChoiceFilter = choiceFilters[name]
  return testEquals(bits, values.indexOf(value) + first)
}

type CheckFilter = {
  label: string
  /** The field of the statistics: the number of leads that pass the test, or their sum or average. */
  badge: string
  sumOf?: 'client_value' | 'client_profit'
  averageOf?: 'rating'
  test: FacetTest
}
/** Filters that are on or off, in the order of the panel. */
export const checkFilters = {
  confirmed: { label: 'Verified', badge: 'confirmedCount', test: testEquals(facetBits.confirmed) },
  unmarked: { label: 'Unmarked', badge: 'unmarkedCount', test: testEquals(facetBits.unmarked) },
  first_call: { label: 'First Call', badge: 'firstCallCount', test: testEquals(facetBits.firstCall) },
  voicemail: { label: 'Voicemail', badge: 'voiceMailCount', test: testEquals(facetBits.voicemail) },
  voicemail_issues: {
    label: 'Voicemail Issues',
    badge: 'voiceMailIssuesCount',
    test: testEquals(facetBits.voicemailIssues),
  },
  value: { label: 'Value', badge: 'totalValue', sumOf: 'client_value', test: testEquals(facetBits.hasValue) },
  profit: { label: 'Profit', badge: 'totalProfit', sumOf: 'client_profit', test: testEquals(facetBits.hasProfit) },
  won_value: {
    label: 'Won Value',
    badge: 'totalWonValue',
    sumOf: 'client_value',
    test: combineTests(testEquals(facetBits.hasValue), isWon),
  },
  won_profit: {
    label: 'Won Profit',
    badge: 'totalWonProfit',
    sumOf: 'client_profit',
    test: combineTests(testEquals(facetBits.hasProfit), isWon),
  },
  rating: { label: 'Rating', badge: 'averageRating', averageOf: 'rating', test: testIsSome(facetBits.rating) },
  no_feedback: { label: 'No feedback', badge: 'noFeedbackCount', test: testEquals(facetBits.noFeedback) },
  not_rated: { label: 'Not rated', badge: 'notRatedCount', test: testIsNone(facetBits.rating) },
} as const satisfies Record<string, CheckFilter>
export type CheckFilterName = keyof typeof checkFilters

export type BadgeFilterName = ChoiceFilterName | CheckFilterName

type ChoiceFilters = (typeof choiceFilters)[ChoiceFilterName]
export type ChoiceBadge = ChoiceFilters['badge']
export type ChoiceValue = ChoiceFilters['values'][number]
export type CheckBadge = (typeof checkFilters)[CheckFilterName]['badge']
type ChoiceValues = readonly [ChoiceValue, ...ChoiceValue[]]

// Object.entries widens the names; these lists have exactly the keys above.
export const choiceFilterList = Object.entries(choiceFilters) as [
  ChoiceFilterName,
  Omit<ChoiceFilter, 'badge' | 'values'> & { badge: ChoiceBadge; values: ChoiceValues },
][]
export const checkFilterList = Object.entries(checkFilters) as [CheckFilterName, CheckFilter & { badge: CheckBadge }][]
