import { parse } from 'csv-parse/sync'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { addDays, addMonths, getToday } from '#contract/days.ts'
import { computeBillingCycle } from '#domains/campaigns/server/billing-cycle.ts'
import { type Caller, setUp, startApp } from '#test/app.ts'
import { weeklyReportContract, weeklyReportSorts } from '../contract.ts'

const zone = 'America/New_York'
const now = getToday(zone)
const noon = (day: string) => new Date(`${day}T17:00:00Z`)

const app = await setUp(startApp({ settings: { AGENCY_TIMEZONE: zone } }))
const { make } = app
const root = await app.as(await make.superAdmin())
const category = (await make.category()).id
const client_id = (await make.client({ name: 'Acme' })).id
const alpha = await make.campaign({
  name: 'alpha',
  client_id,
  is_ppc: true,
  trouble_state: 10,
  due_date: 31,
  initial_target: 9,
  categories: [category],
})
const beta = await make.campaign({ name: 'Beta', client_id, trouble_state: 2, due_date: 1, initial_target: 0 })
await make.campaign({
  name: '=gamma',
  client_id: (await make.client({ name: 'Zeta' })).id,
  trouble_state: 2,
  initial_target: 30,
})
const { from } = computeBillingCycle(31, now)
for (const day of [from, now, addDays(from, -1)])
  await make.lead({ campaign_id: alpha.id, confirmed: true, occurred_at: noon(day) })
await make.lead({ campaign_id: alpha.id, tags: ['Missed Call'], occurred_at: noon(now) })
await make.lead({ campaign_id: alpha.id, tags: ['Voicemail'], occurred_at: noon(now) })

const read = async (query: object = {}, who = root) =>
  (await who.call(weeklyReportContract.read, { query: { ...query } })).body
const names = async (query: object) =>
  (await read(query)).campaigns.map(({ name }: { name: string }) => name).filter((name: string) => name !== 'old')

test('a campaign has its progress in the cycle [LTAB-18] [LTAB-19] [LTAB-24] [LTAB-25] [LTAB-26]', async () => {
  const { campaigns } = await read()
  const { days, gone, left, from } = computeBillingCycle(31, now)
  // The cycle may have started today: then its first lead and today's are on the same day.
  const current = 2
  const {
    leads,
    forecast: _forecast,
    health: _health,
    ...row
  } = campaigns.find(({ id }: { id: number }) => id === alpha.id)
  expect(row).toEqual({
    id: alpha.id,
    name: 'alpha',
    archived: 0,
    client: { id: alpha.client_id, name: 'Acme' },
    manager: alpha.manager,
    is_ppc: 1,
    trouble_state: 10,
    leads_target: 9,
    current_leads: current,
    missed_leads: 1,
    days_left: left,
    run_rate: Math.round(((current / gone) * days * 100) / 9) / 100,
  })
  expect(leads).toHaveLength(12)
  expect(leads.at(-1)).toMatchObject({ month: Number(now.slice(5, 7)), year: Number(now.slice(0, 4)) })
  expect(from <= now).toBe(true)
})

test('without a target there is no run rate [LTAB-26]', async () => {
  const { campaigns } = await read()
  expect(campaigns.find(({ id }: { id: number }) => id === beta.id)).toMatchObject({ leads_target: 0, run_rate: null })
})

