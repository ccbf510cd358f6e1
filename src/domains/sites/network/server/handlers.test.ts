import { parse } from 'csv-parse/sync'
import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { networkCategoriesContract } from '#domains/sites/categories/contract.ts'
import { ipsTable } from '#domains/sites/ips/schema.ts'
import { outgoingLinksTable } from '#domains/sites/links/schema.ts'
import { registrationsTable } from '#domains/sites/registrations/schema.ts'
import { setUp, startApp } from '#test/app.ts'
import { networkSitesContract } from '../contract.ts'
import { networkSiteLogsTable, networkSitesTable } from '../schema.ts'

const app = await setUp(startApp())
const root = await app.as(await app.make.superAdmin())
const blogs = await app.make.networkCategory({ name: 'Blogs' })

const list = async (query: object, who = root) =>
  (await who.call(networkSitesContract.list, { query: { ...query } })).body
const urls = async (query: object, who = root) => (await list(query, who)).data.map(({ url }: { url: string }) => url)

test('a site is listed with its registration, its address and its last results [NS-19] [NS-20]', async () => {
  await app.context.db.insert(registrationsTable).values({
    domain: 'known.example',
    registrar: 'Names Inc.',
    registrant: 'Redacted',
    registered_on: '2019-04-01',
    expires_on: '2027-04-01',
    nameservers: ['ns1.known.example', 'ns2.known.example', 'ns3.known.example'],
  })
  const [ip] = await app.context.db
    .insert(ipsTable)
    .values({ ip: '203.0.113.9', reverse_ip: 'web9.hosting.example' })
    .returning()
  const site = await app.make.networkSite({
    url: 'https://www.known.example/',
    category_id: blogs.id,
    domain: 'known.example',
    ip: '203.0.113.9',
    status: 1,
    http_status_code: 200,
    redirect_url: 'https://known.example/home',
    last_google_index: new Date('2026-03-01T00:00:00Z'),
    outgoing_links_parsing_error: 'Error 503',
    outgoing_links_parsing_failed_at: new Date('2026-03-02T03:04:05Z'),
  })
  const { data, total } = await list({
    page: 1,
    per_page: 200,
    sort: 'url',
    order: 'asc',
    url: 'known',
    ip: '203.0.113.9',
    category: blogs.id,
    status: 1,
    host: 'known.example',
  })
  expect(total).toBe(1)
  expect(data[0]).toMatchObject({
    id: site.id,
    url: 'https://www.known.example/',
    category_id: blogs.id,
    category: 'Blogs',
    status: 1,
    http_status_code: 200,
    registrar: 'Names Inc.',
    registrant: 'Redacted',
    ip: { id: ip!.id, ip: '203.0.113.9' },
    registration_date: '2019-04-01',
    expiration_date: '2027-04-01',
    nameserver_1: 'ns1.known.example',
    nameserver_2: 'ns2.known.example',
    last_google_index: '2026-03-01T00:00:00Z',
    redirect_url: 'https://known.example/home',
    reverse_ip: 'web9.hosting.example',
    outgoing_links_parsing_error: 'Error 503',
    outgoing_links_parsing_failed_at: '2026-03-02T03:04:05Z',
  })
})

test('the list sorts by every column that shows one value, and pages neither repeat nor skip', async () => {
  for (let n = 0; n < 7; n += 1)
    await app.make.networkSite({ url: `https://same-${n % 2}.example`, category_id: blogs.id })
  for (const sort of networkSitesContract.list.list.sorts)
    for (const order of ['asc', 'desc']) {
      const whole = (await list({ url: 'same-', sort, order })).data.map(({ id }: { id: number }) => id)
      const pages = []
      for (const page of [1, 2, 3, 4])
        pages.push(
          ...(await list({ url: 'same-', sort, order, page, per_page: 2 })).data.map(({ id }: { id: number }) => id),
        )
      expect([sort, order, pages]).toEqual([sort, order, whole])
    }
})

