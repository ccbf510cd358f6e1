import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { activityItemsContract } from '#domains/activity/contract.ts'
import { activityLogContract } from '#domains/activity/log/contract.ts'
import { type CampaignOption, campaignsContract } from '#domains/campaigns/contract.ts'
import { setUp, startApp } from '#test/app.ts'
import { type Team, teamsContract } from '../contract.ts'

const app = await setUp(startApp())
const root = await app.as(await app.make.superAdmin())

const make = async (name: string): Promise<Team> => (await root.call(teamsContract.create, { body: { name } })).body
const names = async () => (await root.call(teamsContract.list)).body.map(({ name }: Team) => name)

test('a super admin adds, renames and removes teams [ACT-23]', async () => {
  const [content, ads] = [await make('content'), await make('  Ads  ')]
  expect(await names()).toEqual(['Ads', 'content'])
  expect(
    (await root.call(teamsContract.update, { params: { id: content.id }, body: { name: 'Writers' } })).body,
  ).toEqual({
    id: content.id,
    name: 'Writers',
    version: 2,
  })
  expect((await root.call(teamsContract.remove, { params: { id: ads.id } })).status).toBe(204)
  expect(await names()).toEqual(['Writers'])
  const trail = await app.context.db.execute(
    sql`select action from audit where kind = 'team' and row_id = ${ads.id} order by id`,
  )
  expect(trail.rows.map(({ action }) => action)).toEqual(['created', 'removed'])
})

test('items of a removed team stay, and no new ones can be added [ACT-23]', async () => {
  const team = await make('Short-lived')
  const body = { campaignId: `team-${team.id}`, date: '2026-03-01', note: 'Once' }
  await root.call(activityItemsContract.create, { body })
  await root.call(teamsContract.remove, { params: { id: team.id } })
  const picked = (await root.call(campaignsContract.all, { query: { with_teams: 1 } })).body
  expect(picked.some(({ name }: CampaignOption) => name === 'Short-lived')).toBe(false)
  expect((await root.call(activityLogContract.list)).body.data).toMatchObject([
    { note: 'Once', team: { name: 'Short-lived' } },
  ])
  expect((await root.call(activityItemsContract.create, { body })).status).toBe(404)
})

test('others do not see teams, whatever pages they have [ACT-23]', async () => {
  const admin = await app.as(await app.make.admin())
  const before = await app.dump()
  expect((await admin.call(teamsContract.list)).status).toBe(403)
  expect((await admin.call(teamsContract.create, { body: { name: 'Mine' } })).status).toBe(403)
  expect(await app.dump()).toBe(before)
})
