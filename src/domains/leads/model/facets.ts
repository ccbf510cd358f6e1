import { type SQL, sql } from 'drizzle-orm'
import { answeringStatuses, type Check, leadTypes, sources, won } from '../labels.ts'
import { leads } from './schema.ts'

/**
 * The generated column `facets`: all that the filters and badges of the leads list look at, in one integer, so that
 * counting a month is one scan of a narrow index. The table writes it; here is where the program reads it.
 */
const bits = (at: number, width = 1) => ({ at, mask: ((1 << width) - 1) << at })
const place = {
  /** In the order of the words: a form is 0, a call is 1. */
  type: bits(0),
  /** 1 to 4 in the order of the words; 0 where there is none. */
  answeringStatus: bits(1, 3),
  /** 1 to 5; 0 where there is none. */
  progress: bits(4, 3),
  /** 1 to 6 in the order of the words; 0 is any other source, or none. */
  source: bits(7, 3),
  confirmed: bits(10),
  unmarked: bits(11),
  firstCall: bits(12),
  voicemail: bits(13),
  voicemailIssues: bits(14),
  hasValue: bits(15),
  hasProfit: bits(16),
  /** 1 to 5; 0 where there is none. */
  rating: bits(17, 3),
  noFeedback: bits(20),
  hidden: bits(21),
}
type Place = (typeof place)[keyof typeof place]

/** Asks whether these bits are that number, or (`not`) anything but it. */
export type Test = { mask: number; is: number; not?: true }

const is = ({ at, mask }: Place, number = 1): Test => ({ mask, is: number << at })
const isNone = (of: Place) => is(of, 0)
const isSome = (of: Place): Test => ({ ...isNone(of), not: true })
const both = (a: Test, b: Test): Test => ({ mask: a.mask | b.mask, is: a.is | b.is })

export const isShown = isNone(place.hidden)

/** The radio groups of the filter panel, each with the test for one of its values. */
export const groups = {
  lead_type: (value: (typeof leadTypes)[number]) => is(place.type, leadTypes.indexOf(value)),
  answering_status: (value: (typeof answeringStatuses)[number]) =>
    is(place.answeringStatus, answeringStatuses.indexOf(value) + 1),
  client_progress: (value: string) => is(place.progress, Number(value)),
  source: (value: (typeof sources)[number]) => is(place.source, sources.indexOf(value) + 1),
}

/** The checkboxes. */
export const checkTests: Record<Check, Test> = {
  confirmed: is(place.confirmed),
  unmarked: is(place.unmarked),
  first_call: is(place.firstCall),
  voicemail: is(place.voicemail),
  voicemail_issues: is(place.voicemailIssues),
  value: is(place.hasValue),
  profit: is(place.hasProfit),
  won_value: both(is(place.hasValue), is(place.progress, won)),
  won_profit: both(is(place.hasProfit), is(place.progress, won)),
  rating: isSome(place.rating),
  no_feedback: is(place.noFeedback),
  not_rated: isNone(place.rating),
}

/** One test for each filter that is on. */
export type Tests = Partial<Record<keyof typeof groups | Check, Test>>

type Column = SQL | typeof leads.facets

/** The test as a condition. Its numbers are written out, so that the planner finds their statistics. */
export const condition = ({ mask, is, not }: Test, facets: Column = leads.facets): SQL =>
  sql`(${facets} & ${sql.raw(String(mask))}) ${sql.raw(not ? '<>' : '=')} ${sql.raw(String(is))}`

/** The rating as a number, 0 where there is none. */
export const ratingIn = (facets: Column): SQL =>
  sql`((${facets} & ${sql.raw(String(place.rating.mask))}) >> ${sql.raw(String(place.rating.at))})`
