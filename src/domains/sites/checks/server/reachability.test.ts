import { sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { happeningsTable } from '#domains/happenings/schema.ts'
import { type Signal, signalsContract } from '#domains/signals/contract.ts'
import { runSignals } from '#domains/signals/server/runner.ts'
import { clientSitesContract } from '#domains/sites/client/contract.ts'
import { clientSiteLogsTable, clientSitesTable } from '#domains/sites/client/schema.ts'
import { redirectDomainsTable } from '#domains/sites/redirects/schema.ts'
import { redirectDomainsJobs } from '#domains/sites/redirects/server/jobs.ts'
import { startLocalSites } from '#integrations/fakes/sites.ts'
import { OutboundClient } from '#integrations/outbound/outbound.ts'
import { setUp, startApp } from '#test/app.ts'
import { checkDueSites, markAllSitesDue } from './sweep.ts'

const sites = await setUp(startLocalSites())
const network = { ...sites.world }
const app = await setUp(startApp())
app.context.outbound = new OutboundClient({ ALLOWED_PRIVATE_RANGES: ['203.0.113.0/24', '127.0.0.1'] }, network)
const root = await app.as(await app.make.superAdmin())
const { db } = app.context

beforeEach(async () => {
  Object.assign(network, sites.world)
  await db.execute(sql`delete from offline_spells`)
  await db.execute(sql`update client_sites set deleted_at = now()`)
})

let made = 0
/** Makes live sites. */
async function makeSites(count: number): Promise<{ ids: number[]; hosts: string[] }> {
  const hosts = Array.from({ length: count }, () => `reach${++made}.example`)
  const ids: number[] = []
  for (const host of hosts) {
    sites.add(host)
    ids.push((await app.make.clientSite({ url: `http://${host}` })).id)
  }
  await sweep()
  return { ids, hosts }
}
const sweep = async (rounds = 1) => {
  for (let round = 0; round < rounds; round++) {
    await markAllSitesDue(app.context)
    await checkDueSites(app.context)
  }
}
const statuses = async (ids: number[]) =>
  (await db.select().from(clientSitesTable)).flatMap(({ id, status }) => (ids.includes(id) ? [status] : []))
const openKinds = async () => {
  await runSignals(app.context)
  const { body } = await root.call(signalsContract.list, { query: { per_page: 200 } })
  return body.data.flatMap(({ kind }: Signal) => (/offline/.test(kind) ? [kind] : []))
}
const count = (values: unknown[]) =>
  Object.fromEntries([...Map.groupBy(values, String)].map(([key, all]) => [key, all.length]))

test('where no name resolves for a while, there is one signal about Leadline, and no site changes [EDGE-11]', async () => {
  const { ids, hosts } = await makeSites(26)
  const before = [await db.$count(clientSiteLogsTable), await db.$count(happeningsTable)]
  network.resolve = async () => []
  await sweep(3)
  expect(count(await statuses(ids))).toEqual({ 1: 26 })
  expect([await db.$count(clientSiteLogsTable), await db.$count(happeningsTable)]).toEqual(before)
  expect(await openKinds()).toEqual(['leadline_offline'])
  network.resolve = sites.world.resolve
  await sweep()
  expect(await openKinds()).toEqual([])
  const { body } = await root.call(signalsContract.list, {
    query: { per_page: 1, state: 'closed', kind: 'leadline_offline' },
  })
  expect(body.data[0]?.evidence.says).toMatch(/^Leadline is online again\./)
  sites.known.delete(hosts[0]!)
  await sweep(2)
  expect(count(await statuses(ids))).toEqual({ 0: 1, 1: 25 })
})

test.each([
  [5, 4, { 1: 5 }],
  [10, 8, { 1: 10 }],
  [5, 3, { 0: 3, 1: 2 }],
  [4, 4, { 0: 4 }],
])('of %i sites %i without an answer leave %j [EDGE-11]', async (all, failing, expected) => {
  const { ids, hosts } = await makeSites(all)
  for (const host of hosts.slice(0, failing)) sites.known.delete(host)
  await sweep(3)
  expect(count(await statuses(ids))).toEqual(expected)
})

test('sites that answer with errors are offline, however many they are [EDGE-11]', async () => {
  const { ids, hosts } = await makeSites(6)
  for (const host of hosts) sites.known.get(host)!.answer = (_request, response) => response.writeHead(500).end()
  await sweep(2)
  expect(count(await statuses(ids))).toEqual({ 0: 6 })
  expect(await openKinds()).not.toContain('leadline_offline')
})

test('where names cannot be resolved at all, a few sites are enough [EDGE-11]', async () => {
  const { ids } = await makeSites(2)
  await db.update(clientSitesTable).set({ checked_at: new Date(Date.now() - 10 * 60_000) })
  network.resolve = () => Promise.reject(new Error('SERVFAIL'))
  network.namesResolve = async () => false
  await sweep(3)
  expect(count(await statuses(ids))).toEqual({ 1: 2 })
  expect(await openKinds()).toEqual(['leadline_offline'])
  network.namesResolve = async () => true
  await sweep(3)
  expect(count(await statuses(ids))).toEqual({ 0: 2 })
  expect(await openKinds()).not.toContain('leadline_offline')
})

test('checks that are spread over the interval show it as well, because others are checked at once [EDGE-11]', async () => {
  const { ids } = await makeSites(20)
  await db.execute(sql`
    update client_sites set checked_at = now() - make_interval(mins => 2 + id % 12), next_check_at = now() + interval '10 minutes' where deleted_at is null`)
  network.resolve = async () => []
  const makeDue = () =>
    db.execute(
      sql`update client_sites set next_check_at = now() - interval '1 second' where id = ${ids[0]} or (misses > 0 and deleted_at is null)`,
    )
  await makeDue()
  await checkDueSites(app.context)
  await checkDueSites(app.context) // the others, which have become due
  await makeDue()
  await checkDueSites(app.context)
  expect(count(await statuses(ids))).toEqual({ 1: 20 })
  expect(await openKinds()).toEqual(['leadline_offline'])
})

test('one dead site among many is offline, and the others are not asked for long [EDGE-11]', async () => {
  const { ids, hosts } = await makeSites(12)
  await db.execute(sql`
    update client_sites set checked_at = now() - interval '5 minutes', next_check_at = now() + interval '10 minutes' where deleted_at is null`)
  sites.known.delete(hosts[0]!)
  const before = sites.requests.length
  for (let round = 0; round < 4; round++) {
    await db.execute(sql`update client_sites set next_check_at = now() - interval '1 second' where id = ${ids[0]}`)
    await checkDueSites(app.context)
  }
  expect(count(await statuses(ids))).toEqual({ 0: 1, 1: 11 })
  expect(sites.requests.length - before).toBeLessThanOrEqual(8)
})

test('a check by hand is judged by itself [EDGE-11]', async () => {
  const { ids } = await makeSites(6)
  network.resolve = async () => []
  await sweep(2)
  const check = () => root.call(clientSitesContract.check, { params: { id: ids[0]! } })
  await check()
  expect((await check()).body).toMatchObject({ status: 0, problem: 'This website could not be found' })
  expect(count(await statuses(ids))).toEqual({ 0: 1, 1: 5 })
})

test('a redirect that cannot be checked keeps its state [EDGE-11]', async () => {
  await makeSites(6)
  const domain = { domain: 'old.example', redirect_url: 'https://new.example', domainkey: 'old', live_status: 1 }
  await db.insert(redirectDomainsTable).values(domain)
  network.resolve = async () => []
  await sweep(2)
  await redirectDomainsJobs.find(({ name }) => name === 'redirect-checks')!.run(app.context, {} as never)
  expect(await db.select().from(redirectDomainsTable)).toMatchObject([{ live_status: 1 }])
})
