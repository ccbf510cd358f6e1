import { expect, test } from 'vitest'
import type { CurrentUser } from '#domains/access/public.ts'
import type { LeadFilters } from '#domains/leads/contract.ts'
import { buildLeadMatch } from '#domains/leads/model/filter.ts'
import { type LeadPageQuery, planBadges, planPage } from './plan.ts'

/** What conditions read of a person. */
const toReader = (isAdmin: boolean, campaignIds: number[] | null) =>
  ({
    isAdmin,
    isSuperAdmin: isAdmin,
    permissions: { show_lead_http_columns: true },
    campaignIds,
  }) as unknown as CurrentUser
const [superAdmin, handler] = [toReader(true, null), toReader(false, [7])]

type Question = LeadFilters & Partial<LeadPageQuery> & { me?: CurrentUser; archived?: boolean }

const [march, twoDays] = [
  { date_from: '2026-03-01', date_to: '2026-03-31' },
  { date_from: '2026-03-03', date_to: '2026-03-04' },
]

test.each<[question: string, Question, page: string, badges: string]>([
  ['all leads', {}, 'sum', 'sum'],
  ['the archive', { archived: true }, 'sum', 'sum'],
  ['a month', march, 'sum', 'sum'],
  ['two days of all campaigns', twoDays, 'sum', 'sum'],
  ['a month of one campaign', { ...march, campaign_ids: [7] }, 'sum', 'sum'],
  ['a category', { category_id: 3 }, 'sum', 'sum'],
  ['the leads of a handler', { me: handler }, 'sum', 'sum'],
  // Sums of a campaign begin with the week.
  ['two days of one campaign', { ...twoDays, campaign_ids: [7] }, 'count', 'scan'],
  ['two days of a handler', { ...twoDays, me: handler }, 'count', 'scan'],
  // A sum for each filter, none for two of them.
  ['one filter', { confirmed: 1 }, 'sum', 'scan'],
  ['one value of a filter', { lead_type: 'Call' }, 'sum', 'scan'],
  ['two filters', { confirmed: 1, lead_type: 'Call' }, 'count', 'scan'],
  ['missed calls', { missed: 1 }, 'sum', 'scan'],
  ['missed calls with a filter', { missed: 1, voicemail: 1 }, 'scan', 'scan'],
  ['missed calls of two days of one campaign', { ...twoDays, missed: 1, campaign_ids: [7] }, 'scan', 'scan'],
  // Queues have an index each; the sums know missed calls.
  ['leads to review', { queue: 'review' }, 'count', 'scan'],
  ['leads to review of a handler', { queue: 'review', me: handler }, 'count', 'scan'],
  ['the queue of missed calls', { queue: 'missed' }, 'sum', 'scan'],
  ['the queue of missed calls with a filter', { queue: 'missed', lead_type: 'Call' }, 'count', 'scan'],
  // What no index holds.
  ['a search', { lead_search: 'leak' }, 'scan', 'scan'],
  ['tags', { tags: ['Spam'] }, 'scan', 'scan'],
  ['the origin of a rating', { rating_via: 'link' }, 'scan', 'scan'],
  ['a search with a filter', { lead_search: 'leak', confirmed: 1 }, 'scan', 'scan'],
  // Late pages.
  ['the last page that an index reaches', { page: 20 }, 'sum', 'sum'],
  ['the page after it', { page: 21 }, 'seek', 'sum'],
  ['a late page of one filter', { page: 21, confirmed: 1 }, 'seek', 'scan'],
  ['a late page in ascending order', { page: 21, order: 'asc' }, 'seek', 'sum'],
  ['a late page by name', { page: 21, sort: 'lead_name' }, 'sum', 'sum'],
  ['a late page of two filters', { page: 21, confirmed: 1, lead_type: 'Call' }, 'count', 'scan'],
  ['a late page of a search', { page: 21, lead_search: 'leak' }, 'scan', 'scan'],
])('%s: the way of the page and of the badges', (_, { me = superAdmin, archived = false, ...query }, page, badges) => {
  const match = buildLeadMatch(me, query, { archived, zone: 'America/New_York' })
  const { page: nth = 1, per_page = 50, sort = 'lead_date', order = 'desc' } = query
  expect([planPage(match, { page: nth, per_page, sort, order }).way, planBadges(match).way]).toEqual([page, badges])
})

test.each<[question: string, readsRows: boolean, way: string]>([
  ['a condition that an index holds', false, 'count'],
  ['one that reads the rows', true, 'scan'],
])('without sums, as for other conditions or while they are built, %s', (_, readsRows, way) => {
  const { where } = buildLeadMatch(superAdmin, {}, { archived: false, zone: 'UTC' })
  const late: LeadPageQuery = { page: 21, per_page: 50, sort: 'lead_date', order: 'desc' }
  expect(planPage({ where, readsRows, sums: null }, late)).toEqual({ way })
})