test('the file has the filtered rows and the columns of the table, safe for spreadsheets [NS-21]', async () => {
  await app.context.db
    .insert(registrationsTable)
    .values({ domain: 'filed.example', registrar: '=cmd|calc', nameservers: ['@ns'] })
  await app.make.networkSite({
    url: 'https://filed.example',
    domain: 'filed.example',
    status: 0,
    http_status_code: 503,
  })
  const answer = await root.fetch('/api/networksite/export?url=filed&sort=url&order=desc')
  expect(answer.headers.get('content-disposition')).toBe('attachment; filename="network_sites.csv"')
  const rows = parse(await answer.text(), { columns: true, bom: true }) as Record<string, string>[]
  expect(rows).toHaveLength(1)
  expect(rows[0]).toMatchObject({
    URL: 'https://filed.example',
    Status: 'Offline',
    Http: '503',
    Registrar: "'=cmd|calc",
    'Nameserver 1': "'@ns",
  })
  expect(Object.keys(rows[0]!).slice(-2)).toEqual(['Reverse IP', 'Outgoing links last error'])
  const { rows: kept } = await app.context.db.execute(
    sql`select after from audit where kind = 'export' order by id desc limit 1`,
  )
  expect(kept).toEqual([{ after: { of: 'network sites', rows: 1 } }])
  const admin = await app.as(await app.make.admin({ permissions: ['outgoingLinks'] }))
  expect((await admin.fetch('/api/networksite/export')).status).toBe(403)
})

test('a new site’s domain is looked up at its registry, once for all its sites [NS-22]', async () => {
  const body = { url: 'https://www.new-site.co.uk/', category_id: blogs.id }
  const { status, body: made } = await root.call(networkSitesContract.create, { body })
  expect([status, made]).toMatchObject([
    200,
    { url: 'https://www.new-site.co.uk/', category: 'Blogs', status: null, ip: null, registrar: null },
  ])
  await root.call(networkSitesContract.create, { body: { ...body, url: 'https://blog.new-site.co.uk/' } })
  const followed = await app.context.db
    .select()
    .from(registrationsTable)
    .where(eq(registrationsTable.domain, 'new-site.co.uk'))
  expect(followed).toHaveLength(1)
})

test('a new address makes it another site: data about the old one is removed [NS-23]', async () => {
  const site = await app.make.networkSite({
    category_id: blogs.id,
    status: 1,
    ip: '203.0.113.50',
    crawled_at: new Date(),
  })
  await app.context.db.insert(ipsTable).values({ ip: '203.0.113.50' })
  await app.make.outgoingLink({ network_site_id: site.id })
  const kept = await root.call(networkSitesContract.update, {
    params: { id: site.id },
    body: { url: site.url, category_id: (await app.make.networkCategory()).id },
  })
  expect(kept.body).toMatchObject({ status: 1, ip: { ip: '203.0.113.50' } })
  const { body } = await root.call(networkSitesContract.update, {
    params: { id: site.id },
    body: { url: 'https://elsewhere.example', category_id: blogs.id },
  })
  expect(body).toMatchObject({ url: 'https://elsewhere.example', status: null, ip: null, crawled_at: null })
  expect(await app.context.db.$count(outgoingLinksTable, eq(outgoingLinksTable.network_site_id, site.id))).toBe(0)
  expect(await app.context.db.$count(ipsTable, eq(ipsTable.ip, '203.0.113.50'))).toBe(0)
  expect(
    (
      await root.call(networkSitesContract.update, {
        params: { id: 999_999 },
        body: { url: site.url, category_id: blogs.id },
      })
    ).status,
  ).toBe(404)
})

test('a category that was removed while the form was open is named at its field, and nothing is written [NS-22] [NS-23]', async () => {
  const site = await app.make.networkSite({ category_id: blogs.id })
  const gone = await app.make.networkCategory()
  await root.call(networkCategoriesContract.remove, { params: { id: gone.id } })
  const before = await app.dump()
  const body = { url: 'https://new-home.example/', category_id: gone.id }
  const refused = { status: 422, body: { errors: { category_id: ['There is no such category'] } } }
  expect(await root.call(networkSitesContract.create, { body })).toMatchObject(refused)
  expect(await root.call(networkSitesContract.update, { params: { id: site.id }, body })).toMatchObject(refused)
  expect(await app.dump()).toBe(before)
})

