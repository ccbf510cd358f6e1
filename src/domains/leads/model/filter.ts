import { and, type SQL, sql } from 'drizzle-orm'
import { addDays } from '#contract/days.ts'
import { dropApostrophes, foldText } from '#contract/fold-text.ts'
import { readEmail } from '#contract/read-email.ts'
import { readPhone, tidyPhone } from '#contract/read-phone.ts'
import { likeFolded } from '#core/db/list-sql.ts'
import { validationError } from '#core/http/errors.ts'
import { endOfZonedDay, startOfZonedDay } from '#core/time/local-time.ts'
import { type CurrentUser, inVisibleCampaigns } from '#domains/access/public.ts'
import { campaignCategoryLinksTable } from '#domains/campaigns/schema.ts'
import { getReadableFields, type LeadField, type LeadFilters, type LeadSort } from '../contract.ts'
import {
  type BadgeFilterName,
  type ChoiceFilterName,
  checkFilterList,
  choiceFilterList,
  choiceFilters,
  type FacetTest,
  testChoice,
} from '../filters.ts'
import { mayUseQueues } from '../queues.ts'
import { choiceCounterName } from '../sums/counters.ts'
import type { SumsSelection } from '../sums/server/read-sums.ts'
import { facetCondition, missedLeadCondition, ratingOriginColumn } from './facets.ts'
import { hasCampaignSql, lacksCampaignSql, noCampaignSql } from './lead-key.ts'
import { toPhoneKey } from './phone-key.ts'
import { queueSql } from './queue-sql.ts'
import { leadsTable } from './schema.ts'
import { visibleLeadsCondition } from './visibility.ts'

/** One test for each active filter with a badge. */
type FacetTests = Partial<Record<BadgeFilterName, FacetTest>>

/** Which leads a query selects. Badges need the parts; everything else uses `where`. */
export type LeadMatch = {
  /** All conditions together. */
  where: SQL
  /** What applies to every badge: scope, list or archive, days, campaigns, category, queue, tags, missed ones, search. */
  base: SQL
  /** The filters with badges, which read only `facets`. */
  tests: FacetTests
  /** Search and tags read the leads themselves, because no index holds what they test. A second scan costs as much again. */
  readsRows: boolean
  /** What `lead_sums` can count; null if a lead must pass more than one test, or one that reads the row. */
  sums: MatchSums | null
}
/** `counter` names the column of sums that counts the leads that pass the only test. */
export type MatchSums = { selection: SumsSelection; counter: string }
type MatchOptions = { archived: boolean; zone: string }

/** Turns a query into conditions on `leads`. Throws 422 for a filter or sort that this person may not use. */
export function buildLeadMatch(
  me: CurrentUser,
  query: LeadFilters & { sort?: LeadSort },
  { archived, zone }: MatchOptions,
): LeadMatch {
  assertReadableQuery(me, query)
  const searched = buildSearch(dropApostrophes(foldText(query.lead_search ?? '')))
  const span = toTimeSpan(query, zone)
  // Not counted by any sum: a filter without a badge belongs here.
  const ofRows = [
    tagsCondition(query.tags),
    ratingOriginCondition(query.rating_via),
    searched.length > 0 ? searchWeeksCondition(span) : undefined,
    ...searched,
  ].filter((condition) => condition !== undefined)
  const base = andAll([
    // Spelled as in the partial indexes.
    archived ? sql`${leadsTable.archived}` : sql`not ${leadsTable.archived}`,
    visibleLeadsCondition(me),
    spanCondition(span),
    campaignsCondition(query),
    query.missed && missedLeadCondition,
    queueCondition(query.queue),
    query.has_campaign && hasCampaignSql,
    query.no_campaign && lacksCampaignSql,
    ...ofRows,
  ])
  const tests = buildFacetTests(query)
  const counter = ofRows.length > 0 ? null : findCounter(query, tests)
  return {
    where: andAll([base, ...Object.values(tests).map((test) => facetCondition(test))]),
    base,
    tests,
    readsRows: ofRows.length > 0 || query.missed === 1,
    sums: counter === null ? null : { selection: toSumsSelection(me, query, archived), counter },
  }
}

