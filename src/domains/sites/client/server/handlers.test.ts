import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { auditTable } from '#core/db/schema.ts'
import { type Caller, setUp, startApp } from '#test/app.ts'
import type { SiteLog } from '../../checks/contract.ts'
import { clientSitesContract } from '../contract.ts'
import { clientSiteLogsTable, clientSitesTable, signingKeyAad } from '../schema.ts'

const app = await setUp(startApp())
const root = await app.as(await app.make.superAdmin())
const mine = await app.make.campaign({ name: 'Roofing Austin' })
const other = await app.make.campaign()
const admin = await app.as(await app.make.admin({ campaigns: [mine.id] }))

let count = 0
const form = (values: object = {}) => ({
  url: 'https://roofs.example/',
  callrail_campaign_identifier: `COM${++count}`,
  campaign_id: mine.id,
  ...values,
})
const urls = async (who: Caller, query: object) =>
  (await who.call(clientSitesContract.list, { query: { ...query } })).body.data.map(({ url }: { url: string }) => url)

test('the list has a page of sites with campaign, address and status, and the total [CS-21]', async () => {
  const site = await app.make.clientSite({
    url: 'https://first.example',
    campaign_id: mine.id,
    ip: '203.0.113.9',
    status: 1,
  })
  const { body } = await root.call(clientSitesContract.list, {
    query: { page: 1, per_page: 10, sort: 'url', order: 'asc', url: 'first' },
  })
  expect(body.total).toBe(1)
  expect(body.data[0]).toMatchObject({
    id: site.id,
    url: 'https://first.example',
    campaign: { id: mine.id, name: 'Roofing Austin' },
    ip: '203.0.113.9',
    status: 1,
  })
})

test('url, ip, campaign and status each narrow the list', async () => {
  await app.make.clientSite({ url: 'https://one_two.example', campaign_id: mine.id, ip: '203.0.113.12', status: 0 })
  await app.make.clientSite({ url: 'https://onextwo.example', ip: '203.0.113.120', status: 1 })
  await app.make.clientSite({ url: 'https://unseen.example', ip: null, status: null })
  expect(await urls(root, { url: 'ONE_TWO' })).toEqual(['https://one_two.example'])
  expect(await urls(root, { ip: '203.0.113.12' })).toEqual(['https://one_two.example'])
  expect(await urls(root, { ip: '0.113.12', sort: 'ip', order: 'desc' })).toEqual([
    'https://onextwo.example',
    'https://one_two.example',
  ])
  expect(await urls(root, { campaign_id: mine.id, status: 0 })).toEqual(['https://one_two.example'])
  expect(await urls(root, { status: 'unknown', url: 'unseen' })).toEqual(['https://unseen.example'])
  expect((await root.call(clientSitesContract.list, { query: { status: 7 } })).body.errors).toHaveProperty('status')
})

test('a save of an older version is refused with the newer site; a check makes none, another campaign does', async () => {
  const body = form({ url: 'https://twice.example/' })
  const { body: site } = await root.call(clientSitesContract.create, { body })
  const save = (values: object) =>
    root.call(clientSitesContract.update, { params: { id: site.id }, body: { ...body, ...values } })
  await app.context.db.update(clientSitesTable).set({ status: 1 }).where(eq(clientSitesTable.id, site.id))
  expect((await save({ campaign_id: other.id, version: site.version })).body).toMatchObject({ version: 2 })
  const before = await app.dump()
  const stale = await save({ url: 'https://late.example/', version: site.version })
  expect([stale.status, stale.body]).toMatchObject([
    409,
    { message: 'Someone else has changed this site', newer: { campaign: { id: other.id }, version: 2 } },
  ])
  expect(await app.dump()).toBe(before)
  expect((await save({ url: 'https://late.example/' })).body, 'without one the last writer wins').toMatchObject({
    url: 'https://late.example/',
    version: 3,
  })
})

test('creating a site returns its row, and writes the trail without its secret [CS-22]', async () => {
  const body = form({ url: ' shop.example/start ', callrail_signing_key: 'a-very-secret-key' })
  const { status, body: made } = await admin.call(clientSitesContract.create, { body })
  expect([status, made]).toMatchObject([
    200,
    { url: 'https://shop.example/start', campaign: { id: mine.id }, status: null, ip: null },
  ])
  const [row] = await app.context.db.select().from(clientSitesTable).where(eq(clientSitesTable.id, made.id))
  expect(app.context.secrets.open(row!.callrail_signing_key!, signingKeyAad(made.id))).toBe('a-very-secret-key')
  const trail = await app.context.db.select().from(auditTable).where(eq(auditTable.row_id, made.id))
  expect(trail.at(-1)).toMatchObject({ kind: 'client site', action: 'created' })
  const { body: changed } = await admin.call(clientSitesContract.update, {
    params: { id: made.id },
    body: { ...body, callrail_signing_key: 'another-secret' },
  })
  const everything = JSON.stringify([
    await app.context.db.select().from(auditTable).where(eq(auditTable.row_id, made.id)),
    made,
    changed,
  ])
  expect(everything).not.toMatch(/secret-key|another-secret|Buffer/)
})