test('totals are over the campaigns shown; averages skip what is null [LTAB-20] [LTAB-21] [LTAB-27]', async () => {
  const { campaigns, totals, total_calc } = await read()
  const rates = campaigns
    .map(({ run_rate }: { run_rate: number | null }) => run_rate)
    .filter((one: unknown) => one !== null)
  expect(total_calc).toEqual({
    unique_clients_count: 2,
    ppc_count: 1,
    ppc_percentage: 33.33,
    target_average: 13,
    verified_leads_count: 2,
    missed_leads_count: 1,
    run_rate_average: Math.round((rates.reduce((a: number, b: number) => a + b) * 100) / rates.length) / 100,
    trouble_states_counters: { 10: 1, 3: 0, 2: 2, 4: 0, 1: 0, 5: 0 },
    trouble_states_percentages: { 10: 33.33, 3: 0, 2: 66.67, 4: 0, 1: 0, 5: 0 },
  })
  for (const total of totals) {
    expect(total.avg_confirmed_for_campaign).toBe(Math.round((total.confirmed * 100) / 3) / 100)
    for (const week of total.weeks)
      expect(week.avg_confirmed_for_campaign).toBe(Math.round((week.confirmed * 100) / 3) / 100)
  }
})

test('categories narrow it, unused ones leave an empty table [LTAB-01] [LTAB-18]', async () => {
  expect(await names({ category_ids: category })).toEqual(['alpha'])
  const empty = await read({ category_ids: (await app.make.category()).id })
  expect(empty).toMatchObject({ campaigns: [], total_calc: { ppc_percentage: null, target_average: null } })
  expect(empty.totals[0]).toMatchObject({ confirmed: 0, avg_confirmed_for_campaign: null })
})

test('it sorts by each of the left columns, either way, nulls last [LTAB-05]', async () => {
  expect(await names({ sort: 'campaign', order: 'desc' })).toEqual(['Beta', 'alpha', '=gamma'])
  expect(await names({ sort: 'client' })).toEqual(['alpha', 'Beta', '=gamma'])
  expect(await names({ sort: 'ppc', order: 'desc' })).toEqual(['alpha', '=gamma', 'Beta'])
  expect(await names({ sort: 'trouble_state' })).toEqual(['alpha', '=gamma', 'Beta'])
  expect(await names({ sort: 'target' })).toEqual(['Beta', 'alpha', '=gamma'])
  expect(await names({ sort: 'verified', order: 'desc' })).toEqual(['alpha', '=gamma', 'Beta'])
  expect(await names({ sort: 'missed', order: 'desc' })).toEqual(['alpha', '=gamma', 'Beta'])
  for (const order of ['asc', 'desc']) expect((await names({ sort: 'run_date', order })).at(-1)).toBe('Beta')
  const left = (await read({ sort: 'days_left' })).campaigns.map(({ days_left }: { days_left: number }) => days_left)
  expect(left).toEqual(left.toSorted((a: number, b: number) => a - b))
})

test('an archived campaign is included while it has leads in those months, and counts', async () => {
  const old = await app.make.campaign({ name: 'old', archived: true })
  expect(await names({})).toHaveLength(3)
  const long = addMonths(now, -15)
  await app.make.lead({ campaign_id: old.id, confirmed: true, occurred_at: noon(long) })
  const has = async (year: string) =>
    (await read({ year })).campaigns.some(
      ({ id, archived }: { id: number; archived: number }) => id === old.id && archived,
    )
  expect([await has('last_12_months'), await has(long.slice(0, 4))]).toEqual([false, true])
})

test('unknown years and sorts are refused on their fields; an empty year is the default [LTAB-18]', async () => {
  const refused = async (query: object) => {
    const { status, body } = await root.call(weeklyReportContract.read, { query: { ...query } })
    return [status, Object.keys(body.errors)]
  }
  expect(await refused({ year: 'last' })).toEqual([422, ['year']])
  expect(await refused({ year: '1999' })).toEqual([422, ['year']])
  expect(await refused({ sort: 'name' })).toEqual([422, ['sort']])
  expect(await refused({ category_ids: 'x' })).toEqual([422, ['category_ids']])
  expect((await read({ year: '' })).totals).toHaveLength(12)
})

