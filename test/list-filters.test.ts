import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { allEndpoints } from '#app/server/parts.ts'
import { addDays, getToday } from '#contract/days.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { statementsContract, toStatementId } from '#domains/billing/statements/contract.ts'
import { computeBillingCycle } from '#domains/campaigns/public.ts'
import { wonProgress } from '#domains/leads/labels.ts'
import { redirectDomainsTable } from '#domains/sites/redirects/schema.ts'
import { setUp, startApp } from '#test/app.ts'

/** Every filter of every list that is also a file: alone, it leaves the same rows in both, some but not all. */
const zone = 'America/New_York'
const app = await setUp(startApp({ settings: { AGENCY_TIMEZONE: zone } }))
const { make } = app
const me = await make.superAdmin()
const root = await app.as(me)

const roofing = await make.category()
const { id: client_id } = await make.client({ name: 'Acme' })
const ended = computeBillingCycle(5, addDays(computeBillingCycle(5, getToday(zone)).from, -1)).from
const cycle = { start_date: ended, due_date: 5 }
const austin = await make.campaign({ name: 'Austin Roofs', client_id, categories: [roofing.id], ...cycle })
const boston = await make.campaign({ name: 'Boston Pipes', ...cycle })
await make.campaign({ name: 'Chicago Roofs', archived: true, categories: [roofing.id], ...cycle })
await make.campaign({ name: 'Dallas Pipes', archived: true, ...cycle })
const sent = { params: { id: toStatementId(austin.id, ended) } }
expect((await root.call(statementsContract.send, sent)).status).toBe(200)

await make.clientSite({ campaign_id: austin.id, url: 'https://roofs.example', ip: '192.0.2.7', status: 1 })
await make.clientSite({ campaign_id: boston.id, url: 'https://pipes.example', ip: '198.51.100.7', status: 0 })
const blogs = await make.networkCategory()
const blog = await make.networkSite({
  category_id: blogs.id,
  url: 'https://blog.example',
  ip: '192.0.2.8',
  status: 1,
})
const forum = await make.networkSite({ url: 'https://forum.example', ip: '198.51.100.8', status: 0 })
await make.outgoingLink({ network_site_id: blog.id, url: 'https://roofs.example/' })
await make.outgoingLink({ network_site_id: forum.id, url: 'https://pipes.example/' })
for (const domain of ['old-roofs.example', 'old-pipes.example'])
  await app.context.db
    .insert(redirectDomainsTable)
    .values({ domain, registered_domain: domain, domainkey: domain, redirect_url: 'https://new.example' })
await make.gmb({ campaign_id: austin.id, title: 'Listing of roofs', status: 1 })
await make.gmb({ campaign_id: boston.id, title: 'Listing of pipes', status: 2 })
const ofAustin = { campaign_id: austin.id, note: 'Roofs', user_id: me.id, assignee_id: me.id }
await make.activityItem({ ...ofAustin, date: '2026-03-08' })
await make.activityItem({ campaign_id: boston.id, note: 'Pipes', date: '2026-03-10' })

await make.lead({
  campaign_id: austin.id,
  lead_name: 'Won',
  lead_type: 'Call',
  occurred_at: new Date('2026-03-08T12:00:00Z'),
  answered: true,
  first_call: true,
  tags: ['Voicemail', 'Voicemail Issues'],
  source: 'Google Paid',
  confirmed: true,
  client_progress: wonProgress,
  client_value: 100,
  client_profit: 50,
  rating: 4,
  rating_via: 'page',
})
await make.lead({ campaign_id: austin.id, lead_name: 'Plain', occurred_at: new Date('2026-03-09T12:00:00Z') })
await make.lead({
  campaign_id: boston.id,
  lead_name: 'Missed',
  lead_type: 'Call',
  occurred_at: new Date('2026-03-10T12:00:00Z'),
  tags: ['Missed Call'],
})
await make.lead({ campaign_id: null, lead_name: 'Nowhere', occurred_at: new Date('2026-03-10T13:00:00Z') })

