import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { addMonths, getToday } from '#contract/days.ts'
import { activityItemsContract } from '#domains/activity/contract.ts'
import { activityLogContract } from '#domains/activity/log/contract.ts'
import { setUp, startApp } from '#test/app.ts'
import { changelogContract } from '../contract.ts'

const users: Record<string, number> = {}
const campaigns = { sticky: 0, beta: 0, Alpha: 0, foreign: 0, archived: 0, quiet: 0 }
let team: number

const app = await setUp(startApp({ settings: { AGENCY_TIMEZONE: 'UTC' } }))
const { make } = app
for (const name of Object.keys(campaigns) as (keyof typeof campaigns)[])
  campaigns[name] = (
    await make.campaign({
      name,
      fixed_to_top: name === 'sticky',
      archived: ['archived', 'quiet'].includes(name),
      notes: name === 'beta' ? 'Two crews' : '',
    })
  ).id
// A team whose id is also a campaign's.
do team = (await make.team({ name: 'Ads' })).id
while (team < campaigns.beta)
await app.context.db.execute(sql`update teams set deleted_at = now() where id <> ${team}`)
const olivia = await make.superAdmin({ username: 'olivia' })
const { sticky, beta, Alpha } = campaigns
const morgan = await make.admin({ username: 'morgan', campaigns: [sticky, beta, Alpha] })
Object.assign(users, { olivia: olivia.id, morgan: morgan.id })
const root = await app.as(olivia)
const admin = await app.as(morgan)
const item = (campaign_id: number | null, date: string, note: string, values: object = {}) =>
  make.activityItem({
    campaign_id,
    date,
    note,
    user_id: olivia.id,
    ...(campaign_id ? {} : { team_id: team }),
    ...values,
  })
await item(beta, '2026-03-01', 'one')
await item(beta, '2026-03-01', 'two', { user_id: morgan.id })
await item(beta, '2026-03-03', 'three', { assignee_id: morgan.id })
await item(campaigns.foreign, '2026-03-03', 'of others')
await item(campaigns.archived, '2026-03-02', 'before it was archived')
await item(null, '2026-03-02', 'of the team')
await item(beta, '2026-03-02', 'gone', { deleted_at: new Date() })
await item(beta, '2026-03-04', 'later')

const range = { from: '2026-03-01', to: '2026-03-03' }
const grid = (query: object = {}, who = root) => who.call(changelogContract.grid, { query: { ...range, ...query } })
const names = (lines: { name: string }[]) => lines.map(({ name }) => name)

describe('the grid', () => {
  test('has its groups by name, each day with its count, and the total [CHG-11] [CHG-14]', async () => {
    const { body } = await grid()
    expect(names(body.sticky_campaigns)).toEqual(['sticky'])
    expect(names(body.campaigns)).toEqual(['Alpha', 'archived', 'beta', 'foreign'])
    expect(body.campaigns[2]).toEqual({
      id: campaigns.beta,
      name: 'beta',
      note: 'Two crews',
      type: 'campaign',
      key: `campaign-${campaigns.beta}`,
    })
    expect(body.teams).toEqual([{ id: team, name: 'Ads', note: '', type: 'team', key: `team-${team}` }])
    expect(body.days_list).toEqual({
      '2026-03-01': { total: 2 },
      '2026-03-02': { total: 2 },
      '2026-03-03': { total: 2 },
    })
    expect(body.total_changelog_count).toBe(6)
  })

  test('has under each campaign and team its items by day, with instants as everywhere [CHG-12] [API-03]', async () => {
    const { body } = await grid()
    const cells = body.changelogs_by_campaign
    expect(cells[campaigns.beta].data['2026-03-01']).toEqual({
      total: 2,
      data: [
        {
          id: expect.any(Number),
          note: 'one',
          created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
          user: { username: 'olivia' },
          version: 1,
        },
        {
          id: expect.any(Number),
          note: 'two',
          created_at: expect.any(String),
          user: { username: 'morgan' },
          version: 1,
        },
      ],
    })
    expect(cells[campaigns.beta].data['2026-03-03'].data).toMatchObject([
      { note: 'three', is_task: 1, is_done: 0, assignee_id: users.morgan },
    ])
    expect(cells[campaigns.beta].data['2026-03-02']).toBeUndefined()
    expect(cells[`team-${team}`].data['2026-03-02'].data).toMatchObject([{ note: 'of the team' }])
    expect(cells[campaigns.Alpha]).toEqual({ data: {} })
  })

  test('each filter narrows it [CHG-11]', async () => {
    expect((await grid({ from: '2026-03-03', to: '2026-03-04' })).body.total_changelog_count).toBe(3)
    expect((await grid({ user_ids: users.morgan })).body.total_changelog_count).toBe(2)
    const { body } = await grid({ campaign_ids: `${campaigns.beta},team-${team}` })
    expect([names(body.sticky_campaigns), names(body.campaigns), names(body.teams)]).toEqual([[], ['beta'], ['Ads']])
    expect(body.total_changelog_count).toBe(4)
    expect(Object.keys(body.changelogs_by_campaign).sort()).toEqual([String(campaigns.beta), `team-${team}`].sort())
  })

  test('shows an admin their campaigns and every team, and counts nothing else', async () => {
    const { body } = await grid({}, admin)
    expect(names(body.campaigns)).toEqual(['Alpha', 'beta'])
    expect(body.total_changelog_count).toBe(4)
    expect(body.days_list['2026-03-03']).toEqual({ total: 1 })
    const asked = (await grid({ campaign_ids: campaigns.foreign }, admin)).body
    expect([asked.campaigns, asked.total_changelog_count]).toEqual([[], 0])
  })

  test('without dates covers the last month until today', async () => {
    const { body } = await root.call(changelogContract.grid)
    const now = getToday('UTC')
    expect([Object.keys(body.days_list)[0], Object.keys(body.days_list).at(-1)]).toEqual([addMonths(now, -1), now])
  })

  test('a reversed or endless range is refused', async () => {
    expect((await grid({ from: '2026-03-04' })).body.errors).toEqual({ to: ['The first day is after the last'] })
    expect((await grid({ from: '2020-01-01' })).body.errors).toEqual({ to: ['At most two years can be shown'] })
  })

  test('is only for users with the page', async () => {
    expect((await grid({}, await app.as(await app.make.admin({ permissions: ['activityLog'] })))).status).toBe(403)
  })
})

test('shares its items with the activity log [CHG-15]', async () => {
  const date = getToday('UTC')
  const query = { from: date, to: date }
  const body = { campaignId: campaigns.Alpha, date, note: 'from a cell' }
  const made = (await admin.call(activityItemsContract.create, { body })).body.data[0]
  expect((await admin.call(activityLogContract.list, { query })).body.data).toMatchObject([
    { id: made.id, note: 'from a cell' },
  ])
  const form = { campaign_ids: [`team-${team}`], date, note: 'from the log' }
  const other = (await admin.call(activityItemsContract.create, { body: form })).body.data[0]
  const cells = (await grid(query, admin)).body.changelogs_by_campaign
  expect(cells[`team-${team}`].data[date].data).toMatchObject([{ id: other.id, note: 'from the log' }])
  await admin.call(activityItemsContract.update, { params: { id: made.id }, body: { note: 'changed' } })
  expect((await grid(query, admin)).body.changelogs_by_campaign[campaigns.Alpha].data[date].data[0].note).toBe(
    'changed',
  )
})