function toSumsSelection(me: CurrentUser, query: LeadFilters, archived: boolean): SumsSelection {
  const { from, to } = toDaySpan(query)
  const isNarrowed =
    me.campaignIds !== null ||
    Boolean(query.campaign_ids?.length) ||
    query.category_id !== undefined ||
    query.no_campaign === 1
  const inCampaigns = (campaignId: SQL) =>
    andAll([
      inVisibleCampaigns(me, campaignId),
      campaignsCondition(query, campaignId),
      query.has_campaign && sql`${campaignId} <> ${noCampaignSql}`,
      query.no_campaign && sql`${campaignId} = ${noCampaignSql}`,
    ])
  return {
    archived,
    seesHidden: me.isAdmin && query.queue !== 'missed',
    campaigns: isNarrowed ? inCampaigns : query.has_campaign ? 'withCampaign' : 'all',
    span: { from, end: to && addDays(to, 1) },
  }
}

/** Returns null if a lead must pass more than one test, or wait for a review, which no sum counts. */
function findCounter(query: LeadFilters, tests: FacetTests): string | null {
  if (query.queue === 'review') return null
  const isMissed = query.missed === 1 || query.queue === 'missed'
  const counters = [...(Object.keys(tests) as BadgeFilterName[]), ...(isMissed ? ['missed' as const] : [])]
  const [name] = counters
  if (name === undefined) return 'total'
  if (counters.length > 1) return null
  return isChoiceName(name) ? choiceCounterName(name, query[name]!) : name
}

const isChoiceName = (name: string): name is ChoiceFilterName => name in choiceFilters

const andAll = (conditions: (SQL | undefined)[]) => and(...conditions) ?? sql`true`

/** Throws 422 for filters and sorts by fields that this person may not read: the result would reveal their values. */
export function assertReadableQuery(me: CurrentUser, query: LeadQueryParts) {
  const refused = findUnreadableParts(me, query)
  if (refused.length > 0)
    throw validationError(Object.fromEntries(refused.map((name) => [name, ['Not available to you']])))
}

type LeadQueryParts = Partial<LeadFilters> & { sort?: LeadSort }

/** Returns the names of the filters, and `sort`, that this person may not use. */
export function findUnreadableParts(me: CurrentUser, query: LeadQueryParts): string[] {
  const readable: ReadonlySet<LeadField> = getReadableFields(me)
  return [
    query.category_id !== undefined && !me.isAdmin ? 'category_id' : null,
    ...choiceFilterList.map(([name, { forAdmins }]) =>
      forAdmins && query[name] !== undefined && !me.isAdmin ? name : null,
    ),
    query.tags?.length && !readable.has('tags') ? 'tags' : null,
    query.queue !== undefined && !mayUseQueues(me) ? 'queue' : null,
    query.sort !== undefined && !readable.has(query.sort) ? 'sort' : null,
  ].filter((name) => name !== null)
}

const toDaySpan = ({ date_from, date_to, dateRange }: LeadFilters) => ({
  from: date_from ?? dateRange?.[0],
  to: date_to ?? dateRange?.[1],
})

/** Returns the span of whole days in the agency's time zone, the last day included. */
function toTimeSpan(query: LeadFilters, zone: string): TimeSpan {
  const { from, to } = toDaySpan(query)
  return {
    from: from === undefined ? undefined : startOfZonedDay(from, zone),
    until: to === undefined ? undefined : endOfZonedDay(to, zone),
  }
}

const spanCondition = ({ from, until }: TimeSpan): SQL | undefined =>
  and(from && sql`${leadsTable.occurred_at} >= ${from}`, until && sql`${leadsTable.occurred_at} < ${until}`)

function campaignsCondition(
  { campaign_ids, category_id }: LeadFilters,
  campaignId: SQL = sql`${leadsTable.campaign_id}`,
): SQL | undefined {
  return and(
    campaign_ids?.length ? sql`${campaignId} = any(${sql.param(campaign_ids)}::int[])` : undefined,
    category_id === undefined
      ? undefined
      : sql`${campaignId} in (
          select ${campaignCategoryLinksTable.campaign_id} from ${campaignCategoryLinksTable}
          where ${campaignCategoryLinksTable.category_id} = ${category_id})`,
  )
}

/** The lead has at least one of the tags. The second half lets the planner use the index of tagged leads. */
const tagsCondition = (tags: LeadFilters['tags']): SQL | undefined =>
  tags?.length ? sql`${leadsTable.tags} && ${sql.param(tags)}::text[] and ${leadsTable.tags} <> '{}'` : undefined

