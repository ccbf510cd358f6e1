import { and, eq } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { declaredParts } from '#app/server/parts.ts'
import { auditTable } from '#core/db/schema.ts'
import { leadsContract } from '#domains/leads/contract.ts'
import { type Caller, setUp, startApp } from '#test/app.ts'
import { viewsContract } from '../contract.ts'
import { viewsTable } from '../schema.ts'

const app = await setUp(startApp())
const superAdmin = await app.as(await app.make.superAdmin({ username: 'sam' }))
const admin = await app.as(await app.make.admin())
const handler = await app.as(await app.make.handler({ permissions: ['leads', 'leadChart'] }))
beforeEach(async () => {
  await app.context.db.delete(viewsTable)
})

const list = async (caller: Caller, table = 'leads') =>
  (await caller.call(viewsContract.list, { query: { table } })).body
const create = (caller: Caller, body: object) => caller.call(viewsContract.create, { body })
const update = (caller: Caller, id: number, body: object) => caller.call(viewsContract.update, { params: { id }, body })
const remove = (caller: Caller, id: number) => caller.call(viewsContract.remove, { params: { id } })
const names = (views: { name: string }[]) => views.map(({ name }) => name)

test('a view is saved, read, changed and removed, with an audit entry for each change [WORK-10]', async () => {
  const view = {
    name: 'To judge',
    table: 'leads',
    query: { unmarked: '1', campaign_ids: '3,9', date_from: '2026-01-01', per_page: '200' },
    columns: ['campaign_name', 'tags', 'action'],
    sort: 'lead_name',
    order: 'asc',
  }
  const { status, body } = await create(admin, view)
  expect([status, body]).toMatchObject([200, { ...view, shared: null, default: false, may_change: true }])
  expect(await list(admin)).toEqual([body])
  expect(await list(superAdmin)).toEqual([])
  const changed = await update(admin, body.id, { name: 'Unmarked', query: {} })
  expect(changed.body).toEqual({ ...body, name: 'Unmarked', query: {} })
  expect((await remove(admin, body.id)).status).toBe(204)
  expect(await list(admin)).toEqual([])
  const trail = await app.context.db
    .select()
    .from(auditTable)
    .where(and(eq(auditTable.kind, 'view'), eq(auditTable.row_id, body.id)))
    .orderBy(auditTable.id)
  expect(trail.map(({ action, row_id }) => [action, row_id])).toEqual(
    ['created', 'changed', 'removed'].map((action) => [action, body.id]),
  )
  expect(trail[1]!.after).toEqual({ name: 'Unmarked', query: {} })
})

test('every list has views, with its own order where a view has none [WORK-10]', async () => {
  const orders = []
  for (const table of Object.keys(declaredParts.savedViews)) {
    const { status, body } = await create(superAdmin, { name: 'All', table })
    orders.push([table, status, body.sort, body.order])
  }
  expect(orders).toEqual([
    ['campaigns', 200, 'due_date', 'asc'],
    ['client-sites', 200, 'url', 'asc'],
    ['activity', 200, 'date', 'desc'],
    ['campaign-gmbs', 200, 'title', 'asc'],
    ['leads', 200, 'lead_date', 'desc'],
    ['leads-table', 200, 'campaign', 'asc'],
  ])
})

test('anything that the list does not have is refused, and so is a list that the user may not open [WORK-10]', async () => {
  const view = { name: 'View', table: 'leads' }
  const wrong = [
    { ...view, table: 'clients' },
    { ...view, name: ' ' },
    { ...view, query: { nonsense: '1' } },
    { ...view, query: { lead_type: 'Fax' } },
    { ...view, query: { lead_type: 1 } },
    { ...view, columns: ['nonsense'] },
    { ...view, sort: 'tags' },
    { ...view, shared: 'customer' },
    { ...view, user_id: 1 },
  ]
  for (const body of wrong) expect([body, (await create(admin, body)).status]).toEqual([body, 422])
  expect((await create(handler, { ...view, table: 'campaigns' })).status).toBe(403)
  expect((await handler.call(viewsContract.list, { query: { table: 'campaigns' } })).status).toBe(403)
  expect((await handler.call(viewsContract.list)).status).toBe(422)
})

test('only super admins share; readers of a shared view cannot change it, and others do not find it [WORK-10]', async () => {
  const view = { name: 'Shared', table: 'leads', shared: 'admin' }
  for (const caller of [admin, handler]) expect((await create(caller, view)).status).toBe(403)
  const own = (await create(admin, { name: 'Mine', table: 'leads' })).body
  expect((await update(admin, own.id, { shared: 'admin' })).status).toBe(403)
  expect((await update(superAdmin, own.id, { shared: 'admin' })).status).toBe(404)
  const { body } = await create(superAdmin, view)
  expect((await list(admin)).map(({ name, may_change }: never) => [name, may_change])).toEqual([
    ['Mine', true],
    ['Shared', false],
  ])
  expect(await list(handler)).toEqual([])
  expect((await update(admin, body.id, { name: 'Ours' })).status).toBe(403)
  expect((await remove(admin, body.id)).status).toBe(403)
  for (const id of [body.id, 999_999]) {
    const answers = [await update(handler, id, { default: true }), await remove(handler, id)]
    expect(answers.map(({ status, body }) => [status, body])).toEqual([
      [404, { message: 'This no longer exists, or you don’t have access to it' }],
      [404, { message: 'This no longer exists, or you don’t have access to it' }],
    ])
  }
  const colleague = await app.as(await app.make.superAdmin())
  expect((await update(colleague, body.id, { shared: 'leads_handler' })).status).toBe(200)
  expect([names(await list(admin)), names(await list(handler))]).toEqual([['Mine'], ['Shared']])
  await remove(admin, own.id)
  await remove(superAdmin, body.id)
})

