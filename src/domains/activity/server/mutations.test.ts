import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { addDays, getToday } from '#contract/days.ts'
import { setUp, startApp } from '#test/app.ts'
import { activityItemsContract } from '../contract.ts'
import { activityLogContract } from '../log/contract.ts'

const day = getToday('UTC')

const app = await setUp(startApp({ settings: { AGENCY_TIMEZONE: 'UTC' } }))
const { make } = app
const theirs = (await make.campaign({ name: 'Alpha' })).id
const foreign = (await make.campaign({ name: 'Foreign' })).id
const team = (await make.team({ name: 'Ads' })).id
const superAdmin = await make.superAdmin({ username: 'olivia' })
const rootId = superAdmin.id
const root = await app.as(superAdmin)
const person = await make.admin({ username: 'morgan', campaigns: [theirs] })
const adminId = person.id
const admin = await app.as(person)
beforeEach(() => app.context.db.execute(sql`delete from activity_item_files`))
beforeEach(() => app.context.db.execute(sql`delete from activity_items`))

const create = (body: object, who = admin) =>
  who.call(activityItemsContract.create, { body: { campaign_ids: [theirs], date: day, note: 'Written down', ...body } })
const made = async (body: object = {}, who = admin) => (await create(body, who)).body.data[0]
const change = (id: number, body: object, who = admin) =>
  who.call(activityItemsContract.update, { params: { id }, body: { note: 'Changed', ...body } })
const remove = (id: number, who = admin) => who.call(activityItemsContract.remove, { params: { id } })
const listed = async (who = admin) => (await who.call(activityLogContract.list)).body.data
const trail = async (id: number) =>
  (
    await app.context.db.execute(
      sql`select action, before, after from audit where kind = 'activity item' and row_id = ${id} order by audit.id`,
    )
  ).rows
/** Expects a refusal that leaves every table unchanged. */
async function refused(asked: () => Promise<{ status: number; body: { errors?: object } }>, ...expected: unknown[]) {
  const before = await app.dump()
  const { status, body } = await asked()
  expect([status, ...(body.errors ? [body.errors] : [])]).toEqual(expected)
  expect(await app.dump()).toBe(before)
}

