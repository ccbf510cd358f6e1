import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { addDays, getToday } from '#contract/days.ts'
import { setUp, startApp } from '#test/app.ts'
import { type WeeklyReportCampaign, weeklyReportContract } from '../contract.ts'

const zone = 'America/New_York'
const today = getToday(zone)
/** In the middle of the cycle: on its first day every chance is uncertain. */
const due_date = Number(addDays(today, -15).slice(-2))

const ids: Record<string, number> = {}
// Nothing takes time: what took long to compute is kept for a while despite changes, which on a busy machine would be everything.
beforeAll(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterAll(() => void vi.useRealTimers())

const app = await setUp(startApp({ settings: { AGENCY_TIMEZONE: zone } }))
const { make } = app
const root = await app.as(await make.superAdmin())
const acme = (await make.client({ name: 'Acme' })).id
const campaign = async (name: string, values: Parameters<typeof make.campaign>[0]) => {
  ids[name] = (await make.campaign({ name, start_date: addDays(today, -200), due_date, ...values })).id
}
await campaign('behind', { initial_target: 500, trouble_state: 2, client_id: acme, manager: 'Dana' })
await campaign('ahead', { initial_target: 5, trouble_state: 10, manager: 'Morgan' })
await campaign('known behind', { initial_target: 500, trouble_state: 10, manager: 'Morgan' })
await campaign('no target', { initial_target: 0, trouble_state: 2, manager: 'Sam' })
await campaign('old', { initial_target: 500, trouble_state: 5, archived: true, manager: 'Sam' })
await make.lead({ campaign_id: ids.old!, confirmed: true, occurred_at: new Date() })
for (const name of ['behind', 'ahead', 'known behind'])
  for (let day = 45; day > 0; day--) {
    const at = new Date(`${addDays(today, -day)}T16:00:00Z`)
    await make.lead({ campaign_id: ids[name]!, confirmed: true, occurred_at: at, created_at: at })
  }

const ask = (query: object, who = root) => who.call(weeklyReportContract.read, { query: { ...query } })
const names = async (query: object) =>
  (await ask(query)).body.campaigns.map(({ name }: WeeklyReportCampaign) => name) as string[]

test('a campaign has its chance with a range, and a health that leaves the status as set by staff [PACE-03]', async () => {
  const rows: WeeklyReportCampaign[] = (await ask({})).body.campaigns
  const of = (name: string) => rows.find((row) => row.name === name)!
  expect(of('behind')).toMatchObject({ health: 'behind', trouble_state: 2, manager: 'Dana' })
  expect(of('ahead')).toMatchObject({ health: 'ahead', trouble_state: 10 })
  const { chance, low, expected, high } = of('ahead').forecast!
  expect(chance).toBeGreaterThan(0.9)
  expect(low).toBeLessThan(expected)
  expect(expected).toBeLessThan(high)
  expect(of('no target')).toMatchObject({ health: 'unknown', forecast: { chance: null, high: expect.any(Number) } })
})

test('it sorts by chance, and by health with contradicted statuses first [PACE-03]', async () => {
  expect((await names({ sort: 'chance', order: 'desc' }))[0]).toBe('ahead')
  for (const order of ['asc', 'desc'])
    expect((await names({ sort: 'chance', order })).slice(-2).toSorted()).toEqual(['no target', 'old'])
  expect(await names({ sort: 'health' })).toEqual(['behind', 'ahead', 'known behind', 'no target', 'old'])
})

test('status, health, client and manager narrow it, in totals too; unknown values are refused on their fields [PACE-03]', async () => {
  expect(await names({ trouble_state: 10 })).toEqual(['ahead', 'known behind'])
  expect(await names({ health: 'behind' })).toEqual(['behind', 'known behind'])
  expect(await names({ health: 'behind,unknown', trouble_state: '2' })).toEqual(['behind', 'no target'])
  expect(await names({ client_id: acme })).toEqual(['behind'])
  expect(await names({ manager: 'Morgan' })).toEqual(['ahead', 'known behind'])
  expect((await ask({ health: 'behind' })).body.total_calc.target_average).toBe(500)
  for (const [name, value] of [
    ['health', 'well'],
    ['trouble_state', 7],
    ['client_id', 'x'],
  ] as const) {
    const { status, body } = await ask({ [name]: value })
    expect([status, Object.keys(body.errors)[0]]).toEqual([422, expect.stringContaining(name)])
  }
})

test('an archived campaign is not forecast [PACE-03]', async () => {
  const rows: WeeklyReportCampaign[] = (await ask({})).body.campaigns
  expect(rows.find(({ name }) => name === 'old')).toMatchObject({ forecast: null, health: 'unknown' })
})

test('a user who may not read targets gets neither chance nor health, and cannot narrow by them [PACE-03]', async () => {
  const handler = await app.as(await app.make.handler({ campaigns: [ids.behind!], permissions: ['leadChart'] }))
  const { campaigns } = (await ask({}, handler)).body
  for (const field of ['forecast', 'health', 'manager']) expect(campaigns[0]).not.toHaveProperty(field)
  for (const query of [{ health: 'behind' }, { client_id: acme }, { manager: 'Dana' }])
    expect(await ask(query, handler)).toMatchObject({
      status: 422,
      body: { errors: { [Object.keys(query)[0]!]: ['Not available to you'] } },
    })
  expect((await ask({ trouble_state: 2 }, handler)).status).toBe(200)
})

test('a campaign that has not begun is not forecast [PACE-03]', async () => {
  await campaign('tomorrow', { initial_target: 30, start_date: addDays(today, 1) })
  await campaign('today', { initial_target: 30, start_date: today })
  const rows: WeeklyReportCampaign[] = (await ask({})).body.campaigns
  expect(rows.find(({ name }) => name === 'tomorrow')).toMatchObject({ forecast: null, health: 'unknown' })
  expect(rows.find(({ name }) => name === 'today')).toMatchObject({ forecast: { chance: expect.any(Number) } })
})