/** A value of each filter that some of the rows above match, and some do not. */
const campaignFilters = { q: 'roofs', campaign_category_id: roofing.id }
const filterExamples: Record<string, Record<string, string | number>> = {
  'GET /client': { search: 'acme' },
  'GET /campaigns': campaignFilters,
  'GET /campaigns/archived': campaignFilters,
  'GET /statements': {
    campaign_ids: austin.id,
    client_ids: client_id,
    state: 'sent',
    cycle_ends_from: getToday(zone),
    cycle_ends_before: getToday(zone),
  },
  'GET /clientsite': { url: 'roofs', ip: '192.0.2.7', campaign_id: austin.id, status: 1 },
  'GET /networksite': { url: 'blog', ip: '192.0.2.8', category: blogs.id, status: 1, host: 'roofs.example' },
  'GET /networksite/outgoing-links': {
    q: 'roofs',
    network_site_q: 'blog',
    host: 'roofs.example',
    network_site_id: blog.id,
  },
  'GET /redirect_domains': { q: 'roofs' },
  'GET /campaign-gmb': { search: 'roofs', state: 1, campaign_id: austin.id },
  'GET /activity-log': {
    from: '2026-03-09',
    to: '2026-03-09',
    campaign_ids: `campaign-${austin.id}`,
    user_ids: me.id,
    my_tasks: 1,
  },
  'GET /leads/list/data': {
    date_from: '2026-03-09',
    date_to: '2026-03-09',
    dateRange: '2026-03-08,2026-03-08',
    category_id: roofing.id,
    campaign_ids: austin.id,
    tags: 'Missed Call',
    lead_search: 'plain',
    lead_type: 'Call',
    answering_status: 'Missed',
    client_progress: wonProgress,
    source: 'Google Paid',
    confirmed: 1,
    unmarked: 1,
    first_call: 1,
    voicemail: 1,
    voicemail_issues: 1,
    value: 1,
    profit: 1,
    won_value: 1,
    won_profit: 1,
    rating: 1,
    no_feedback: 1,
    queue: 'review',
    not_rated: 1,
    rating_via: 'page',
    missed: 1,
    has_campaign: 1,
    no_campaign: 1,
  },
}
/** Filters that leave every row of these lists. */
const widening: Record<string, string[]> = {
  'GET /leads/list/data': ['global'], // related leads of other campaigns too
}

type List = Endpoint & { list: { filters: object } }
const endpoints = allEndpoints.map(({ endpoint }) => endpoint)
const isList = (endpoint: Endpoint | undefined): endpoint is List => endpoint?.list !== undefined
const files = endpoints
  .filter(({ file, path }) => file !== undefined && path.endsWith('/export'))
  .flatMap((file) => {
    const path = file.path === '/lead/export' ? '/leads/list/data' : file.path.slice(0, -'/export'.length)
    const list = endpoints.find((one) => one.address === `GET ${path}`)
    return isList(list) ? [{ file, list }] : []
  })

test('every filter of a list that is also a file has an example here', () => {
  const filtersOf = ({ address, list }: List) =>
    Object.keys(list.filters).filter((name) => !widening[address]?.includes(name))
  expect(filterExamples, 'Give each filter a value in `filterExamples`, above, or name it in `widening`').toEqual(
    Object.fromEntries(
      files.map(({ list }) => [
        list.address,
        Object.fromEntries(filtersOf(list).map((name) => [name, expect.anything()])),
      ]),
    ),
  )
})

type Row = Record<string, string> & { id: number }
/** What tells a row from the others, in the list and in the file. */
const nameOf = ({ lead_name, note, name, title, url, domain, id }: Row) =>
  lead_name ?? note ?? name ?? title ?? url ?? domain ?? String(id)

async function readNames(list: List, query: object): Promise<string[]> {
  const { status, body } = await root.call({ ...list, response: undefined }, { query: { ...query, per_page: 200 } })
  expect(status, JSON.stringify(body)).toBe(200)
  return body.data.map(nameOf)
}
async function readLines(file: Endpoint, name: string, value: string | number): Promise<string[][]> {
  const query = { [name]: String(value) }
  const sent = file.method === 'GET' ? { query } : { body: query }
  const { status, body } = await root.call({ ...file, response: undefined }, sent)
  expect(status, JSON.stringify(body)).toBe(200)
  return parse(body, { bom: true, from_line: 2 })
}

test.each(
  files.flatMap(({ file, list }) =>
    Object.entries(filterExamples[list.address] ?? {}).map(([name, value]) => ({ file, list, name, value })),
  ),
)('$list.path: $name leaves the same rows in the list and in its file', async ({ file, list, name, value }) => {
  const all = await readNames(list, {})
  const found = await readNames(list, { [name]: value })
  expect(all.length).toBeGreaterThan(found.length)
  expect(found).not.toEqual([])
  const lines = await readLines(file, name, value)
  const inFile = lines.map((line) => all.find((one) => line.includes(one)))
  expect([...new Set(inFile)].toSorted()).toEqual(found.toSorted())
})