describe('creating items', () => {
  test('one is created for each campaign and team [ACT-31] [ACT-26]', async () => {
    const form = {
      campaign_ids: [theirs, `campaign-${foreign}`, `team-${team}`, theirs],
      is_task: 1,
      assignee_id: adminId,
    }
    const { status, body } = await create(form, root)
    expect(status).toBe(200)
    expect(body.data).toMatchObject([
      { campaign_id: theirs, team_id: null, campaign: { name: 'Alpha' }, team: null },
      { campaign_id: foreign, team_id: null, campaign: { name: 'Foreign' } },
      { campaign_id: null, team_id: team, campaign: null, team: { id: team, name: 'Ads' } },
    ])
    for (const item of body.data)
      expect(item).toMatchObject({ date: day, note: 'Written down', is_task: 1, is_done: 0, assignee_id: adminId })
    expect(await listed(root)).toHaveLength(3)
  })

  test('an item is returned with all its fields [ACT-25]', async () => {
    const item = await made({ is_task: true, assignee_id: rootId })
    expect(item).toEqual({
      id: expect.any(Number),
      date: day,
      user: { id: adminId, username: 'morgan' },
      campaign_id: theirs,
      team_id: null,
      campaign: { id: theirs, name: 'Alpha' },
      team: null,
      assignee: { id: rootId, username: 'olivia' },
      assignee_id: rootId,
      responsible_user_id: rootId,
      is_task: 1,
      is_done: 0,
      client_may_read: 0,
      note: 'Written down',
      files: [],
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      version: 1,
    })
    expect((await listed())[0]).toEqual(item)
    expect(await made()).toMatchObject({ assignee: null, assignee_id: null, responsible_user_id: adminId, is_task: 0 })
  })

  test('a cell of the changelog names one campaign or team, on a day that may be in the past [ACT-26]', async () => {
    const body = { campaign_ids: undefined, campaignId: theirs, date: addDays(day, -40), note: 'Late' }
    expect(await made(body)).toMatchObject({ campaign_id: theirs, date: addDays(day, -40), note: 'Late', is_task: 0 })
    expect(await made({ ...body, campaignId: `team-${team}` })).toMatchObject({ campaign_id: null, team_id: team })
  })

  test('all missing values are reported at once, each at its field [ACT-11] [ACT-13] [ACT-14]', async () => {
    const missing = {
      campaign_ids: ['Please select campaign of team'],
      date: ['Please pick a date'],
      note: ['Please input your note'],
    }
    await refused(() => admin.call(activityItemsContract.create, { body: {} }), 422, missing)
    await refused(() => create({ campaign_ids: [], date: null, note: '  ' }), 422, missing)
    await refused(() => create({ campaign_ids: ['team-x'] }), 422, { campaign_ids: missing.campaign_ids })
    await refused(() => create({ date: '2026-02-30' }), 422, { date: missing.date })
  })

  test('a task needs an assignee: an admin who can sign in [ACT-12]', async () => {
    const said = { assignee_id: ['Please select admin user'] }
    const handler = await app.make.handler()
    const left = await app.make.admin({ is_active: false })
    await refused(() => create({ is_task: 1 }), 422, said)
    await refused(() => create({ is_task: true, assignee_id: null }), 422, said)
    for (const { id } of [handler, left, { id: 2_000_000_000 }])
      await refused(() => create({ is_task: 1, assignee_id: id }), 422, said)
    expect(await made({ is_task: 0, assignee_id: null })).toMatchObject({ is_task: 0 })
  })

  test('an item that is not a task has no assignee [ACT-10]', async () => {
    expect(await made({ is_task: 0, assignee_id: rootId })).toMatchObject({ assignee: null, assignee_id: null })
  })

  test('days before yesterday are refused; yesterday and any later day are accepted [ACT-15]', async () => {
    await refused(() => create({ date: addDays(day, -2) }), 422, { date: ['Please pick a date from yesterday on'] })
    for (const date of [addDays(day, -1), day, addDays(day, 300)]) expect(await made({ date })).toMatchObject({ date })
  })

  test('one campaign out of scope refuses the whole form, like one that does not exist', async () => {
    const gone = await app.make.team({ deleted_at: new Date() })
    for (const key of [foreign, `campaign-${foreign}`, 2_000_000, `team-${gone.id}`, 'team-2000000'])
      await refused(() => create({ campaign_ids: [theirs, key, `team-${team}`] }), 404)
    await refused(() => create({ campaign_ids: undefined, campaignId: foreign }), 404)
  })

  test('no one writes in another’s name, or fields that the form does not have', async () => {
    await refused(() => create({ user_id: rootId }), 422, { user_id: ['This field is not accepted'] })
    await refused(() => create({ is_done: 1 }), 422, { is_done: ['This field is not accepted'] })
  })

  test('users with neither page are refused', async () => {
    const other = await app.as(await app.make.admin({ permissions: ['campaigns'], campaigns: [theirs] }))
    await refused(() => create({}, other), 403)
    for (const permissions of [['changelog'], ['activityLog']] as const)
      expect(
        (await create({}, await app.as(await app.make.admin({ permissions: [...permissions], campaigns: [theirs] }))))
          .status,
      ).toBe(200)
  })
})