test.each([
  ['https://Back.example\\path', 'https://back.example/path', 'back.example'],
  ['https://%65ncoded.example/', 'https://encoded.example/', 'encoded.example'],
  ['https://bücher.example/', 'https://xn--bcher-kva.example/', 'xn--bcher-kva.example'],
  ['https://Plain.example/A?b=c d#e', 'https://Plain.example/A?b=c d#e', 'plain.example'],
])('%j is stored with the host that a browser opens', async (url, stored, host) => {
  const { body } = await admin.call(clientSitesContract.create, { body: form({ url }) })
  const [row] = await app.context.db.select().from(clientSitesTable).where(eq(clientSitesTable.id, body.id))
  expect([row?.url, row?.host]).toEqual([stored, host])
})

test('editing changes a site; a new address resets its checks and keeps the key [CS-23]', async () => {
  const site = await app.make.clientSite({
    campaign_id: mine.id,
    status: 1,
    ip: '203.0.113.77',
    signingKey: 'kept-key',
  })
  const same = form({ url: site.url, callrail_signing_key: '' })
  expect((await admin.call(clientSitesContract.update, { params: { id: site.id }, body: same })).body).toMatchObject({
    status: 1,
    ip: '203.0.113.77',
  })
  const { body } = await admin.call(clientSitesContract.update, {
    params: { id: site.id },
    body: { ...same, url: 'https://moved.example' },
  })
  expect(body).toMatchObject({ url: 'https://moved.example', status: null, ip: null })
  const [row] = await app.context.db.select().from(clientSitesTable).where(eq(clientSitesTable.id, site.id))
  expect(app.context.secrets.open(row!.callrail_signing_key!, signingKeyAad(site.id))).toBe('kept-key')
})

test('a deleted site is gone for everyone, and its leads are kept [CS-24]', async () => {
  const site = await app.make.clientSite({ campaign_id: mine.id })
  const lead = await app.make.lead({ campaign_id: mine.id, clientsite_id: site.id })
  expect((await admin.call(clientSitesContract.remove, { params: { id: site.id } })).status).toBe(204)
  expect((await root.call(clientSitesContract.remove, { params: { id: site.id } })).status).toBe(404)
  expect(await urls(root, { url: site.url })).toEqual([])
  expect(lead.clientsite_id).toBe(site.id)
})

test('the log is a page of changes, newest first, and tells those before the site was first reached [CS-25]', async () => {
  const site = await app.make.clientSite({ campaign_id: mine.id })
  const at = (minute: number) => new Date(Date.UTC(2026, 2, 1, 14, minute))
  await app.context.db.insert(clientSiteLogsTable).values([
    { site_id: site.id, status: 0, created_at: at(1) },
    { site_id: site.id, status: 1, created_at: at(5) },
    { site_id: site.id, status: 0, created_at: at(20) },
  ])
  const readLog = (query: { page?: number; per_page?: number }) =>
    admin.call(clientSitesContract.logs, { params: { id: site.id }, query })
  const { body } = await readLog({ page: 1, per_page: 1 })
  const newest = { id: expect.any(Number), status: 0, created_at: '2026-03-01T14:20:00Z', never_live: 0 }
  expect(body).toEqual({ data: [newest], total: 3 })
  const all = await readLog({})
  expect(all.body.data.map(({ status, never_live }: SiteLog) => [status, never_live])).toEqual([
    [0, 0],
    [1, 0],
    [0, 1],
  ])
})

test('sites of other campaigns, and of none, are neither listed nor found by id', async () => {
  const foreign = await app.make.clientSite({ url: 'https://foreign.example', campaign_id: other.id })
  const nobodys = await app.make.clientSite({ url: 'https://nobodys.example', campaign_id: null })
  expect(await urls(admin, { url: 'foreign' })).toEqual([])
  expect(await urls(admin, { url: 'nobodys' })).toEqual([])
  expect(await urls(root, { url: 'nobodys' })).toEqual(['https://nobodys.example'])
  const before = await app.dump()
  for (const { id } of [foreign, nobodys]) {
    for (const call of [
      clientSitesContract.remove,
      clientSitesContract.logs,
      clientSitesContract.check,
      clientSitesContract.hook,
      clientSitesContract.newHookKey,
    ])
      expect([call.address, (await admin.call(call, { params: { id } })).status]).toEqual([call.address, 404])
    expect((await admin.call(clientSitesContract.update, { params: { id }, body: form() })).status).toBe(404)
  }
  expect(await app.dump()).toBe(before)
})