test('a shared view that a colleague stops sharing is its maker’s own again, and no longer in the colleague’s list [WORK-10]', async () => {
  const { body } = await create(superAdmin, { name: 'Shared', table: 'leads', shared: 'admin' })
  const colleague = await app.as(await app.make.superAdmin())
  const answer = await update(colleague, body.id, { name: 'Was shared', shared: null })
  const now = { ...body, name: 'Was shared', shared: null }
  expect([answer.status, answer.body]).toEqual([200, { ...now, may_change: false }])
  expect(await list(superAdmin)).toEqual([now])
  expect([await list(colleague), await list(admin)]).toEqual([[], []])
  expect((await update(colleague, body.id, { name: 'Mine' })).status).toBe(404)
})

test('a shared view that a colleague stops sharing does not take the place of the colleague’s default [WORK-11]', async () => {
  const { body } = await create(superAdmin, { name: 'Shared', table: 'leads', shared: 'admin' })
  const colleague = await app.as(await app.make.superAdmin())
  await create(colleague, { name: 'Mine', table: 'leads', default: true })
  expect((await update(colleague, body.id, { shared: null, default: true })).status).toBe(200)
  expect(await list(colleague)).toMatchObject([{ name: 'Mine', default: true }])
})

test('columns, filters and a sort that the reader may not use are left out, and the rest is a valid query [WORK-10]', async () => {
  const { body: leads } = await create(superAdmin, {
    name: 'Spam of Google',
    table: 'leads',
    query: { tags: 'Spam', source: 'Google Organic', category_id: '1', confirmed: '1' },
    columns: ['campaign_name', 'tags', 'source', 'hide', 'action'],
    sort: 'source',
    order: 'asc',
    shared: 'leads_handler',
  })
  expect(leads).toMatchObject({ query: { tags: 'Spam' }, sort: 'source' })
  const [seen] = await list(handler)
  expect(seen).toMatchObject({
    query: { confirmed: '1' },
    columns: ['campaign_name', 'action'],
    sort: 'lead_date',
    order: 'desc',
  })
  const { sort, order } = seen
  const found = await handler.call(leadsContract.list, { query: { ...seen.query, sort, order } })
  expect(found.status).toBe(200)
  await create(superAdmin, {
    name: 'Targets',
    table: 'leads-table',
    query: { year: '2026' },
    columns: ['campaign', 'target', 'verified'],
    sort: 'target',
    order: 'desc',
    shared: 'leads_handler',
  })
  expect(await list(handler, 'leads-table')).toMatchObject([
    { query: { year: '2026' }, columns: ['campaign', 'verified'], sort: 'campaign', order: 'asc' },
  ])
})

test('the whole URL of a list is accepted, without its page and order [WORK-10]', async () => {
  const query = { confirmed: '1', sort: 'lead_date', order: 'asc', page: '2' }
  const { status, body } = await create(admin, { name: 'Whole', table: 'leads', query })
  expect([status, body.query]).toEqual([200, { confirmed: '1' }])
})

test('parts that a later version of the list no longer has are left out too [WORK-10]', async () => {
  const { body } = await create(admin, { name: 'Old', table: 'leads' })
  const old = { query: { gone: '1', confirmed: '1' }, columns: ['gone', 'tags'], sort: 'gone' }
  await app.context.db.update(viewsTable).set(old).where(eq(viewsTable.id, body.id))
  expect(await list(admin)).toMatchObject([{ query: { confirmed: '1' }, columns: ['tags'], sort: 'lead_date' }])
  await remove(admin, body.id)
})

test('any view can be made a user’s default, and then comes first, only for that user [WORK-10, WORK-11]', async () => {
  const a = (await create(superAdmin, { name: 'a', table: 'campaigns', shared: 'admin' })).body
  const b = (await create(superAdmin, { name: 'B', table: 'campaigns', shared: 'admin' })).body
  const own = (await create(admin, { name: 'c', table: 'campaigns', default: true })).body
  expect(names(await list(admin, 'campaigns'))).toEqual(['c', 'a', 'B'])
  const answer = await update(admin, b.id, { default: true })
  expect([answer.status, answer.body.default]).toEqual([200, true])
  expect(names(await list(admin, 'campaigns'))).toEqual(['B', 'a', 'c'])
  expect(names(await list(superAdmin, 'campaigns'))).toEqual(['a', 'B'])
  const { id: _id, may_change: _may, ...same } = (await list(admin, 'campaigns'))[1]
  expect((await update(admin, a.id, { ...same, default: true })).status).toBe(200) // the whole view, unchanged
  await update(admin, own.id, { name: 'c', default: false }) // as the dialog sends it for a view that is not the default
  expect((await list(admin, 'campaigns'))[0]).toMatchObject({ name: 'a', default: true })
  await update(admin, a.id, { default: false })
  expect((await list(admin, 'campaigns')).some((view: { default: boolean }) => view.default)).toBe(false)
  await update(admin, b.id, { default: true })
  await remove(superAdmin, b.id)
  expect(names(await list(admin, 'campaigns'))).toEqual(['a', 'c'])
  expect(own.default).toBe(true)
})