const queueCondition = (queue: LeadFilters['queue']): SQL | undefined =>
  queue === undefined ? undefined : sql.raw(queueSql(queue, (name) => `"leads"."${name}"`))

function ratingOriginCondition(origin: LeadFilters['rating_via']): SQL | undefined {
  if (origin === undefined) return undefined
  if (origin === 'unconfirmed') return sql`${leadsTable.unconfirmed_rating} is not null`
  return sql`${ratingOriginColumn} = ${origin}`
}

/** Every word must be found. A phone is one, however it is written, and its extension must be found too. */
function buildSearch(text: string): SQL[] {
  const { number, extension, before, after } = readPhone(text)
  if (!number?.startsWith('+')) return splitWords(text).map(wordCondition)
  const tidy = tidyPhone(text)
  const phone = tidy.slice(before.length, tidy.length - after.length)
  const key = toPhoneKey(phone) ?? number
  const hasExtension = extension && sql` and strpos(${phoneDigitsColumn}, ${key.slice(-4) + extension}) > 0`
  const samePhone = sql`${leadsTable.phone_key} = ${key}${hasExtension ?? sql``}`
  return [
    sql`((${andAll(splitWords(phone).map(wordCondition))}) or (${samePhone}))`,
    ...splitWords(`${before} ${after}`).map(wordCondition),
  ]
}

const splitWords = (text: string) => [
  ...new Set(
    text
      .split(/\s+/)
      .map(openAddress)
      .filter((word) => word !== ''),
  ),
]

/** `mailto:ann@x.example` and `<ann@x.example>` are the address in them. */
const openAddress = (word: string) => (word.includes('@') && readEmail(word).address) || word

/** The folded word occurs anywhere in the lead; the digits of a phone match with any punctuation. */
function wordCondition(word: string): SQL {
  const digits = /^[-+().\d]+$/.test(word) ? word.replace(/\D/g, '') : ''
  if (digits === '' || digits === word) return textCondition(word)
  // The first half uses the index, which does not tell columns apart; the second excludes digits in other texts.
  return sql`(${textCondition(word)} or (${textCondition(digits)} and strpos(${phoneDigitsColumn}, ${digits}) > 0))`
}

/** A trigram index needs three letters or digits in a row; for anything shorter it would be scanned completely. */
const textCondition = (word: string): SQL =>
  /[\p{L}\p{N}]{3}/u.test(word)
    ? sql`${leadsTable.search_text} like ${likeFolded(word)}::text`
    : sql`strpos(${leadsTable.search_text}, ${word}::text) > 0`

const phoneDigitsColumn = sql`regexp_replace(coalesce(${leadsTable.lead_phone}, ''), '[^0-9]', '', 'g')`

function buildFacetTests(query: LeadFilters): FacetTests {
  const tests: FacetTests = {}
  for (const [name] of choiceFilterList) {
    const value = query[name]
    if (value !== undefined) tests[name] = testChoice(name, value)
  }
  for (const [name, { test }] of checkFilterList) if (query[name] === 1) tests[name] = test
  return tests
}

/** The span of a query's days: `from` is included, `until` is not. */
type TimeSpan = { from?: Date; until?: Date }

/** Seven days counted from January 1, 1970 UTC: a bucket of the search's index, not a calendar week. */
const weekMs = 604_800_000
/** In longer spans listing each week costs more than reading the leads of all years. Measured with a million leads over eight years. */
const maxWeeks = 54

/**
 * Returns the condition for the weeks of these days, spelled as in the index `leads_search`. The exact days are a separate
 * condition; this one keeps a month's search from reading the matching leads of all years.
 */
function searchWeeksCondition({ from, until }: TimeSpan): SQL | undefined {
  if (from === undefined || until === undefined || until <= from) return undefined
  const [first, last] = [Math.floor(from.getTime() / weekMs), Math.floor(until.getTime() / weekMs)]
  if (last - first >= maxWeeks) return undefined
  const weeks = Array.from({ length: last - first + 1 }, (_, nth) => first + nth)
  return sql`array[floor(extract(epoch from ${leadsTable.occurred_at} at time zone 'UTC') / 604800)::int] && ${sql.param(weeks)}::int[]`
}