test('neither a new nor an old site can be assigned to another user’s campaign', async () => {
  const site = await app.make.clientSite({ campaign_id: mine.id })
  const before = await app.dump()
  expect((await admin.call(clientSitesContract.create, { body: form({ campaign_id: other.id }) })).status).toBe(404)
  expect(
    (await admin.call(clientSitesContract.update, { params: { id: site.id }, body: form({ campaign_id: other.id }) }))
      .status,
  ).toBe(404)
  expect(await app.dump()).toBe(before)
})

test('a new site has the key of its forms from the start; a new key is another one [IN-07]', async () => {
  const { body: site } = await admin.call(clientSitesContract.create, { body: form({ url: 'https://keyed.example' }) })
  const params = { id: site.id }
  const first = (await admin.call(clientSitesContract.hook, { params })).body
  expect(first).toEqual({
    callrail_url: expect.stringMatching(/\/api\/hooks\/callrail$/),
    formidable_url: expect.stringMatching(new RegExp(`/api/hooks/formidable/${site.id}$`)),
    key: expect.stringMatching(/^[\w-]{43}$/),
  })
  const second = (await admin.call(clientSitesContract.newHookKey, { params })).body
  expect(second).toEqual({ ...first, key: expect.not.stringMatching(first.key) })
  expect((await admin.call(clientSitesContract.hook, { params })).body).toEqual(second)
})

test('a CallRail company belongs to one site', async () => {
  const site = await app.make.clientSite({ callrail_campaign_identifier: 'COMtaken' })
  const answer = await root.call(clientSitesContract.create, {
    body: form({ callrail_campaign_identifier: 'COMtaken' }),
  })
  expect([answer.status, answer.body.errors]).toEqual([
    409,
    { callrail_campaign_identifier: ['Another client site has this CallRail Company ID'] },
  ])
  await root.call(clientSitesContract.remove, { params: { id: site.id } })
  expect(
    (await root.call(clientSitesContract.create, { body: form({ callrail_campaign_identifier: 'COMtaken' }) })).status,
  ).toBe(200)
})

test('a site with only forms is saved without a CallRail company, and says so [CS-14]', async () => {
  const made = await root.call(clientSitesContract.create, {
    body: form({ callrail_campaign_identifier: '', forms_only: true }),
  })
  expect([made.status, made.body.callrail_campaign_identifier]).toEqual([200, null])
  const saved = await root.call(clientSitesContract.update, {
    params: { id: made.body.id },
    body: form({ callrail_campaign_identifier: null, forms_only: false }),
  })
  expect([saved.status, saved.body.errors]).toEqual([
    422,
    { callrail_campaign_identifier: ['Please input CallRail Company ID'] },
  ])
})

const wrong: [values: object, field: string, line: string][] = [
  [{ url: '' }, 'url', 'Please input URL'],
  [{ url: null }, 'url', 'Please input URL'],
  [{ callrail_campaign_identifier: ' ' }, 'callrail_campaign_identifier', 'Please input CallRail Company ID'],
  [{ campaign_id: null }, 'campaign_id', 'Please select Campaign'],
  [{ url: 'javascript:alert(1)' }, 'url', 'Not a web address'],
  [{ url: 'ftp://files.example' }, 'url', 'Not a web address'],
  [{ url: 'https://user:password@site.example' }, 'url', 'Addresses with a password are not allowed'],
  [{ url: `https://${'x'.repeat(10_000)}.example` }, 'url', 'At most 2048 characters'],
  [{ url: `https://${'x.'.repeat(200)}example` }, 'url', 'Not a web address'],
]
const unreachable = [
  ...['http://127.0.0.1', 'http://2130706433', 'http://[::ffff:10.0.0.1]', 'http://169.254.169.254/latest'],
  ...['http://localhost', 'https://site.example:8443', 'http://0x7f.1'],
]
for (const url of unreachable)
  wrong.push([{ url }, 'url', 'This address cannot be checked: it is not on the public web'])
test.each(wrong)('%j is refused in words', async (values, field, line) => {
  const before = await app.dump()
  const answer = await root.call(clientSitesContract.create, { body: form(values) })
  expect([answer.status, answer.body.errors]).toEqual([422, { [field]: [line] }])
  expect(await app.dump()).toBe(before)
})

test('an international name is stored as it is requested', async () => {
  const { body } = await root.call(clientSitesContract.create, { body: form({ url: 'https://bücher.example/über' }) })
  expect(body.url).toBe('https://xn--bcher-kva.example/%C3%BCber')
})
