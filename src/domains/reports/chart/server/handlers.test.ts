import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { addDays, addMonths, getToday, startOfWeek } from '#contract/days.ts'
import { weeklyReportContract } from '#domains/reports/weekly-report/contract.ts'
import { type Caller, setUp, startApp } from '#test/app.ts'
import { leadChartContract } from '../contract.ts'

const zone = 'America/New_York'
const now = getToday(zone)
const noon = (day: string) => new Date(`${day}T17:00:00Z`)

const app = await setUp(startApp({ settings: { AGENCY_TIMEZONE: zone } }))
const { make } = app
const root = await app.as(await make.superAdmin())
const category = (await make.category()).id
const client_id = (await make.client({ name: 'Acme' })).id
const campaign = await make.campaign({ client_id, categories: [category], is_ppc: true, initial_target: 12 })
for (const day of ['2026-03-02', '2026-03-08', '2026-03-16'])
  await make.lead({ campaign_id: campaign.id, confirmed: true, occurred_at: noon(day) })
await make.lead({ campaign_id: campaign.id, tags: ['Auto Missed Call'], occurred_at: noon('2026-03-17') })
await make.lead({ confirmed: true, occurred_at: noon('2026-03-04') }) // of another campaign
await make.lead({ campaign_id: null, confirmed: true, occurred_at: noon('2026-03-04') })

const march = { date_from: '2026-03-02', date_to: '2026-03-20' }
const ask = (body?: object, who = root) => who.call(leadChartContract.read, { body })
const usual = (id: number | string, who = root, query: Record<string, unknown> = {}) =>
  who.call(leadChartContract.usual, { params: { id }, query })

test('weeks start on Monday, empty ones are included, months have their first day [LCH-07] [LCH-11]', async () => {
  expect((await ask({ ...march, group: 'week' })).body).toEqual({
    statistic: { dates: ['2026-03-02', '2026-03-09', '2026-03-16'], confirmed: [3, 0, 1], missed: [0, 0, 1] },
    campaign: null,
    campaign_ids: null,
  })
  const { body } = await ask({ date_from: '2026-02-18', date_to: '2026-04-01', group: 'month' })
  expect(body.statistic).toEqual({
    dates: ['2026-02-01', '2026-03-01', '2026-04-01'],
    confirmed: [0, 4, 0],
    missed: [0, 1, 0],
  })
})

test('a bucket cut by the range holds only its part within the range [LCH-11]', async () => {
  const { body } = await ask({ date_from: '2026-03-03', date_to: '2026-03-07' })
  expect(body.statistic).toEqual({ dates: ['2026-03-02'], confirmed: [1], missed: [0] })
})

test('one campaign comes with its progress; categories narrow, and name the campaigns [LCH-07] [LCH-09]', async () => {
  const { body } = await ask({ ...march, campaign_id: campaign.id, category_ids: [] })
  const table = (await root.call(weeklyReportContract.read)).body.campaigns.find(
    ({ id }: { id: number }) => id === campaign.id,
  )
  const { id, client, is_ppc, leads_target, current_leads, missed_leads, days_left, run_rate } = table
  expect(body.campaign).toEqual({ id, client, is_ppc, leads_target, current_leads, missed_leads, days_left, run_rate })
  expect(body.campaign).toMatchObject({ client: { name: 'Acme' }, is_ppc: 1, leads_target: 12 })
  expect([body.statistic.confirmed, body.campaign_ids]).toEqual([[2, 0, 1], [campaign.id]])

  const narrowed = (await ask({ ...march, category_ids: [category] })).body
  expect([narrowed.statistic.confirmed, narrowed.campaign_ids, narrowed.campaign]).toEqual([
    [2, 0, 1],
    [campaign.id],
    null,
  ])
  const other = (await app.make.category()).id
  const none = (await ask({ ...march, campaign_id: campaign.id, category_ids: [other] })).body
  expect([none.statistic.confirmed, none.campaign_ids]).toEqual([[0, 0, 0], []])
})