test('deleting removes the log, the links and the IP address, unless another site uses the address [NS-24]', async () => {
  const used = { ip: '203.0.113.60' }
  const site = await app.make.networkSite(used)
  await app.make.clientSite(used)
  const alone = await app.make.networkSite({ ip: '203.0.113.61' })
  await app.context.db.insert(ipsTable).values([used, { ip: '203.0.113.61' }])
  await app.context.db.insert(networkSiteLogsTable).values({ site_id: site.id, status: 1 })
  await app.make.outgoingLink({ network_site_id: site.id })
  for (const { id } of [site, alone])
    expect((await root.call(networkSitesContract.remove, { params: { id } })).status).toBe(204)
  expect((await root.call(networkSitesContract.remove, { params: { id: site.id } })).status).toBe(404)
  const left = await app.context.db
    .select({ ip: ipsTable.ip })
    .from(ipsTable)
    .where(sql`ip in ('203.0.113.60', '203.0.113.61')`)
  expect(left).toEqual([used])
  expect(await app.context.db.$count(networkSitesTable, eq(networkSitesTable.id, site.id))).toBe(0)
})

test('the log is a page of changes [NS-25]', async () => {
  const site = await app.make.networkSite()
  await app.context.db
    .insert(networkSiteLogsTable)
    .values({ site_id: site.id, status: 0, created_at: new Date('2026-03-01T14:05:00Z') })
  const { body } = await root.call(networkSitesContract.logs, { params: { id: site.id } })
  const entry = { id: expect.any(Number), status: 0, created_at: '2026-03-01T14:05:00Z', never_live: 1 }
  expect(body).toEqual({ data: [entry], total: 1 })
  expect((await root.call(networkSitesContract.logs, { params: { id: 999_999 } })).status).toBe(404)
})

test('the host filter finds sites that lead there: by a current link, by a redirect, or because it is their own', async () => {
  const linking = await app.make.networkSite({ url: 'https://a.leads.example' })
  const lost = await app.make.networkSite({ url: 'https://b.leads.example' })
  await app.make.networkSite({ url: 'https://c.leads.example', redirect_url: 'https://www.target.example/x' })
  await app.make.networkSite({ url: 'https://d.leads.example', redirect_url: 'https://target.example.evil.example/' })
  await app.make.networkSite({ url: 'https://www.target.example' })
  await app.make.outgoingLink({ network_site_id: linking.id, url: 'https://www.target.example/page' })
  await app.make.outgoingLink({ network_site_id: lost.id, url: 'https://target.example/', lost_at: new Date() })
  const expected = ['https://a.leads.example', 'https://c.leads.example', 'https://www.target.example']
  for (const host of ['target.example', 'https://www.target.example/any?thing', 'WWW.Target.Example'])
    expect([host, await urls({ host })]).toEqual([host, expected])
})

test('sites that lead to a client’s site are only shown to users who may see that client site', async () => {
  const site = await app.make.clientSite({ url: 'https://www.client-of-ours.example' })
  const linking = await app.make.networkSite({ url: 'https://links-to-client.example' })
  await app.make.outgoingLink({ network_site_id: linking.id, url: 'https://client-of-ours.example/' })
  const theirs = await app.as(await app.make.admin({ campaigns: [site.campaign_id!] }))
  const others = await app.as(await app.make.admin({ campaigns: [(await app.make.campaign()).id] }))
  const host = 'client-of-ours.example'
  expect(await urls({ host }, theirs)).toEqual(['https://links-to-client.example'])
  expect(await list({ host }, others)).toEqual({ data: [], total: 0 })
  expect(await urls({ host })).toEqual(['https://links-to-client.example'])
})

test.each([
  ['url', { url: '', category_id: 1 }, 'Please input URL'],
  ['category_id', { url: 'https://x.example', category_id: null }, 'Please select Campaign'],
  ['category_id', { url: 'https://x.example' }, 'Please select Campaign'],
  ['url', { url: 'javascript:alert(1)', category_id: 1 }, 'Not a web address'],
])('a wrong %s is refused with its reason', async (field, body, line) => {
  const before = await app.dump()
  const answer = await root.call(networkSitesContract.create, { body })
  expect([answer.status, answer.body.errors]).toEqual([422, { [field]: [line] }])
  expect(await app.dump()).toBe(before)
})
