import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { setUp, startApp } from '#test/app.ts'
import { type Campaign, campaignsContract } from '../contract.ts'

const ids = { roofing: 0, plumbing: 0, alpha: 0, beta: 0, gamma: 0, closed: 0 }

const app = await setUp(startApp({ settings: { AGENCY_TIMEZONE: 'UTC' } }))
const { make } = app
const root = await app.as(await make.superAdmin())
ids.roofing = (await make.category({ name: 'roofing', color: '#aa0000' })).id
ids.plumbing = (await make.category({ name: 'Plumbing', color: '#0000aa' })).id
const acme = await make.client({ name: 'Acme' })
const zeta = await make.client({ name: 'Zeta 100%' })
ids.alpha = (
  await make.campaign({
    name: 'alpha',
    client_id: zeta.id,
    categories: [ids.roofing, ids.plumbing],
    manager: 'Morgan',
    start_date: '2020-01-15',
    due_date: 20,
    initial_target: 10,
    month_3_target: 30,
    month_12_target: 60,
    service_fee: 1500,
    approved_ppc: 500,
    fixed_to_top: true,
  })
).id
ids.beta = (
  await make.campaign({
    name: 'Beta',
    client_id: acme.id,
    categories: [ids.roofing],
    manager: 'dana',
    start_date: null,
    due_date: 5,
    initial_target: 20,
    service_fee: 0,
    approved_ppc: 100.5,
  })
).id
ids.gamma = (
  await make.campaign({
    name: 'Gamma',
    client_id: acme.id,
    manager: 'Chris',
    start_date: '2019-05-01',
    due_date: 5,
    initial_target: 30,
    month_6_target: 40,
    service_fee: 999.99,
    approved_ppc: 0,
  })
).id
ids.closed = (
  await make.campaign({
    name: 'Closed',
    client_id: acme.id,
    categories: [ids.roofing],
    archived: true,
    service_fee: 70,
  })
).id
await make.clientSite({ campaign_id: ids.alpha, url: 'https://www.zeta.example' })
await make.clientSite({ campaign_id: ids.alpha, url: 'https://Best-roof.example/landing' })
await make.clientSite({ campaign_id: ids.gamma, url: 'https://gone.example', deleted_at: new Date() })
await make.gmb({ campaign_id: ids.alpha })
await make.gmb({ campaign_id: ids.alpha, status: 5 })
await make.gmb({ campaign_id: ids.alpha, deleted_at: new Date() })

const ask = async (query: Record<string, unknown> = {}, who = root) =>
  (await who.call(campaignsContract.list, { query })).body
const namesOf = (body: { data: Campaign[] }) => body.data.map(({ name }) => name)

test('the list has the active campaigns, by due date, with total and summary [CAMP-35] [CAMP-15]', async () => {
  const body = await ask({ page: 1, per_page: 2, cache: 1 })
  expect(namesOf(body)).toEqual(['Beta', 'Gamma'])
  expect(body.meta).toEqual({ total: 3 })
  expect(namesOf(await ask({ page: 2, per_page: 2 }))).toEqual(['alpha'])
  expect(await ask({ page: 9 })).toMatchObject({ data: [], meta: { total: 3 }, summary: { total: 3 } })
  expect(campaignsContract.list.list.defaults).toEqual({ sort: 'due_date', order: 'asc', perPage: 50 })
})

test('the archive has the archived ones, in the same shape [CAMP-36]', async () => {
  const { body } = await root.call(campaignsContract.archived, { query: { campaign_category_id: ids.roofing } })
  expect(namesOf(body)).toEqual(['Closed'])
  expect(body).toMatchObject({ meta: { total: 1 }, summary: { total: 1, service_fee: { total: 70, avg: 70 } } })
  expect(body.data[0].archived).toBe(1)
})

