import { eq, sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { spokenHostsTable } from '#domains/sites/checks/schema.ts'
import { clientSitesContract } from '#domains/sites/client/contract.ts'
import { clientSiteLogsTable, clientSitesTable } from '#domains/sites/client/schema.ts'
import { ipsTable } from '#domains/sites/ips/schema.ts'
import { networkSitesContract } from '#domains/sites/network/contract.ts'
import { networkSitesTable } from '#domains/sites/network/schema.ts'
import { startLocalSites } from '#integrations/fakes/sites.ts'
import { OutboundClient } from '#integrations/outbound/outbound.ts'
import { OutboundError } from '#integrations/outbound/outbound-problem.ts'
import { setUp, startApp } from '#test/app.ts'
import { until } from '#test/until.ts'
import { claimHost, releaseHost } from './host-claims.ts'
import { checkDueSites, markAllSitesDue } from './sweep.ts'

const tlsEnds = new Date('2031-05-06T07:08:09Z')
const sites = await setUp(startLocalSites({ certificateEnds: tlsEnds }))
const app = await setUp(startApp())
const ranges = { ALLOWED_PRIVATE_RANGES: ['203.0.113.0/24', '127.0.0.1'] }
app.context.outbound = new OutboundClient(ranges, sites.world)
const root = await app.as(await app.make.superAdmin())

// A round visits every due site, including those of earlier tests.
beforeEach(async () => {
  await app.context.db.delete(spokenHostsTable)
  await app.context.db.execute(sql`delete from network_sites`)
  await app.context.db.execute(sql`update client_sites set deleted_at = now()`)
})

const check = async (id: number) => (await root.call(clientSitesContract.check, { params: { id } })).body
const logsOf = async (id: number) =>
  (
    await app.context.db
      .select()
      .from(clientSiteLogsTable)
      .where(eq(clientSiteLogsTable.site_id, id))
      .orderBy(clientSiteLogsTable.id)
  ).map(({ status }) => status)
const answering = (host: string, status: number, headers: Record<string, string> = {}) => {
  const site = sites.known.get(host) ?? sites.add(host)
  site.answer = (_request, response) => response.writeHead(status, headers).end()
}

test('a site whose check fails for a reason of ours is requested once in a round, and the others are checked', async () => {
  sites.add('works.example', { '/': 'hello' })
  const works = await app.make.networkSite({ url: 'http://works.example' })
  await app.make.networkSite({ url: 'http://buggy.example' })
  const { outbound } = app.context
  let requests = 0
  app.context.outbound = Object.assign(Object.create(outbound), {
    reverse: async () => null,
    request: (url: string, ask: object) => {
      if (!url.includes('buggy')) return outbound.request(url, ask)
      requests += 1
      throw new TypeError('a bug')
    },
  })
  expect([await checkDueSites(app.context, { milliseconds: 20_000 }), requests]).toEqual([2, 1])
  app.context.outbound = outbound
  const [row] = await app.context.db.select().from(networkSitesTable).where(eq(networkSitesTable.id, works.id))
  expect(row?.status).toBe(1)
})

test('a round visits client and network sites, follows redirects, and stores the results [NS-26] [NS-30]', async () => {
  sites.add('plain.example', { '/': 'hello' }, '203.0.113.251').reverse = 'web7.hosting.example'
  sites.add('moved.example', { '/': 'https://safe.example/new' }, '203.0.113.8')
  sites.add('safe.example', { '/new': 'here' }, '203.0.113.9')
  sites.add('gone.example', {}, '203.0.113.10')
  const plain = await app.make.clientSite({ url: 'http://plain.example' })
  const moved = await app.make.networkSite({ url: 'https://moved.example' })
  const gone = await app.make.networkSite({ url: 'http://gone.example' })
  expect(await checkDueSites(app.context)).toBe(3)
  const [client] = await app.context.db.select().from(clientSitesTable).where(eq(clientSitesTable.id, plain.id))
  expect(client).toMatchObject({
    status: 1,
    http_status_code: 200,
    redirect_url: null,
    ip: '203.0.113.251',
    problem: null,
    misses: 0,
  })
  const [network] = await app.context.db.select().from(networkSitesTable).where(eq(networkSitesTable.id, moved.id))
  expect(network).toMatchObject({
    status: 1,
    http_status_code: 200,
    redirect_url: 'https://safe.example/new',
    ip: '203.0.113.8',
    tls_expires_at: tlsEnds,
  })
  const [missing] = await app.context.db.select().from(networkSitesTable).where(eq(networkSitesTable.id, gone.id))
  expect(missing).toMatchObject({
    status: null,
    http_status_code: 404,
    misses: 1,
    problem: 'Error 404: there is no such page',
  })
  const [address] = await app.context.db.select().from(ipsTable).where(eq(ipsTable.ip, '203.0.113.251'))
  expect(address?.reverse_ip).toBe('web7.hosting.example')
  expect(await app.context.db.$count(spokenHostsTable)).toBe(0)
})

test('one miss does not make a site offline, two in a row do; the log has only the changes [NS-27]', async () => {
  sites.add('flaps.example')
  const { id } = await app.make.clientSite({ url: 'http://flaps.example' })
  expect((await check(id)).status).toBe(1)
  await check(id)
  answering('flaps.example', 500)
  expect(await check(id)).toMatchObject({ status: 1, http_status_code: 500, problem: 'Error 500', missed: 1 })
  answering('flaps.example', 200)
  await check(id)
  answering('flaps.example', 404)
  await check(id)
  expect(await logsOf(id)).toEqual([1])
  expect((await check(id)).status).toBe(0)
  await check(id)
  expect(await logsOf(id)).toEqual([1, 0])
  answering('flaps.example', 304)
  expect((await check(id)).status).toBe(1)
  expect(await logsOf(id)).toEqual([1, 0, 1])
})

test('a site that does not answer keeps what is known of its certificate; one that answers without has none [NS-27]', async () => {
  const { addresses } = sites.add('sealed.example')
  const { id } = await app.make.clientSite({ url: 'https://sealed.example' })
  const ends = '2031-05-06T07:08:09Z'
  expect(await check(id)).toMatchObject({ status: 1, tls_expires_at: ends })
  sites.known.delete('sealed.example')
  expect(await check(id)).toMatchObject({ problem: 'This website could not be found', tls_expires_at: ends })
  const { outbound } = app.context
  const request = async () => Promise.reject(new OutboundError('no http2', 'Only speaks HTTP/2'))
  app.context.outbound = Object.assign(Object.create(outbound), { request })
  const unseen = await check(id)
  app.context.outbound = outbound
  expect(unseen).toMatchObject({ status: 1, problem: 'Only speaks HTTP/2', missed: 0, tls_expires_at: ends })
  sites.add('sealed.example', { '/': 'hello' }, addresses[0])
  await app.context.db.update(clientSitesTable).set({ url: 'http://sealed.example' }).where(eq(clientSitesTable.id, id))
  expect(await check(id)).toMatchObject({ status: 1, tls_expires_at: null })
})

test('an unknown name, a closed port and a site inside our network are misses, and reveal nothing internal [NS-32]', async () => {
  sites.known.set('inside.example', { addresses: ['10.0.0.7'], answer: () => {} })
  const nowhere = await app.make.clientSite({ url: 'http://nowhere.example' })
  const inside = await app.make.clientSite({ url: 'http://inside.example' })
  expect(await check(nowhere.id)).toMatchObject({ status: null, problem: 'This website could not be found', ip: null })
  expect(await check(inside.id)).toMatchObject({
    status: null,
    problem: 'The address is not on the public web',
    ip: null,
  })
  expect(sites.requests.some((request) => request.includes('inside'))).toBe(false)
})

test.each([
  [403, { 'cf-mitigated': 'challenge' }, 'Cloudflare blocks automated requests (403)'],
  [503, { server: 'cloudflare', 'cf-mitigated': 'challenge' }, 'Cloudflare blocks automated requests (503)'],
  [403, { 'x-sucuri-id': '1' }, 'Sucuri blocks automated requests (403)'],
  [429, {}, 'A rate limit blocks automated requests (429)'],
  [403, { server: 'nginx' }, 'Keeps checkers out (403)'],
  [406, {}, 'Keeps checkers out (406)'],
  [451, {}, 'Keeps checkers out (451)'],
])('a site that answers %i %j keeps checkers out, and is not down [EDGE-10]', async (status, headers, problem) => {
  sites.add('walled.example')
  const { id } = await app.make.clientSite({ url: 'http://walled.example', callrail_campaign_identifier: null })
  await check(id)
  answering('walled.example', status, headers as Record<string, string>)
  for (let n = 0; n < 3; n += 1)
    expect(await check(id)).toMatchObject({ status: 1, blocked: 1, missed: 0, http_status_code: status, problem })
  expect(await logsOf(id)).toEqual([1])
})

test('how long a site has kept checkers out is known until it answers [EDGE-10]', async () => {
  sites.add('kept.example')
  const { id } = await app.make.clientSite({ url: 'http://kept.example' })
  const since = async () =>
    (await app.context.db.select().from(clientSitesTable).where(eq(clientSitesTable.id, id)))[0]?.blocked_since
  await check(id)
  expect(await since()).toBeNull()
  answering('kept.example', 403)
  await check(id)
  const first = await since()
  await check(id)
  expect([first, await since()]).toEqual([expect.any(Date), first])
  sites.known.get('kept.example')!.answer = (request) => request.destroy()
  await check(id)
  expect(await since(), 'no answer says nothing about who is kept out').toEqual(first)
  answering('kept.example', 500)
  await check(id)
  expect(await since()).toBeNull()
})

test('a site in maintenance is offline after two misses, whatever it says of its return [EDGE-10]', async () => {
  sites.add('maintained.example')
  const { id } = await app.make.clientSite({ url: 'http://maintained.example' })
  await check(id)
  answering('maintained.example', 503, { 'retry-after': '600', server: 'cloudflare', 'cf-ray': 'x' })
  expect(await check(id)).toMatchObject({ status: 1, blocked: 0, problem: 'Error 503' })
  expect(await check(id)).toMatchObject({ status: 0, blocked: 0, problem: 'Error 503' })
})

test('a site that is removed while it is checked leaves no IP address and no log [NS-29]', async () => {
  const site = sites.add('leaves.example', { '/': 'x' }, '203.0.113.103')
  const { id } = await app.make.clientSite({ url: 'http://leaves.example' })
  const { answer } = site
  site.answer = (request, response) =>
    void root.call(clientSitesContract.remove, { params: { id } }).then(() => answer(request, response))
  await checkDueSites(app.context)
  const [removed] = await app.context.db.select().from(clientSitesTable).where(eq(clientSitesTable.id, id))
  expect(removed).toMatchObject({ deleted_at: expect.any(Date), status: null, ip: null })
  expect([await app.context.db.$count(ipsTable, eq(ipsTable.ip, '203.0.113.103')), await logsOf(id)]).toEqual([0, []])
  expect(await app.context.db.$count(spokenHostsTable)).toBe(0)
})

test('an IP address is kept while a site uses it, and removed with the last [NS-29]', async () => {
  const site = sites.add('moves.example', { '/': 'x' }, '203.0.113.101')
  const { id } = await app.make.clientSite({ url: 'http://moves.example' })
  await check(id)
  expect(await app.context.db.$count(ipsTable, eq(ipsTable.ip, '203.0.113.101'))).toBe(1)
  site.addresses = ['203.0.113.102']
  expect((await check(id)).ip).toBe('203.0.113.102')
  expect(await app.context.db.$count(ipsTable, eq(ipsTable.ip, '203.0.113.101'))).toBe(0)
  await root.call(clientSitesContract.remove, { params: { id } })
  expect(await app.context.db.$count(ipsTable, eq(ipsTable.ip, '203.0.113.102'))).toBe(0)
})

test('checks are spread over the interval, and each host gets one request at a time [NS-28]', async () => {
  await app.context.db.execute(sql`delete from network_sites`)
  await app.context.db.execute(sql`update client_sites set deleted_at = now()`)
  let [now, most] = [0, 0]
  sites.add('busy.example').answer = (_request, response) => {
    most = Math.max(most, ++now)
    setTimeout(() => {
      now -= 1
      response.end()
    }, 15)
  }
  for (let n = 0; n < 6; n += 1) {
    await app.make.networkSite({ url: `http://busy.example/${n}` })
    await app.make.clientSite({ url: `http://www.busy.example/${n}` })
  }
  sites.known.set('www.busy.example', sites.known.get('busy.example')!)
  const visited = await Promise.all([checkDueSites(app.context), checkDueSites(app.context)])
  expect([visited[0]! + visited[1]!, most]).toEqual([12, 1])
  const { rows } = await app.context.db.execute<{ seconds: number }>(
    sql`select extract(epoch from next_check_at - now())::float as seconds from network_sites`,
  )
  expect(rows.every(({ seconds }) => seconds > 300 && seconds <= 900)).toBe(true)
  expect(new Set(rows.map(({ seconds }) => Math.round(seconds))).size).toBeGreaterThan(2)
})

test('a check whose process died is repeated by another once its claim has expired', async () => {
  sites.add('orphan.example')
  const { id } = await app.make.networkSite({ url: 'http://orphan.example' })
  await claimHost(app.context.db, 'orphan.example', 60)
  expect(await checkDueSites(app.context)).toBe(0)
  await app.context.db.update(spokenHostsTable).set({ until: new Date(0) })
  expect(await checkDueSites(app.context)).toBe(1)
  expect((await root.call(networkSitesContract.check, { params: { id } })).body.status).toBe(1)
})

test('a manual check waits for the one that is under way', async () => {
  sites.add('waits.example')
  const { id } = await app.make.networkSite({ url: 'http://waits.example', next_check_at: new Date('2099-01-01') })
  await claimHost(app.context.db, 'waits.example', 60)
  const asked = root.call(networkSitesContract.check, { params: { id } })
  await until(async () => !(await claimHost(app.context.db, 'waits.example', 60)))
  expect(sites.requests.some((request) => request.includes('waits'))).toBe(false)
  await releaseHost(app.context.db, 'waits.example')
  expect((await asked).body.status).toBe(1)
})

test('a site that is changed during a check keeps no result of its old address', async () => {
  let answer = () => {}
  sites.add('before.example').answer = (_request, response) => {
    answer = () => response.end()
  }
  const site = await app.make.networkSite({ url: 'http://before.example' })
  const checked = root.call(networkSitesContract.check, { params: { id: site.id } })
  await until(() => sites.requests.some((request) => request.includes('before.example')))
  await root.call(networkSitesContract.update, {
    params: { id: site.id },
    body: { url: 'http://after.example', category_id: site.category_id },
  })
  answer()
  expect((await checked).body).toMatchObject({ url: 'http://after.example', status: null, ip: null })
})

test('a round started manually covers every site', async () => {
  await markAllSitesDue(app.context)
  const { rows } = await app.context.db.execute(sql`
    select from (select next_check_at from network_sites union all select next_check_at from client_sites where deleted_at is null) s where next_check_at > now() + interval '1 second'`)
  expect(rows).toHaveLength(0)
})