test('a handler has their campaigns without client, target and run rate, and cannot sort by them [PERM-04]', async () => {
  const handler = await app.as(await app.make.handler({ campaigns: [alpha.id], permissions: ['leadChart'] }))
  const { campaigns, total_calc } = await read({}, handler)
  expect(campaigns).toHaveLength(1)
  expect(Object.keys(campaigns[0]).sort()).toEqual(
    ['archived', 'current_leads', 'days_left', 'id', 'is_ppc', 'leads', 'missed_leads', 'name', 'trouble_state'].sort(),
  )
  expect(Object.keys(total_calc)).not.toEqual(
    expect.arrayContaining(['target_average', 'run_rate_average', 'unique_clients_count']),
  )
  for (const sort of weeklyReportSorts) {
    const { status } = await handler.call(weeklyReportContract.read, { query: { sort } })
    expect([sort, status]).toEqual([
      sort,
      ['client', 'target', 'run_date', 'chance', 'health'].includes(sort) ? 422 : 200,
    ])
  }
  const csv = await (await exported(handler, {})).text()
  expect(csv).not.toMatch(/Acme|Target|Run Rate|Chance|Health/)
})

test('guests, customers and those without the page are refused', async () => {
  const customer = await app.as(await app.make.customer({ client_id: alpha.client_id }))
  const other = await app.as(await app.make.admin({ campaigns: [alpha.id], permissions: ['leads'] }))
  for (const [who, status] of [
    [app.guest, 401],
    [customer, 403],
    [other, 403],
  ] as const) {
    expect((await who.call(weeklyReportContract.read)).status).toBe(status)
    expect((await exported(who, {})).status).toBe(status)
  }
})

const exported = (who: Caller, body: object) =>
  who.fetch('/api/lead/table/export', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

test('the export is the table as shown, in its order, as lead_table.csv, and no cell is a formula [LTAB-03] [LTAB-22]', async () => {
  const answer = await exported(root, { sort: 'verified', order: 'desc' })
  expect(answer.headers.get('content-disposition')).toBe('attachment; filename="lead_table.csv"')
  const lines: Record<string, string>[] = parse(await answer.text(), { columns: true, bom: true })
  const table = await read({ sort: 'verified', order: 'desc' })
  expect(lines.map((line) => line.Campaign)).toEqual(['alpha', "'=gamma", 'Beta', 'Total Campaigns: 3'])
  expect(lines[0]).toMatchObject({
    Client: 'Acme',
    PPC: 'Yes',
    Status: 'Troubled',
    Target: '9',
    'Verif.': '2',
    'Miss.': '1',
  })
  expect(lines[0]!['Run Rate']).toBe(String(table.campaigns[0].run_rate))
  expect(lines[2]).toMatchObject({ PPC: 'No', Status: 'No issues', Target: '0', 'Run Rate': '' })
  expect(lines[3]).toMatchObject({ Client: '2', PPC: '1', Target: '13', 'Verif.': '2', 'Miss.': '1' })
  const heads = Object.keys(lines[0]!)
  const month = heads.filter((head) => head.includes(now.slice(0, 4)) && head.endsWith('Total Confirmed')).at(-1)!
  expect(lines[0]![month]).toBe(String(table.campaigns[0].leads.at(-1).confirmed))
  expect(heads).toHaveLength(
    11 + 2 * (12 + table.weeks.reduce((all: number, { count }: { count: number }) => all + count, 0)),
  )

  const narrowed: Record<string, string>[] = parse(
    await (await exported(root, { year: now.slice(0, 4), category_ids: [category] })).text(),
    { columns: true, bom: true },
  )
  expect(narrowed.map((line) => line.Campaign)).toEqual(['alpha', 'Total Campaigns: 1'])
  expect(Object.keys(narrowed[0]!).some((head) => head.includes(String(Number(now.slice(0, 4)) - 1)))).toBe(false)
  const { rows } = await app.context.db.execute(
    sql`select after from audit where kind = 'export' order by id desc limit 1`,
  )
  expect(rows).toEqual([{ after: { of: 'lead table', rows: 1 } }])
})