describe('changing items', () => {
  test('changes the whole form, or only the note [ACT-27]', async () => {
    const item = await made()
    const whole = { campaign_ids: [`campaign-${theirs}`], date: day, is_task: 1, assignee_id: rootId, files: [] }
    expect((await change(item.id, whole)).body).toMatchObject({
      note: 'Changed',
      is_task: 1,
      assignee_id: rootId,
      version: 2,
    })
    expect((await change(item.id, { note: 'Again' })).body).toMatchObject({
      note: 'Again',
      is_task: 1,
      assignee_id: rootId,
    })
    expect((await listed())[0]).toMatchObject({ id: item.id, note: 'Again', version: 3 })
  })

  test('an item that is no longer a task has no assignee and is not done [ACT-10]', async () => {
    const item = await made({ is_task: 1, assignee_id: rootId })
    await admin.call(activityLogContract.toggleStatus, { params: { id: item.id } })
    const { body } = await change(item.id, { is_task: 0, assignee_id: rootId })
    expect(body).toMatchObject({ is_task: 0, is_done: 0, assignee: null, assignee_id: null })
  })

  test('a task still needs an assignee; one who has left may keep the task [ACT-12]', async () => {
    const person = await app.make.admin()
    const item = await made({ is_task: 1, assignee_id: person.id })
    const said = { assignee_id: ['Please select admin user'] }
    await refused(() => change(item.id, { is_task: 1, assignee_id: null }), 422, said)
    await app.context.db.execute(sql`update users set is_active = false where id = ${person.id}`)
    expect((await change(item.id, { is_task: 1, assignee_id: person.id })).status).toBe(200)
    const plain = await made()
    await refused(() => change(plain.id, { is_task: 1 }), 422, said)
    await refused(() => change(plain.id, { is_task: 1, assignee_id: person.id }), 422, said)
  })

  test('the note of a task that was moved with an assignee who is not here is changed, and its task stays [ACT-12]', async () => {
    const { id } = await made()
    await app.context.db.execute(
      sql`update activity_items set is_task = true, assignee_name = 'Riley' where id = ${id}`,
    )
    const riley = { is_task: 1, assignee_id: null, assignee: { username: 'Riley' } }
    expect(await change(id, {})).toMatchObject({ status: 200, body: { ...riley, note: 'Changed' } })
    const said = { assignee_id: ['Please select admin user'] }
    await refused(() => change(id, { is_task: 1, assignee_id: null }), 422, said)
    expect((await change(id, { is_task: 0 })).body).toMatchObject({ is_task: 0, assignee: null })
    await refused(() => change(id, { is_task: 1 }), 422, said)
  })

  test('campaign and date are locked [ACT-16]', async () => {
    const item = await made({ campaign_ids: [theirs] }, root)
    await refused(() => change(item.id, { campaign_ids: [foreign] }, root), 422, {
      campaign_ids: ['The campaign cannot be changed'],
    })
    await refused(() => change(item.id, { campaignId: `team-${theirs}` }, root), 422, {
      campaign_ids: ['The campaign cannot be changed'],
    })
    await refused(() => change(item.id, { date: addDays(day, 1) }, root), 422, { date: ['The date cannot be changed'] })
  })

  test('changes that someone else has saved are not lost: 409 with the newer item', async () => {
    const item = await made()
    await change(item.id, { note: 'Theirs', version: 1 }, root)
    const before = await app.dump()
    const { status, body } = await change(item.id, { note: 'Mine', version: 1 })
    expect([status, body.message, body.item.note]).toEqual([409, 'Someone else has changed this item', 'Theirs'])
    expect(await app.dump()).toBe(before)
    expect((await change(item.id, { note: 'Theirs', version: 1 })).status).toBe(200) // the same text is not a conflict
    expect((await change(item.id, { note: 'Mine', version: 2 })).body).toMatchObject({ note: 'Mine', version: 3 })
  })

  test('an item of another campaign, a deleted item and an unknown one get the same response', async () => {
    const hidden = await made({ campaign_ids: [foreign] }, root)
    const gone = await made()
    await remove(gone.id)
    for (const id of [hidden.id, gone.id, 2_000_000_000]) {
      await refused(() => change(id, {}), 404)
      await refused(() => remove(id), 404)
      await refused(() => admin.call(activityLogContract.toggleStatus, { params: { id } }), 404)
    }
  })
})

describe('the audit log', () => {
  test('keeps old text, and is the only place to see a deleted item [ACT-28]', async () => {
    const item = await made({ note: 'First words' })
    await change(item.id, { note: 'Second words' })
    await change(item.id, { note: 'Second words' })
    expect((await remove(item.id)).status).toBe(204)
    expect(await listed(root)).toEqual([])
    expect(await trail(item.id)).toMatchObject([
      { action: 'created', after: { note: 'First words', campaign_id: theirs, date: day } },
      { action: 'changed', before: { note: 'First words' }, after: { note: 'Second words' } },
      { action: 'removed', before: { note: 'Second words', campaign_id: theirs } },
    ])
  })
})
