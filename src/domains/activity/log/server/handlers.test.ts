import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { addDays, getToday } from '#contract/days.ts'
import { activityItemsTable } from '#domains/activity/schema.ts'
import { setUp, startApp } from '#test/app.ts'
import { activityLogContract } from '../contract.ts'

const ids: Record<string, number> = {}
const users: Record<string, number> = {}
const campaigns = { alpha: 0, beta: 0, foreign: 0 }
let team: number

const app = await setUp(startApp({ settings: { AGENCY_TIMEZONE: 'UTC' } }))
const { make } = app
for (const name of ['alpha', 'beta', 'foreign'] as const) campaigns[name] = (await make.campaign({ name })).id
// A team whose id is also a campaign's.
do team = (await make.team({ name: 'Ads' })).id
while (team < campaigns.beta)
const olivia = await make.superAdmin({ username: 'olivia' })
const morgan = await make.admin({ username: 'morgan', campaigns: [campaigns.alpha, campaigns.beta] })
Object.assign(users, { olivia: olivia.id, morgan: morgan.id })
const root = await app.as(olivia)
const admin = await app.as(morgan)
const item = async (name: string, values: Parameters<typeof make.activityItem>[0]) => {
  ids[name] = (await make.activityItem({ user_id: olivia.id, note: name, ...values })).id
}
await item('first', { campaign_id: campaigns.alpha, date: '2026-03-01' })
await item('task', { campaign_id: campaigns.beta, date: '2026-03-05', assignee_id: morgan.id })
await item('of the team', { team_id: team, date: '2026-03-05', user_id: morgan.id })
await item('hidden', { campaign_id: campaigns.foreign, date: '2026-03-06' })
await item('gone', { campaign_id: campaigns.alpha, date: '2026-03-07', deleted_at: new Date() })
await item('last', { campaign_id: campaigns.alpha, date: '2026-04-01', assignee_id: olivia.id, is_done: true })

const list = (query: object = {}, who = root) => who.call(activityLogContract.list, { query: { ...query } })
const notes = async (query: object = {}, who = root) =>
  (await list(query, who)).body.data.map(({ note }: { note: string }) => note)
const toggle = (name: string, body?: object, who = root) =>
  who.call(activityLogContract.toggleStatus, { params: { id: ids[name]! }, body })