test('a row has its fields, including computed ones [CAMP-37] [CAMP-50] [CAMP-51]', async () => {
  const { data } = await ask({ sort: 'name' })
  expect(data[0]).toEqual({
    id: ids.alpha,
    name: 'alpha',
    categories: [
      { id: ids.plumbing, name: 'Plumbing', color: '#0000aa' },
      { id: ids.roofing, name: 'roofing', color: '#aa0000' },
    ],
    client: { id: expect.any(Number), name: 'Zeta 100%' },
    client_sites: [
      { id: expect.any(Number), url: 'https://Best-roof.example/landing' },
      { id: expect.any(Number), url: 'https://www.zeta.example' },
    ],
    manager: 'Morgan',
    start_date: '2020-01-15',
    due_date: 20,
    current_target: 60,
    initial_target: 10,
    month_3_target: 30,
    month_6_target: null,
    month_9_target: null,
    month_12_target: 60,
    service_fee: 1500,
    approved_ppc: 500,
    ppc: expect.closeTo(33.333333, 5),
    net: 1000,
    gmbs_count: 2,
    archived: 0,
    fixed_to_top: 1,
    version: 1,
  })
  expect(data[1]).toMatchObject({ start_date: null, ppc: null, net: -100.5, client_sites: [], gmbs_count: 0 })
})

test('the summary is over all matches, on any page; averages skip nulls [CAMP-38] [CAMP-49]', async () => {
  expect((await ask({ per_page: 1 })).summary).toEqual({
    approved_ppc: { total: 600.5, avg: 200.17 },
    net: { total: 1899.49 },
    ppc: { avg: expect.closeTo(16.6666667, 5) },
    service_fee: { total: 2499.99, avg: 833.33 },
    total: 3,
  })
  expect((await ask({ q: 'nothing like it' })).summary).toEqual({
    approved_ppc: { total: 0, avg: null },
    net: { total: 0 },
    ppc: { avg: null },
    service_fee: { total: 0, avg: null },
    total: 0,
  })
  expect((await ask({ q: 'gamma' })).summary).toMatchObject({ total: 1, net: { total: 999.99 } })
})

test('the search covers campaign, client and site, as text and in any case [CAMP-48]', async () => {
  expect(namesOf(await ask({ q: 'ALPH' }))).toEqual(['alpha'])
  expect(namesOf(await ask({ q: 'acme' }))).toEqual(['Beta', 'Gamma'])
  expect(namesOf(await ask({ q: 'best-ROOF.example' }))).toEqual(['alpha'])
  expect(namesOf(await ask({ q: '100%' }))).toEqual(['alpha'])
  expect(namesOf(await ask({ q: 'a_pha' }))).toEqual([])
  expect(namesOf(await ask({ q: 'gone.example' }))).toEqual([])
})

test('filters by category', async () => {
  expect(namesOf(await ask({ campaign_category_id: ids.roofing }))).toEqual(['Beta', 'alpha'])
  expect((await ask({ campaign_category_id: ids.plumbing })).summary.total).toBe(1)
  expect(namesOf(await ask({ campaign_category_id: 999_999 }))).toEqual([])
})

describe('the list is sorted by any of its columns [CAMP-14]', () => {
  test.each([
    ['name', 'alpha Beta Gamma'],
    ['campaigncategory.name', 'alpha Beta Gamma'],
    ['client.name', 'Beta Gamma alpha'],
    ['client_sites', 'alpha Beta Gamma'],
    ['manager', 'Gamma Beta alpha'],
    ['start_date', 'Gamma alpha Beta'],
    ['due_date', 'Beta Gamma alpha'],
    ['current_target', 'Beta Gamma alpha'],
    ['initial_target', 'alpha Beta Gamma'],
    ['month_3_target', 'alpha Beta Gamma'],
    ['month_6_target', 'Gamma alpha Beta'],
    ['month_9_target', 'alpha Beta Gamma'],
    ['month_12_target', 'alpha Beta Gamma'],
    ['service_fee', 'Beta Gamma alpha'],
    ['approved_ppc', 'Gamma Beta alpha'],
    ['ppc', 'Gamma alpha Beta'],
    ['net', 'Beta Gamma alpha'],
    ['gmbs_count', 'Beta Gamma alpha'],
  ])('by %s, nulls last, then by id', async (sort, names) => {
    expect(namesOf(await ask({ sort, order: 'asc' })).join(' ')).toBe(names)
  })

  test('descending reverses values and ids and keeps nulls last', async () => {
    expect(namesOf(await ask({ sort: 'month_6_target', order: 'desc' }))).toEqual(['Gamma', 'Beta', 'alpha'])
    expect(namesOf(await ask({ sort: 'ppc', order: 'desc' }))).toEqual(['alpha', 'Gamma', 'Beta'])
  })

  test('by anything else is refused by name', async () => {
    for (const query of [{ sort: 'notes' }, { order: 'up' }, { per_page: 201 }, { campaign_category_id: 'x' }]) {
      const { status, body } = await root.call(campaignsContract.list, { query })
      expect([status, Object.keys(body.errors)]).toEqual([422, Object.keys(query)])
    }
  })
})