test('the default is the last 12 months by week, of a campaign or of all [LCH-05] [LCH-08]', async () => {
  const { body: total } = await usual('total')
  expect([total.statistic.dates[0], total.campaign]).toEqual([startOfWeek(addMonths(now, -12)), null])
  expect(total.statistic.dates.at(-1)).toBe(startOfWeek(now))
  expect(total.statistic.dates[1]).toBe(addDays(total.statistic.dates[0], 7))
  expect((await ask()).body).toEqual(total)
  expect((await ask({ group: '', date_from: null, campaign_id: '' })).body).toEqual(total)
  const { body: one } = await usual(campaign.id)
  expect(one).toEqual((await ask({ campaign_id: campaign.id })).body)
  expect(one.campaign.id).toBe(campaign.id)
  for (const wrong of ['all', '0', '-1', '99999999999']) expect((await usual(wrong)).status).toBe(404)
})

test('the chart of a campaign or of all is read with the same filters by GET', async () => {
  for (const query of [
    { ...march, group: 'month' },
    { ...march, category_ids: `${category},${category + 1}` },
    { group: '' },
    { date_to: '2026-03-20' },
  ]) {
    expect(await usual('total', root, query)).toMatchObject({ status: 200, body: (await ask(query)).body })
    const one = { ...query, campaign_id: campaign.id }
    expect(await usual(campaign.id, root, query)).toMatchObject({ status: 200, body: (await ask(one)).body })
  }
})

test('a range that cannot be shown is refused on its field [LCH-07]', async () => {
  const refused = async (body: Record<string, unknown>) => {
    const answers = [await ask(body), ...('campaign_id' in body ? [] : [await usual('total', root, body)])]
    const says = answers.map(({ status, body: { errors } }) => [status, ...Object.keys(errors)])
    expect(says.at(-1)).toEqual(says[0])
    return says[0]
  }
  expect(await refused({ group: 'day' })).toEqual([422, 'group'])
  expect(await refused({ date_from: '2026-02-30' })).toEqual([422, 'date_from'])
  expect(await refused({ date_from: '2026-03-02', date_to: '2026-03-01' })).toEqual([422, 'date_from'])
  expect(await refused({ date_from: addDays(now, 1) })).toEqual([422, 'date_from'])
  expect(await refused({ date_from: '1950-01-01' })).toEqual([422, 'date_from'])
  expect(await refused({ campaign_id: 'x' })).toEqual([422, 'campaign_id'])
  expect(await refused({ category_ids: ['x'] })).toEqual([422, 'category_ids'])
})

test('a handler sees their campaigns, without client, target and run rate; another campaign is not found [PERM-04]', async () => {
  const handler = await app.as(await app.make.handler({ campaigns: [campaign.id], permissions: ['leadChart'] }))
  expect((await ask(march, handler)).body.statistic.confirmed).toEqual([2, 0, 1])
  const { body } = await usual(campaign.id, handler)
  expect(Object.keys(body.campaign).sort()).toEqual(['current_leads', 'days_left', 'id', 'is_ppc', 'missed_leads'])
  const foreign = (await app.make.campaign()).id
  const unknown = 2_147_483_647
  for (const id of [foreign, unknown]) {
    expect(await usual(id, handler)).toMatchObject({
      status: 404,
      body: { message: 'This no longer exists, or you don’t have access to it' },
    })
    expect((await ask({ campaign_id: id }, handler)).status).toBe(404)
    expect((await exported(handler, { campaign_id: id })).status).toBe(404)
  }
})

test('guests, customers and those without the page are refused', async () => {
  const customer = await app.as(await app.make.customer({ client_id: campaign.client_id }))
  const other = await app.as(await app.make.admin({ campaigns: [campaign.id], permissions: ['leads'] }))
  for (const [who, status] of [
    [app.guest, 401],
    [customer, 403],
    [other, 403],
  ] as const) {
    expect((await ask(march, who)).status).toBe(status)
    expect((await usual('total', who)).status).toBe(status)
    expect((await exported(who, {})).status).toBe(status)
  }
})

const exported = (who: Caller, body: object) =>
  who.fetch('/api/lead/chart/export', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

test('the export has the same numbers, as lead_chart.csv [LCH-10]', async () => {
  const answer = await exported(root, { ...march, campaign_id: campaign.id })
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(answer.headers.get('content-disposition')).toBe('attachment; filename="lead_chart.csv"')
  expect(parse(await answer.text(), { bom: true })).toEqual([
    ['Week of', 'Confirmed Leads', 'Missed Leads'],
    ['2026-03-02', '2', '0'],
    ['2026-03-09', '0', '0'],
    ['2026-03-16', '1', '1'],
  ])
})
