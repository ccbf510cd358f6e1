import { expect, test } from 'vitest'
import { campaignCategoriesContract } from '#domains/campaigns/categories/contract.ts'
import { setUp, startApp } from '#test/app.ts'
import { auditLogContract } from '../contract.ts'

const app = await setUp(startApp())
const root = await app.as(await app.make.superAdmin({ username: 'olivia' }))

const entries = async (query: Record<string, unknown> = {}) =>
  (await root.call(auditLogContract.list, { query })).body.data

test('every change is recorded: who, when, what, before and after, newest first', async () => {
  const made = await root.call(campaignCategoriesContract.create, { body: { name: 'Roofing', color: '#aa3311' } })
  const { id } = made.body
  const admin = await app.as(await app.make.admin({ username: 'morgan' }))
  await admin.call(campaignCategoriesContract.update, { params: { id }, body: { name: 'Roofs', color: '#aa3311' } })
  const [changed, created] = await entries({ kind: 'campaign category' })
  expect(changed).toMatchObject({
    username: 'morgan',
    kind: 'campaign category',
    row_id: id,
    action: 'changed',
    before: { name: 'Roofing' },
    after: { name: 'Roofs' },
    address: '127.0.0.1',
    request_id: expect.any(String),
  })
  expect(Object.keys(changed.after)).toEqual(['name'])
  expect(created).toMatchObject({ username: 'olivia', action: 'created', before: null })
})

test('entries are found by person, kind, row, action and day', async () => {
  const made = await root.call(campaignCategoriesContract.create, { body: { name: 'Paving' } })
  await root.call(campaignCategoriesContract.remove, { params: { id: made.body.id } })
  const actions = async (query: object) =>
    (await entries({ kind: 'campaign category', row_id: made.body.id, ...query })).map(
      (one: { action: string }) => one.action,
    )
  expect(await actions({})).toEqual(['removed', 'created'])
  expect(await actions({ order: 'asc' })).toEqual(['created', 'removed'])
  expect(await actions({ action: 'removed' })).toEqual(['removed'])
  expect(await actions({ user: 'OLIV' })).toHaveLength(2)
  expect(await actions({ user: 'o%' })).toEqual([])
  expect(await actions({ from: '2099-01-01' })).toEqual([])
  expect(await actions({ to: '2001-01-01' })).toEqual([])
  expect((await root.call(auditLogContract.kinds)).body).toContain('campaign category')
  expect((await root.call(auditLogContract.list, { query: { from: 'yesterday' } })).status).toBe(422)
  expect((await root.call(auditLogContract.list, { query: { row_id: 'x' } })).status).toBe(422)
})

test('only super admins read it, and no one changes it, not even the database’s owner [PERM-01]', async () => {
  const admin = await app.as(await app.make.admin())
  expect((await admin.call(auditLogContract.list)).status).toBe(403)
  expect((await admin.call(auditLogContract.kinds)).status).toBe(403)
  await root.call(campaignCategoriesContract.create, { body: { name: 'Fencing' } })
  for (const forgery of [`update audit set username = 'nobody'`, 'delete from audit', 'truncate audit'])
    await expect(app.context.pool.query(forgery)).rejects.toThrow('the audit trail is append-only')
})