test('this month’s target depends on whole months since the start, and falls back [CAMP-52] [CAMP-53]', async () => {
  const started = async (ago: string, targets: object) => {
    const { rows } = await app.context.db.execute<{ day: string }>(
      sql.raw(`select ((now() at time zone 'UTC')::date ${ago})::date::text as day`),
    )
    const { id } = await app.make.campaign({ start_date: rows[0]!.day, initial_target: 1, archived: true, ...targets })
    const { body } = await root.call(campaignsContract.archived, { query: { per_page: 200 } })
    return body.data.find((row: Campaign) => row.id === id).current_target
  }
  const all = { month_3_target: 3, month_6_target: 6, month_9_target: 9, month_12_target: 12 }
  expect(await started("+ interval '5 days'", all)).toBe(1)
  // Further than the ends of months are apart: three months after November 30 is February 28.
  expect(await started("- interval '3 months' + interval '4 days'", all)).toBe(1)
  expect(await started("- interval '3 months'", all)).toBe(3)
  expect(await started("- interval '6 months'", all)).toBe(6)
  expect(await started("- interval '9 months'", all)).toBe(9)
  expect(await started("- interval '12 months' + interval '2 days'", all)).toBe(9)
  expect(await started("- interval '12 months'", all)).toBe(12)
  expect(await started("- interval '7 years'", all)).toBe(12)
  expect(await started("- interval '12 months'", { month_6_target: 6 })).toBe(6)
  expect(await started("- interval '12 months'", {})).toBe(1)
  expect(await started("- interval '4 months'", { month_6_target: 6, month_12_target: 12 })).toBe(1)
  expect(await started("- interval '12 months'", { ...all, month_12_target: 0 })).toBe(0)
})

test('an admin sees, sums and counts only their campaigns; others see none [PERM-01]', async () => {
  const admin = await app.as(await app.make.admin({ campaigns: [ids.beta, ids.closed] }))
  expect(await ask({}, admin)).toMatchObject({
    data: [{ name: 'Beta' }],
    meta: { total: 1 },
    summary: { total: 1, approved_ppc: { total: 100.5 } },
  })
  const none = await app.as(await app.make.admin({ campaigns: [] }))
  expect(await ask({ q: 'alpha' }, none)).toMatchObject({ data: [], meta: { total: 0 }, summary: { total: 0 } })
  for (const person of [
    await app.make.admin({ campaigns: [ids.beta], permissions: ['leads', 'clients'] }),
    await app.make.handler({ campaigns: [ids.beta], permissions: ['campaigns', 'leads'] }),
    await app.make.customer(),
  ])
    expect((await (await app.as(person)).call(campaignsContract.list)).status).toBe(403)
})

test('one campaign is read as the list shows it, archived or not, by admins with Campaigns who may see it [DESK-08]', async () => {
  const get = async (id: number, who = root) => who.call(campaignsContract.get, { params: { id } })
  const { data } = (await root.call(campaignsContract.list, { query: { q: 'alpha' } })).body
  expect((await get(ids.alpha)).body).toEqual(data.find((one: Campaign) => one.id === ids.alpha))
  expect((await get(ids.closed)).body).toMatchObject({ id: ids.closed, archived: 1 })
  expect((await get(ids.alpha, await app.as(await make.admin({ campaigns: [ids.beta] })))).status).toBe(404)
  expect(
    (await get(ids.alpha, await app.as(await make.admin({ campaigns: [ids.alpha], permissions: ['leads'] })))).status,
  ).toBe(403)
})
