import { eq, sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { allEndpoints } from '#app/server/parts.ts'
import { type PermissionFlag, permissionFlags } from '#contract/allow.ts'
import { auditTable } from '#core/db/schema.ts'
import { hashSha256 } from '#core/secrets/secrets.ts'
import { adminsContract } from '#domains/access/contract.ts'
import { usersTable } from '#domains/access/schema.ts'
import { passkeysTable, secondFactorRolesTable } from '#domains/access/second-factor/schema.ts'
import { sessionContract } from '#domains/access/sign-in/contract.ts'
import { campaignCategoriesContract } from '#domains/campaigns/categories/contract.ts'
import { clientsContract } from '#domains/clients/contract.ts'
import { leadBatchContract } from '#domains/leads/batch/contract.ts'
import { leadsContract } from '#domains/leads/contract.ts'
import { type Caller, caller, setUp, startApp } from '#test/app.ts'
import { apiKeysContract } from '../contract.ts'
import { apiKeysTable } from '../schema.ts'

const app = await setUp(startApp())

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
const toTicks = (pages: readonly PermissionFlag[]) => Object.fromEntries(pages.map((page) => [page, 1]))
const toForm = (pages: readonly PermissionFlag[], access: 'read' | 'write' = 'read') => ({
  ...{ name: 'Zapier', access, pages: toTicks(pages) },
  expires_at: inDays(30),
})

/** Creates a key and returns it with its caller. */
async function makeKey(maker: Caller, pages: readonly PermissionFlag[], access: 'read' | 'write' = 'read') {
  const { status, body } = await maker.call(apiKeysContract.create, { body: toForm(pages, access) })
  expect(status).toBe(200)
  return { ...body, by: caller(app.url, body.key) } as { id: number; key: string; by: Caller }
}

test('a key is shown once, stored as SHA-256, listed for its creator and super admins, and revoked immediately [OPEN-01]', async () => {
  const maker = await app.make.admin({ username: 'morgan' })
  const [morgan, other] = [await app.as(maker), await app.as(await app.make.admin())]
  const root = await app.as(await app.make.superAdmin())
  const { id, key, by } = await makeKey(morgan, ['leads'])
  const [row] = await app.context.db.select().from(apiKeysTable).where(eq(apiKeysTable.id, id))
  expect(row?.key_hash).toEqual(hashSha256(key))
  const seen = {
    id,
    name: 'Zapier',
    pages: { leads: 1 },
    access: 'read',
    export: 0,
    user: { id: maker.id, username: 'morgan' },
  }
  const listed = await morgan.call(apiKeysContract.list)
  expect(listed.body).toEqual([
    { ...seen, last_used_at: null, created_at: expect.any(String), expires_at: expect.any(String) },
  ])
  expect((await other.call(apiKeysContract.list)).body).toEqual([])
  expect((await root.call(apiKeysContract.list)).body).toContainEqual(expect.objectContaining({ id }))
  expect((await by.call(leadsContract.list)).status).toBe(200)
  expect((await morgan.call(apiKeysContract.list)).body[0].last_used_at).toEqual(expect.any(String))
  expect((await other.call(apiKeysContract.remove, { params: { id } })).status).toBe(404)
  expect((await morgan.call(apiKeysContract.remove, { params: { id } })).status).toBe(204)
  expect((await by.call(leadsContract.list)).status).toBe(401)
  expect((await morgan.call(apiKeysContract.remove, { params: { id } })).status).toBe(404)
})

test('a key reads while the database cannot write, as a session does [OPEN-01]', async () => {
  const { by } = await makeKey(await app.as(await app.make.admin({ permissions: ['leads'] })), ['leads'])
  await app.context.pool.query('alter table api_keys add constraint no_use check (last_used_at is null) not valid')
  expect((await by.call(leadsContract.list)).status).toBe(200)
  await app.context.pool.query('alter table api_keys drop constraint no_use')
})

test('a key needs a name, a page of its creator, and an end within a year; clients cannot have keys [OPEN-01]', async () => {
  const admin = await app.as(await app.make.admin({ permissions: ['leads'] }))
  const client = await app.as(await app.make.customer())
  const before = await app.dump()
  const errorsOf = async (body: object) => {
    const answer = await admin.call(apiKeysContract.create, { body })
    return answer.status === 422 ? Object.keys(answer.body.errors) : answer.status
  }
  const form = toForm(['leads'])
  expect(await errorsOf({})).toEqual(['name', 'pages', 'access', 'expires_at'])
  expect(await errorsOf({ ...form, pages: {} })).toEqual(['pages'])
  for (const pages of [{ clients: 1 }, { leads: 1, clients: 1 }])
    expect(await errorsOf({ ...form, pages })).toEqual(['pages'])
  expect(await errorsOf({ ...form, expires_at: inDays(-1) })).toEqual(['expires_at'])
  expect(await errorsOf({ ...form, expires_at: inDays(370) })).toEqual(['expires_at'])
  expect(await errorsOf({ ...form, expires_at: null })).toEqual(['expires_at'])
  expect(await errorsOf({ ...form, user_id: 1 })).toEqual(['user_id'])
  expect((await client.call(apiKeysContract.create, { body: form })).status).toBe(403)
  expect((await client.call(apiKeysContract.list)).status).toBe(403)
  expect(await app.dump()).toBe(before)
  expect(await errorsOf({ ...form, expires_at: inDays(365) })).toBe(200)
})

test('a key has the pages that its creator still has, and the creator’s campaigns [OPEN-01]', async () => {
  const campaign = await app.make.campaign()
  const lead = await app.make.lead({ campaign_id: campaign.id })
  await app.make.lead()
  const maker = await app.make.admin({ permissions: ['leads', 'campaignCategories'], campaigns: [campaign.id] })
  const { by } = await makeKey(await app.as(maker), ['leads', 'campaignCategories'])
  const { by: byLeads } = await makeKey(await app.as(maker), ['leads'])
  const ids = async () => (await by.call(leadsContract.list)).body.data?.map(({ id }: { id: number }) => id)
  expect(await ids()).toEqual([lead.id])
  expect((await by.call(campaignCategoriesContract.get, { params: { id: 1 } })).status).toBe(404)
  expect((await byLeads.call(campaignCategoriesContract.get, { params: { id: 1 } })).status).toBe(403)
  const setUser = (values: Partial<typeof usersTable.$inferInsert>) =>
    app.context.db.update(usersTable).set(values).where(eq(usersTable.id, maker.id))
  await setUser({ permissions: ['campaignCategories'] })
  expect((await by.call(leadsContract.list)).status).toBe(403)
  await app.context.pool.query('delete from user_campaigns where user_id = $1', [maker.id])
  await setUser({ permissions: ['leads'] })
  expect(await ids()).toEqual([])
  await setUser({ is_active: false })
  expect((await by.call(leadsContract.list)).status).toBe(401)
})

test('a super admin’s key has its pages in every campaign, but no rights reserved for super admins [OPEN-01]', async () => {
  const lead = await app.make.lead({ campaign_id: null })
  const root = await app.as(await app.make.superAdmin())
  const { by } = await makeKey(root, ['leads'], 'write')
  const { body } = await by.call(leadsContract.list, { query: { per_page: 100 } })
  expect(body.data.map(({ id }: { id: number }) => id)).toContain(lead.id)
  const { body: me } = await by.call(sessionContract.me)
  expect(Object.entries(me.permissions).filter(([, held]) => held)).toEqual([['leads', true]])
  const closed = allEndpoints.filter(({ endpoint: { allow } }) => allow.words === 'super admin')
  expect(closed.length).toBeGreaterThan(10)
  for (const { endpoint } of closed)
    expect((await by.call({ ...endpoint, response: undefined }, { params: { id: 1 } })).status, endpoint.address).toBe(
      403,
    )
})

describe('what keys never do', () => {
  test('a read-only key only allows GET [OPEN-01]', async () => {
    const campaign = await app.make.campaign()
    const lead = await app.make.lead({ campaign_id: campaign.id })
    const maker = await app.as(await app.make.admin({ campaigns: [campaign.id] }))
    const [reads, writes] = [await makeKey(maker, ['leads']), await makeKey(maker, ['leads'], 'write')]
    const change = { params: { id: lead.id }, body: { notes: 'by key' } }
    expect((await reads.by.call(leadsContract.list)).status).toBe(200)
    const before = await app.dump()
    expect((await reads.by.call(leadsContract.update, change)).status).toBe(403)
    expect(await app.dump()).toBe(before)
    expect((await writes.by.call(leadsContract.update, change)).body).toMatchObject({ notes: 'by key' })
  })

  test('no key has access to accounts, rights, keys or the audit log, except GET user/me [OPEN-01]', async () => {
    const people = /^\/(keys|user|admin\/|leads-handlers|access\/)|\/readers$/
    const closed = allEndpoints.map(({ endpoint }) => endpoint).filter(({ path }) => people.test(path))
    expect(closed.length).toBeGreaterThan(25)
    const maker = await app.as(await app.make.superAdmin())
    const { by } = await makeKey(maker, permissionFlags, 'write')
    for (const endpoint of closed) {
      const { status } = await by.call(
        { ...endpoint, response: undefined },
        { params: { id: 1 }, body: endpoint.method === 'GET' ? undefined : {} },
      )
      expect(status, endpoint.address).toBe(endpoint.address === 'GET /user/me' ? 200 : 403)
    }
  })

  test('a key does not change what a client signs in with, but may send it back with the rest of the client [OPEN-01]', async () => {
    const client = await app.make.client()
    await app.make.campaign({ client_id: client.id })
    const { username, email } = await app.make.customer({ client_id: client.id })
    const { by } = await makeKey(await app.as(await app.make.superAdmin()), ['clients'], 'write')
    const change = (body: object) => by.call(clientsContract.update, { params: { id: client.id }, body })
    expect((await by.call(clientsContract.get, { params: { id: client.id } })).status).toBe(200)
    const before = await app.dump()
    const bodies = [
      { password: 'only the key has it' },
      { user: { username: 'known' } },
      { user: { email: 'k@k.example' } },
    ]
    for (const body of bodies)
      expect((await change({ name: 'Renamed', ...body })).status, JSON.stringify(body)).toBe(403)
    expect(await app.dump()).toBe(before)
    const whole = { name: 'Renamed', user: { username, email }, password: '' }
    expect(await change(whole)).toMatchObject({ status: 200, body: { name: 'Renamed', user: { username, email } } })
    const bare = await app.make.client()
    const account = { user: { username: 'known', email: 'k@k.example' }, password: 'only the key has it' }
    const given = await by.call(clientsContract.update, { params: { id: bare.id }, body: account })
    expect(given.status, 'an account for a client without one').toBe(403)
  })

  test('a key exports only with its own permission, which is off unless it is asked for, and then also by POST [OPEN-01]', async () => {
    const maker = await app.as(await app.make.superAdmin())
    const form = toForm(permissionFlags, 'write')
    const { key: plainKey, ...plain } = (await maker.call(apiKeysContract.create, { body: form })).body
    const { key, ...row } = (await maker.call(apiKeysContract.create, { body: { ...form, access: 'read', export: 1 } }))
      .body
    expect([plain.export, row.export]).toEqual([0, 1])
    const listed = (await maker.call(apiKeysContract.list)).body
    expect(listed.slice(0, 2)).toMatchObject([
      { id: row.id, export: 1 },
      { id: plain.id, export: 0 },
    ])
    const exports = allEndpoints.map(({ endpoint }) => endpoint).filter(({ path }) => path.endsWith('/export'))
    expect(exports.map(({ file }) => file)).not.toContain(undefined)
    expect(exports.length).toBeGreaterThan(10)
    for (const { method, path, address } of exports) {
      const ask = (who: string) =>
        caller(app.url, who).fetch(`/api${path}`, {
          method,
          ...(method === 'POST' && { body: '{}', headers: { 'content-type': 'application/json' } }),
        })
      const refused = await ask(plainKey)
      expect([refused.status, await refused.json()], address).toEqual([403, { message: 'This API key may not export' }])
      const made = await ask(key)
      expect(made.status, address).toBeOneOf([200, 422])
      await made.text()
    }
    expect((await caller(app.url, key).call(leadsContract.update, { params: { id: 1 }, body: {} })).status).toBe(403)
  })

  test('a key pauses while its creator has to set up a second factor [OPEN-01]', async () => {
    const maker = await app.make.admin()
    const { by } = await makeKey(await app.as(maker), ['leads'])
    await app.context.db.insert(secondFactorRolesTable).values({ role: 'admin' })
    expect((await by.call(sessionContract.me)).body).toMatchObject({ must_enrol: true })
    const { status, body } = await by.call({ ...leadsContract.list, response: undefined })
    expect([status, body]).toEqual([403, { message: 'Please set up a second factor first', must_enrol: true }])
    const passkey = { name: 'Key', credential_id: 'x', public_key: Buffer.from('x'), counter: 0 }
    await app.context.db.insert(passkeysTable).values({ user_id: maker.id, ...passkey })
    expect((await by.call(leadsContract.list)).status).toBe(200)
    await app.context.db.delete(secondFactorRolesTable)
  })

  test('a key works only in the Authorization header, and creates no session [OPEN-01]', async () => {
    const maker = await app.as(await app.make.admin())
    const { key, by } = await makeKey(maker, ['leads'])
    expect((await by.call(leadsContract.list)).status).toBe(200)
    expect((await app.guest.fetch(`/api/user/me?api_token=${key}`)).status).toBe(401)
    const image = allEndpoints.find(({ endpoint }) => endpoint.image)!.endpoint
    const address = `/api${image.path.replace(/:\w+/g, '1')}`
    expect((await app.guest.fetch(`${address}?api_token=${key}`)).status).toBe(401)
    const { body } = await app.guest.call(sessionContract.authByToken, { body: { token: key } })
    expect(body).toEqual({ error: expect.any(String) })
    expect((await caller(app.url, `${key}x`).call(leadsContract.list)).status).toBe(401)
  })

  test('a key ends on its day, and with its creator’s account [OPEN-01]', async () => {
    const maker = await app.make.admin()
    const [expiring, kept] = [
      await makeKey(await app.as(maker), ['leads']),
      await makeKey(await app.as(maker), ['leads']),
    ]
    await app.context.db
      .update(apiKeysTable)
      .set({ expires_at: sql`now() - interval '1 minute'` })
      .where(eq(apiKeysTable.id, expiring.id))
    expect((await expiring.by.call(leadsContract.list)).status).toBe(401)
    expect((await kept.by.call(leadsContract.list)).status).toBe(200)
    const root = await app.as(await app.make.superAdmin())
    expect((await root.call(adminsContract.remove, { params: { id: maker.id } })).status).toBe(204)
    expect((await kept.by.call(leadsContract.list)).status).toBe(401)
    expect(await app.context.db.$count(apiKeysTable, eq(apiKeysTable.user_id, maker.id))).toBe(0)
  })
})

test('a key allows 120 calls a minute, then says when to retry; other keys are not affected [OPEN-01]', async () => {
  const maker = await app.as(await app.make.admin())
  const [busy, idle] = [await makeKey(maker, ['leads']), await makeKey(maker, ['leads'])]
  const answers = await Promise.all(Array.from({ length: 125 }, () => busy.by.call(sessionContract.me)))
  const refused = answers.filter(({ status }) => status === 429)
  expect([refused.length, answers.length - refused.length]).toEqual([5, 120])
  const seconds = Number(refused[0]!.headers.get('retry-after'))
  expect(seconds).toBeGreaterThan(0)
  expect(seconds).toBeLessThanOrEqual(60)
  expect((await idle.by.call(sessionContract.me)).status).toBe(200)
})

test('the audit log names the key that made a change, also when a job makes it later [OPEN-01]', async () => {
  const campaign = await app.make.campaign()
  const lead = await app.make.lead({ campaign_id: campaign.id })
  const maker = await app.make.admin({ username: 'keymaker', campaigns: [campaign.id] })
  const morgan = await app.as(maker)
  const { id, by } = await makeKey(morgan, ['leads'], 'write')
  await by.call(leadsContract.update, { params: { id: lead.id }, body: { notes: 'by key' } })
  await by.call(leadBatchContract.create, { body: { ids: [lead.id], action: 'verify' } })
  await morgan.call(leadsContract.update, { params: { id: lead.id }, body: { notes: 'by hand' } })
  const entries = await app.context.db
    .select({
      after: auditTable.after,
      username: auditTable.username,
      key: auditTable.key_id,
      name: auditTable.key_name,
    })
    .from(auditTable)
    .where(sql`kind = 'lead' and row_id = ${lead.id}`)
    .orderBy(auditTable.id)
  expect(entries).toEqual([
    { after: { notes: 'by key' }, username: 'keymaker', key: id, name: 'Zapier' },
    { after: { confirmed: 1 }, username: 'keymaker', key: id, name: 'Zapier' },
    { after: { notes: 'by hand' }, username: 'keymaker', key: null, name: null },
  ])
})
