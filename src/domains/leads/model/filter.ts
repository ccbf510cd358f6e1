import { and, type SQL, sql } from 'drizzle-orm'
import { validationError } from '#core/http/errors.ts'
import { endOfZonedDay, startOfZonedDay } from '#core/time/local-time.ts'
import type { CurrentUser } from '#domains/access/public.ts'
import { campaignCategoryLinksTable } from '#domains/campaigns/schema.ts'
import { getReadableFields, type LeadField, type LeadFilters, type LeadSort } from '../contract.ts'
import { type BadgeFilterName, checkFilterList, choiceFilterList, type FacetTest, testChoice } from '../filters.ts'
import { facetCondition, missedLeadCondition } from './facets.ts'
import { hasCampaignSql } from './lead-key.ts'
import { toPhoneKey } from './phone-key.ts'
import { leadsTable } from './schema.ts'
import { searchWeeksCondition, type TimeSpan } from './search-weeks.ts'
import { visibleLeadsCondition } from './visibility.ts'

/** One test for each filter with a badge that is on. */
type FacetTests = Partial<Record<BadgeFilterName, FacetTest>>

/** Which leads a query asks for. Badges need its parts; everything else wants `where`. */
export type LeadMatch = {
  /** All conditions together. */
  where: SQL
  /** What applies to every badge: scope, list or archive, days, campaigns, category, tags, missed ones, search. */
  base: SQL
  /** The filters with badges, which look at `facets` alone. */
  tests: FacetTests
  /** No index holds all that is asked, so looking twice costs twice: search and tags read the leads themselves. */
  readsRows: boolean
}
type MatchOptions = { archived: boolean; zone: string }

/** Turns a query into conditions on `leads`. Refuses (422) what this person may not filter or sort by. */
export function buildLeadMatch(
  me: CurrentUser,
  query: LeadFilters & { sort?: LeadSort },
  { archived, zone }: MatchOptions,
): LeadMatch {
  assertReadableQuery(me, query)
  const words = splitWords(query.lead_search ?? '')
  const span = toTimeSpan(query, zone)
  const base = andAll([
    // Spelt as the partial indexes spell it.
    archived ? sql`${leadsTable.archived}` : sql`not ${leadsTable.archived}`,
    visibleLeadsCondition(me),
    spanCondition(span),
    campaignsCondition(query),
    tagsCondition(query.tags),
    query.rating_via && sql`${leadsTable.rating_via} = ${query.rating_via}`,
    query.missed && missedLeadCondition,
    query.has_campaign && hasCampaignSql,
    words.length > 0 ? searchWeeksCondition(span) : undefined,
    ...words.map(wordCondition),
  ])
  const tests = buildFacetTests(query)
  return {
    where: andAll([base, ...Object.values(tests).map((test) => facetCondition(test))]),
    base,
    tests,
    readsRows: words.length > 0 || query.tags !== undefined || query.rating_via !== undefined || query.missed === 1,
  }
}

const andAll = (conditions: (SQL | undefined)[]) => and(...conditions) ?? sql`true`

/** A filter or an order by what one cannot read would tell it. */
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
    query.sort !== undefined && !readable.has(query.sort) ? 'sort' : null,
  ].filter((name) => name !== null)
}

/** Whole days of the agency's zone, the last one included. */
function toTimeSpan({ date_from, date_to, dateRange }: LeadFilters, zone: string): TimeSpan {
  const from = date_from ?? dateRange?.[0]
  const to = date_to ?? dateRange?.[1]
  return {
    from: from === undefined ? undefined : startOfZonedDay(from, zone),
    until: to === undefined ? undefined : endOfZonedDay(to, zone),
  }
}

const spanCondition = ({ from, until }: TimeSpan): SQL | undefined =>
  and(from && sql`${leadsTable.occurred_at} >= ${from}`, until && sql`${leadsTable.occurred_at} < ${until}`)

function campaignsCondition({ campaign_ids, category_id }: LeadFilters): SQL | undefined {
  return and(
    campaign_ids?.length ? sql`${leadsTable.campaign_id} = any(${sql.param(campaign_ids)}::int[])` : undefined,
    category_id === undefined
      ? undefined
      : sql`${leadsTable.campaign_id} in (
          select ${campaignCategoryLinksTable.campaign_id} from ${campaignCategoryLinksTable}
          where ${campaignCategoryLinksTable.category_id} = ${category_id})`,
  )
}

/** Has at least one of them. The second half tells the planner that the index of tagged leads will do. */
const tagsCondition = (tags: LeadFilters['tags']): SQL | undefined =>
  tags?.length ? sql`${leadsTable.tags} && ${sql.param(tags)}::text[] and ${leadsTable.tags} <> '{}'` : undefined

const splitWords = (text: string) => [...new Set(text.split(/\s+/).filter((word) => word !== ''))]

/** The word is somewhere in the lead; a phone is found however the word punctuates it. */
function wordCondition(word: string): SQL {
  const digits = /^[-+().\d]+$/.test(word) ? word.replace(/\D/g, '') : ''
  if (digits === '' || digits === word) return textCondition(word)
  const key = toPhoneKey(word)
  const samePhone = key?.startsWith('+') ? sql` or ${leadsTable.phone_key} = ${key}` : sql``
  // The first half is for the index, which knows no columns; the second keeps digits of other texts out.
  return sql`(${textCondition(word)} or (${textCondition(digits)} and strpos(${phoneDigitsColumn}, ${digits}) > 0)${samePhone})`
}

/** The index knows runs of three letters or digits; asked for anything shorter, it would be read from end to end. */
const textCondition = (word: string): SQL =>
  /[\p{L}\p{N}]{3}/u.test(word)
    ? sql`${leadsTable.search_text} like lower(${`%${word.replace(/[\\%_]/g, '\\$&')}%`}::text)`
    : sql`strpos(${leadsTable.search_text}, lower(${word}::text)) > 0`

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
