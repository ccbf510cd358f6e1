import { eq, sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { adminsContract } from '#domains/access/contract.ts'
import { clientSitesContract } from '#domains/sites/client/contract.ts'
import { clientSitesTable } from '#domains/sites/client/schema.ts'
import { type Caller, setUp, startApp } from '#test/app.ts'
import { campaignsContract } from '../contract.ts'

let admin: Caller
type Row = { id: number; client_id: number }
let own: Row
let foreign: Row
let category: number
const app = await setUp(startApp())
const root = await app.as(await app.make.superAdmin())
beforeEach(async () => {
  category = (await app.make.category()).id
  own = await app.make.campaign({ categories: [category] })
  foreign = await app.make.campaign({ categories: [category] })
  admin = await app.as(await app.make.admin({ campaigns: [own.id] }))
})

const form = (more: object = {}) => ({
  name: 'Acme roofs',
  categories: [category],
  client_id: own.client_id,
  client_sites: [] as number[],
  manager: 'Morgan',
  start_date: '2026-02-28',
  due_date: 31,
  initial_target: 20,
  month_3_target: 25,
  month_6_target: null,
  month_9_target: null,
  month_12_target: 40,
  service_fee: 1500.5,
  approved_ppc: 300,
  fixed_to_top: 1,
  ...more,
})
const create = (who: Caller, more?: object) => who.call(campaignsContract.create, { body: form(more) })
const update = (who: Caller, id: number, more?: object) =>
  who.call(campaignsContract.update, { params: { id }, body: form({ id, ...more }) })
const siteOf = async (id: number) =>
  (await app.context.db.select().from(clientSitesTable).where(eq(clientSitesTable.id, id)))[0]!.campaign_id
const trailOf = async (kind: string, id: number) =>
  (
    await app.context.db.execute<{ action: string; before: object; after: object; version: number }>(
      sql`select action, before, after, version from audit where kind = ${kind} and row_id = ${id} order by id`,
    )
  ).rows

/** Expects a refusal at these fields that leaves every table unchanged. */
async function refused(answer: () => ReturnType<Caller['call']>, errors: Record<string, unknown>) {
  const before = await app.dump()
  const { status, body } = await answer()
  expect([status, body.errors]).toEqual([422, errors])
  expect(await app.dump()).toBe(before)
}

test('a campaign is created from the form, and returned as its row [CAMP-42]', async () => {
  const site = await app.make.clientSite({ campaign_id: null })
  const { status, body } = await create(root, { client_sites: [site.id] })
  expect([status, body]).toMatchObject([
    200,
    {
      name: 'Acme roofs',
      categories: [{ id: category }],
      client: { id: own.client_id },
      client_sites: [{ id: site.id, url: site.url }],
      manager: 'Morgan',
      start_date: '2026-02-28',
      due_date: 31,
      initial_target: 20,
      month_3_target: 25,
      month_6_target: null,
      month_12_target: 40,
      service_fee: 1500.5,
      approved_ppc: 300,
      net: 1200.5,
      fixed_to_top: 1,
      archived: 0,
      version: 1,
    },
  ])
  expect(await trailOf('campaign', body.id)).toMatchObject([{ action: 'created', after: { name: 'Acme roofs' } }])
  expect(await trailOf('client site', site.id)).toMatchObject([{ after: { campaign_id: body.id } }])
})

test('omitted optional fields are empty', async () => {
  const { name, categories, client_id, manager, start_date, due_date, initial_target } = form()
  const least = { name, categories, client_id, manager, start_date, due_date, initial_target }
  const { body } = await root.call(campaignsContract.create, { body: least })
  expect(body).toMatchObject({
    month_3_target: null,
    service_fee: 0,
    approved_ppc: 0,
    fixed_to_top: 0,
    client_sites: [],
  })
})

test('an admin sees the campaign they created, and no one else gains access', async () => {
  const other = await app.as(await app.make.admin({ campaigns: [own.id] }))
  const { body } = await create(admin)
  const seen = async (who: Caller) =>
    (await who.call(campaignsContract.list)).body.data.some(({ id }: { id: number }) => id === body.id)
  expect([await seen(admin), await seen(other)]).toEqual([true, false])
})

test('rights of its creator that were opened before a campaign was created do not take it away [CAMP-42]', async () => {
  const user = await app.make.admin({ campaigns: [own.id] })
  const params = { id: user.id }
  const opened = (await root.call(adminsContract.get, { params })).body
  const { body: made } = await create(await app.as(user))
  const rights = { [own.id]: 1, [made.id]: 1 }
  const stale = { campaigns: opened.campaignsPermissions, version: opened.admin.version }
  const late = await root.call(adminsContract.update, { params, body: stale })
  expect(late).toMatchObject({ status: 409, body: { newer: { campaignsPermissions: rights } } })
  expect((await root.call(adminsContract.get, { params })).body.campaignsPermissions).toEqual(rights)
  expect(await trailOf('user', user.id)).toMatchObject([
    { before: { campaigns: [own.id] }, after: { campaigns: [own.id, made.id] } },
  ])
})

test('the whole form is edited, and the audit log has what changed [CAMP-43]', async () => {
  const other = (await app.make.category()).id
  const { status, body } = await update(admin, own.id, { name: 'New name', categories: [other, category, other] })
  expect([status, body]).toMatchObject([200, { id: own.id, name: 'New name', version: 2 }])
  expect(body.categories.map(({ id }: { id: number }) => id).toSorted()).toEqual([category, other].toSorted())
  const again = await update(admin, own.id, { name: 'New name', categories: [category, other] })
  expect(again.body.version).toBe(2)
  const trail = await trailOf('campaign', own.id)
  expect(trail).toHaveLength(1)
  expect(trail[0]).toMatchObject({ action: 'changed', version: 2, after: { name: 'New name', due_date: 31 } })
})

describe('an invalid form is refused by field, and nothing changes', () => {
  const no = (field: string, value: unknown, line: string) => [field, value, line] as const
  test.each([
    no('name', '', 'Please input campaign name'),
    no('name', undefined, 'Please input campaign name'),
    no('name', 'x'.repeat(256), 'At most 255 characters'),
    no('name', 'a\u0000b', 'This text holds a character that cannot be stored'),
    no('categories', [], 'Please select a category'),
    no('categories', null, 'Please select a category'),
    no('categories', [2_147_483_647], 'There is no such category'),
    no('client_id', null, 'Please select a client'),
    no('client_id', 0, 'Please select a client'),
    no('client_id', 2_147_483_647, 'There is no such client'),
    no('client_sites', [2_147_483_647], 'There is no such client site'),
    no('client_sites', 'all', 'Not a list of client sites'),
    no('manager', '  ', 'Please input manager'),
    no('manager', 'x'.repeat(256), 'At most 255 characters'),
    no('start_date', '', 'Please pick start date'),
    no('start_date', '2026-02-29', 'Please pick start date'),
    no('start_date', '2026-04-31', 'Please pick start date'),
    no('start_date', '04/30/2026', 'Please pick start date'),
    no('due_date', null, 'Please select due date'),
    no('due_date', 0, 'Please select due date'),
    no('due_date', 32, 'Please select due date'),
    no('due_date', 1.5, 'Please select due date'),
    no('initial_target', null, 'Please input initial target'),
    no('initial_target', '', 'Please input initial target'),
    no('initial_target', 'many', 'Input a number'),
    no('initial_target', 2.5, 'Input a number'),
    no('initial_target', -1, 'Must not be negative'),
    no('initial_target', 1_000_001, 'Too large'),
    no('month_3_target', 'few', 'Input a number'),
    no('month_6_target', [], 'Input a number'),
    no('month_9_target', -3, 'Must not be negative'),
    no('month_12_target', '12', 'Input a number'),
    no('service_fee', 'much', 'Input a number'),
    no('service_fee', -0.01, 'Must not be negative'),
    no('service_fee', 10.005, 'At most two decimals'),
    no('approved_ppc', 1e12, 'Too large'),
    no('fixed_to_top', 2, 'Must be 0 or 1'),
    no('archived', 1, 'This field is not accepted'),
    no('trouble_state', 10, 'This field is not accepted'),
    no('is_ppc', 1, 'This field is not accepted'),
    no('notes', 'Mine', 'This field is not accepted'),
  ])('%s: %j', async (field, value, line) => {
    await refused(() => create(root, { [field]: value }), { [field]: [line] })
    await refused(() => update(root, own.id, { [field]: value }), { [field]: [line] })
  })

  test('an id that differs from the one in the URL', async () => {
    await refused(() => update(root, own.id, { id: foreign.id }), { id: ['This is not the campaign in the URL'] })
  })
})

describe('ids in the form are checked like the one in the path', () => {
  test('another user’s client, or a removed one, is not found; one without campaigns is open to all', async () => {
    const none = { client_id: ['There is no such client'] }
    await refused(() => create(admin, { client_id: foreign.client_id }), none)
    await refused(() => update(admin, own.id, { client_id: foreign.client_id }), none)
    const gone = await app.make.client({ deleted_at: new Date() })
    await refused(() => create(root, { client_id: gone.id }), none)
    const fresh = await app.make.client()
    expect((await create(admin, { client_id: fresh.id })).status).toBe(200)
  })

  test('a site of another user’s campaign, or of none, is not found', async () => {
    const none = { client_sites: ['There is no such client site'] }
    const theirs = await app.make.clientSite({ campaign_id: foreign.id })
    const unassigned = await app.make.clientSite({ campaign_id: null })
    const gone = await app.make.clientSite({ campaign_id: own.id, deleted_at: new Date() })
    for (const { id } of [theirs, unassigned, gone]) {
      await refused(() => create(admin, { client_sites: [id] }), none)
      await refused(() => update(admin, own.id, { client_sites: [id] }), none)
    }
  })

  test('a site of another client stays there, even for a super admin', async () => {
    const site = await app.make.clientSite({ campaign_id: foreign.id, url: 'https://theirs.example' })
    const errors = { client_sites: ['https://theirs.example is a site of another client'] }
    await refused(() => update(root, own.id, { client_sites: [site.id] }), errors)
    await refused(() => create(root, { client_sites: [site.id] }), errors)
  })

  test('a site moves from another campaign of the client, whose open form is then stale', async () => {
    const second = await app.make.campaign({ client_id: own.client_id, categories: [category] })
    const site = await app.make.clientSite({ campaign_id: second.id })
    await refused(() => update(admin, own.id, { client_sites: [site.id] }), {
      client_sites: ['There is no such client site'],
    })
    const both = await app.as(await app.make.admin({ campaigns: [own.id, second.id] }))
    expect((await update(both, own.id, { client_sites: [site.id] })).body.client_sites).toEqual([
      { id: site.id, url: site.url },
    ])
    expect(await siteOf(site.id)).toBe(own.id)
    expect(await trailOf('client site', site.id)).toMatchObject([
      { before: { campaign_id: second.id }, after: { campaign_id: own.id } },
    ])
    expect((await update(both, second.id, { client_sites: [site.id], version: 1 })).status).toBe(409)
    expect(await siteOf(site.id)).toBe(own.id)
  })

  test('a form that was open while its campaign got, gave away or lost a site is stale, and changes no site', async () => {
    const second = await app.make.campaign({ client_id: own.client_id, categories: [category] })
    const site = (campaign_id: number, url = 'https://added.example') => ({
      url,
      campaign_id,
      callrail_campaign_identifier: '',
      forms_only: true,
    })
    const readVersion = async ({ id }: Row) => (await root.call(campaignsContract.get, { params: { id } })).body.version
    const seen = await readVersion(own)
    const added = (await root.call(clientSitesContract.create, { body: site(own.id) })).body
    expect((await update(root, own.id, { version: seen })).status).toBe(409)
    expect(await siteOf(added.id)).toBe(own.id)
    const versions = { own: await readVersion(own), second: await readVersion(second) }
    const params = { id: added.id }
    await root.call(clientSitesContract.update, { params, body: site(own.id, 'https://renamed.example') })
    expect(await readVersion(own), 'its sites are the same').toBe(versions.own)
    await root.call(clientSitesContract.update, { params, body: site(second.id) })
    expect((await update(root, own.id, { client_sites: [added.id], version: versions.own })).status).toBe(409)
    expect((await update(root, second.id, { version: versions.second })).status).toBe(409)
    expect(await siteOf(added.id)).toBe(second.id)
    const last = await readVersion(second)
    await root.call(clientSitesContract.remove, { params })
    expect((await update(root, second.id, { client_sites: [added.id], version: last })).status).toBe(409)
  })

  test('only a super admin lets a site leave', async () => {
    const site = await app.make.clientSite({ campaign_id: own.id, url: 'https://own.example' })
    await refused(() => update(admin, own.id), {
      client_sites: ['https://own.example would have no campaign: move it to another one, or ask a super admin'],
    })
    expect((await update(root, own.id)).body.client_sites).toEqual([])
    expect(await siteOf(site.id)).toBeNull()
  })
})

describe('two people save the whole form', () => {
  test('the second gets 409 with the newer campaign, and nothing is lost; with its version they may continue', async () => {
    expect((await update(admin, own.id, { version: 1 })).status).toBe(200)
    const before = await app.dump()
    const late = await update(root, own.id, { manager: 'Dana', version: 1 })
    expect([late.status, late.body]).toMatchObject([
      409,
      { message: 'Someone else has changed this campaign', campaign: { name: 'Acme roofs', version: 2 } },
    ])
    expect(await app.dump()).toBe(before)
    expect((await update(root, own.id, { manager: 'Dana', version: 2 })).body).toMatchObject({
      manager: 'Dana',
      version: 3,
    })
  })

  test('a form without changes is not refused, and neither is one without a version', async () => {
    await update(admin, own.id, { version: 1 })
    expect((await update(root, own.id, { version: 1 })).body.version).toBe(2)
    expect((await update(root, own.id, { manager: 'Dana' })).status).toBe(200)
  })

  test('of ten concurrent saves one wins', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => update(root, own.id, { manager: `Manager ${index}`, version: 1 })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(409)])
  })

  test('after two concurrent opposite swaps each site is in one place', async () => {
    const second = await app.make.campaign({ client_id: own.client_id, categories: [category] })
    const [a, b] = [
      await app.make.clientSite({ campaign_id: own.id }),
      await app.make.clientSite({ campaign_id: second.id }),
    ]
    const answers = await Promise.all([
      update(root, own.id, { client_sites: [a.id, b.id] }),
      update(root, second.id, { client_sites: [a.id, b.id] }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(await siteOf(a.id)).toBe(await siteOf(b.id))
  })
})
