import { and, type SQL, sql } from 'drizzle-orm'
import { invalid } from '#core/http/errors.ts'
import { endOf, startOf } from '#core/time/local-time.ts'
import type { Me } from '#domains/access/server/current-user.ts'
import { isMissed } from '#domains/reports/counted-weeks/server/counted-leads.ts'
import { type LeadField, type LeadFilters, type LeadSort, readableFields } from '../contract.ts'
import { type Check, checks } from '../labels.ts'
import { checkTests, condition, groups, type Tests } from './facets.ts'
import { hasCampaign } from './lead-key.ts'
import { phoneKey } from './phone-key.ts'
import { leads } from './schema.ts'
import { inWeeksOf, type Span } from './search-weeks.ts'
import { visibleTo } from './visibility.ts'

/** Which leads a query asks for. Badges need its parts; everything else wants `where`. */
export type Matching = {
  /** All conditions together. */
  where: SQL
  /** What applies to every badge: scope, list or archive, days, campaigns, category, tags, missed ones, search. */
  base: SQL
  /** The filters with badges, which look at `facets` alone. */
  tests: Tests
  /** No index holds all that is asked, so looking twice costs twice: search and tags read the leads themselves. */
  readsRows: boolean
}
type Where = { archived: boolean; zone: string }

/** Turns a query into conditions on `leads`. Refuses (422) what this person may not filter or sort by. */
export function matching(me: Me, query: LeadFilters & { sort?: LeadSort }, { archived, zone }: Where): Matching {
  refuseUnreadable(me, query)
  const words = wordsOf(query.lead_search ?? '')
  const span = spanOf(query, zone)
  const base = all([
    // Spelt as the partial indexes spell it.
    archived ? sql`${leads.archived}` : sql`not ${leads.archived}`,
    visibleTo(me),
    within(span),
    inCampaigns(query),
    tagged(query.tags),
    query.missed && isMissed,
    query.has_campaign && hasCampaign,
    words.length > 0 ? inWeeksOf(span) : undefined,
    ...words.map(contained),
  ])
  const tests = testsOf(query)
  return {
    where: all([base, ...Object.values(tests).map((test) => condition(test))]),
    base,
    tests,
    readsRows: words.length > 0 || query.tags !== undefined || query.missed === 1,
  }
}

const all = (conditions: (SQL | undefined)[]) => and(...conditions) ?? sql`true`

/** A filter or an order by what one cannot read would tell it. */
export function refuseUnreadable(me: Me, query: Partial<LeadFilters> & { sort?: LeadSort }) {
  const readable: ReadonlySet<LeadField> = readableFields(me)
  const refused = [
    query.category_id !== undefined && !me.isAdmin ? 'category_id' : null,
    query.source !== undefined && !me.isAdmin ? 'source' : null,
    query.tags?.length && !readable.has('tags') ? 'tags' : null,
    query.sort !== undefined && !readable.has(query.sort) ? 'sort' : null,
  ].filter((name) => name !== null)
  if (refused.length === 0) return
  throw invalid(Object.fromEntries(refused.map((name) => [name, ['Not available to you']])))
}

/** Whole days of the agency's zone, the last one included. */
function spanOf({ date_from, date_to, dateRange }: LeadFilters, zone: string): Span {
  const from = date_from ?? dateRange?.[0]
  const to = date_to ?? dateRange?.[1]
  return {
    from: from === undefined ? undefined : startOf(from, zone),
    until: to === undefined ? undefined : endOf(to, zone),
  }
}

const within = ({ from, until }: Span): SQL | undefined =>
  and(from && sql`${leads.occurred_at} >= ${from}`, until && sql`${leads.occurred_at} < ${until}`)

function inCampaigns({ campaign_ids, category_id }: LeadFilters): SQL | undefined {
  return and(
    campaign_ids?.length ? sql`${leads.campaign_id} = any(${sql.param(campaign_ids)}::int[])` : undefined,
    category_id === undefined
      ? undefined
      : sql`${leads.campaign_id} in (select campaign_id from campaign_category_links where category_id = ${category_id})`,
  )
}

/** Has at least one of them. The second half tells the planner that the index of tagged leads will do. */
const tagged = (tags: LeadFilters['tags']): SQL | undefined =>
  tags?.length ? sql`${leads.tags} && ${sql.param(tags)}::text[] and ${leads.tags} <> '{}'` : undefined

const wordsOf = (text: string) => [...new Set(text.split(/\s+/).filter((word) => word !== ''))]

/** The word is somewhere in the lead; a phone is found however the word punctuates it. */
function contained(word: string): SQL {
  const digits = /^[-+().\d]+$/.test(word) ? word.replace(/\D/g, '') : ''
  if (digits === '' || digits === word) return inText(word)
  const key = phoneKey(word)
  const samePhone = key?.startsWith('+') ? sql` or ${leads.phone_key} = ${key}` : sql``
  // The first half is for the index, which knows no columns; the second keeps digits of other texts out.
  return sql`(${inText(word)} or (${inText(digits)} and strpos(${phoneDigits}, ${digits}) > 0)${samePhone})`
}

/** The index knows runs of three letters or digits; asked for anything shorter, it would be read from end to end. */
const inText = (word: string): SQL =>
  /[\p{L}\p{N}]{3}/u.test(word)
    ? sql`${leads.search_text} like lower(${`%${word.replace(/[\\%_]/g, '\\$&')}%`}::text)`
    : sql`strpos(${leads.search_text}, lower(${word}::text)) > 0`

const phoneDigits = sql`regexp_replace(coalesce(${leads.lead_phone}, ''), '[^0-9]', '', 'g')`

function testsOf(query: LeadFilters): Tests {
  const tests: Tests = {}
  if (query.lead_type !== undefined) tests.lead_type = groups.lead_type(query.lead_type)
  if (query.answering_status !== undefined) tests.answering_status = groups.answering_status(query.answering_status)
  if (query.client_progress !== undefined) tests.client_progress = groups.client_progress(query.client_progress)
  if (query.source !== undefined) tests.source = groups.source(query.source)
  for (const check of Object.keys(checks) as Check[]) if (query[check] === 1) tests[check] = checkTests[check]
  return tests
}