describe('the list', () => {
  test('returns data and total, latest day first [ACT-24]', async () => {
    const { body } = await list()
    expect(body.total).toBe(5)
    expect(await notes()).toEqual(['last', 'hidden', 'of the team', 'task', 'first'])
    expect((await list({ page: 2, per_page: 2 })).body).toMatchObject({
      total: 5,
      data: [{ note: 'of the team' }, { note: 'task' }],
    })
    expect((await list({ page: 9 })).body).toEqual({ data: [], total: 5 })
  })

  test('each filter narrows it, and filters combine [ACT-02] [ACT-24]', async () => {
    expect(await notes({ from: '2026-03-05', to: '2026-03-06' })).toEqual(['hidden', 'of the team', 'task'])
    expect(await notes({ campaign_ids: campaigns.alpha })).toEqual(['last', 'first'])
    expect(await notes({ campaign_ids: `team-${team}` })).toEqual(['of the team'])
    expect(await notes({ campaign_ids: `campaign-${campaigns.beta},team-${team}` })).toEqual(['of the team', 'task'])
    expect(await notes({ user_ids: users.morgan })).toEqual(['of the team', 'task'])
    expect(await notes({ user_ids: users.morgan, campaign_ids: campaigns.beta })).toEqual(['task'])
    expect(await notes({ my_tasks: 1 })).toEqual(['last'])
    expect(await notes({ my_tasks: 1 }, admin)).toEqual(['task'])
  })

  test('sorts a person’s tasks in work order: overdue, today, later, done', async () => {
    const { make } = app
    const worker = await make.admin({ campaigns: [campaigns.alpha] })
    const day = (days: number) => addDays(getToday('UTC'), days)
    for (const [note, date, is_done] of [
      ['tomorrow', day(1), false],
      ['done today', day(0), true],
      ['overdue', day(-3), false],
      ['done before', day(-1), true],
      ['today', day(0), false],
      ['long overdue', day(-9), false],
    ] as const)
      await make.activityItem({
        note,
        date,
        is_done,
        is_task: true,
        campaign_id: campaigns.alpha,
        assignee_id: worker.id,
      })
    const theirs = await app.as(worker)
    expect(await notes({ my_tasks: 1 }, theirs)).toEqual([
      'long overdue',
      'overdue',
      'today',
      'tomorrow',
      'done today',
      'done before',
    ])
    expect((await notes({ my_tasks: 1, sort: 'date', order: 'asc' }, theirs))[0]).toBe('long overdue')
    await app.context.db.delete(activityItemsTable).where(eq(activityItemsTable.assignee_id, worker.id))
  })

  test('shows an admin their campaigns and every team, even if they request more', async () => {
    expect(await notes({}, admin)).toEqual(['last', 'of the team', 'task', 'first'])
    expect((await list({ campaign_ids: campaigns.foreign }, admin)).body).toEqual({ data: [], total: 0 })
    expect((await list({ user_ids: users.olivia }, admin)).body.total).toBe(3)
  })

  test('sorts by each of its columns; a page never repeats a row', async () => {
    expect(await notes({ sort: 'campaign', order: 'asc' })).toEqual(['of the team', 'first', 'last', 'task', 'hidden'])
    expect(await notes({ sort: 'user', order: 'asc' })).toEqual(['of the team', 'first', 'task', 'hidden', 'last'])
    expect(await notes({ sort: 'assignee', order: 'asc' })).toEqual(['task', 'last', 'first', 'of the team', 'hidden'])
    expect(await notes({ sort: 'is_done', order: 'desc' })).toEqual(['last', 'task', 'hidden', 'of the team', 'first'])
    expect(await notes({ sort: 'note', order: 'asc' })).toEqual(['first', 'hidden', 'last', 'of the team', 'task'])
    const pages = [1, 2, 3, 4, 5].map((page) => notes({ sort: 'user', page, per_page: 1 }))
    expect(new Set((await Promise.all(pages)).flat()).size).toBe(5)
  })

  test('an invalid filter is named', async () => {
    for (const query of [{ from: '2026-02-30' }, { campaign_ids: 'team-' }, { user_ids: 'x' }, { sort: 'user_id' }]) {
      const { status, body } = await list(query)
      expect([status, Object.keys(body.errors)[0]?.split('.')[0]]).toEqual([422, Object.keys(query)[0]])
    }
  })

  test('is only for users with the page', async () => {
    const other = await app.as(await app.make.admin({ permissions: ['changelog'] }))
    expect((await list({}, other)).status).toBe(403)
    expect((await toggle('task', undefined, other)).status).toBe(403)
  })
})

describe('the done switch', () => {
  test('toggles, or takes the wanted value, repeatably [ACT-29] [ACT-07]', async () => {
    expect((await toggle('task', undefined, admin)).body).toMatchObject({ id: ids.task, is_done: 1 })
    expect((await toggle('task')).body).toMatchObject({ is_done: 0 })
    for (const is_done of [1, 1, true]) expect((await toggle('task', { is_done })).body).toMatchObject({ is_done: 1 })
    expect((await list({ campaign_ids: campaigns.beta })).body.data[0]).toMatchObject({ is_done: 1 })
    expect((await toggle('task', { is_done: 0 })).body).toMatchObject({ is_done: 0 })
  })

  test('is only for tasks', async () => {
    const before = await app.dump()
    const { status, body } = await toggle('first')
    expect([status, body.errors]).toEqual([422, { is_done: ['Only a task can be done'] }])
    expect((await toggle('task', { is_done: 7 })).status).toBe(422)
    expect(await app.dump()).toBe(before)
  })
})
