import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { ipsTable } from '#domains/sites/ips/schema.ts'
import { networkSitesContract } from '#domains/sites/network/contract.ts'
import { networkSitesTable } from '#domains/sites/network/schema.ts'
import { startRdapStandIn } from '#integrations/fakes/rdap.ts'
import { OutboundClient } from '#integrations/outbound/outbound.ts'
import { parseWhois } from '#integrations/rdap/whois.ts'
import { setUp, startApp } from '#test/app.ts'
import { registrationsTable } from '../schema.ts'
import { markAllLookupsDue, runDueLookups } from './look-up-domains.ts'

const index = { found: new Set<string>(), asked: [] as string[], status: 200 }
const searchApi = createServer((request, response) => {
  const query = new URL(request.url ?? '/', 'http://x').searchParams
  index.asked.push(`${query.get('q')} ${query.get('api_key')}`)
  const host = query.get('q')?.slice('site:'.length) ?? ''
  response
    .writeHead(index.status)
    .end(JSON.stringify({ organic_results: index.found.has(host) ? [{ link: host }] : [] }))
})
const rdap = await setUp(startRdapStandIn())
await new Promise<void>((resolve) => searchApi.listen(0, '127.0.0.1', resolve))
afterAll(() => void searchApi.close())
const app = await setUp(
  startApp({
    settings: {
      RDAP_BOOTSTRAP_URL: rdap.bootstrap,
      RDAP_IP_BOOTSTRAP_URL: rdap.ipBootstrap,
      WHOIS_SERVER: rdap.whois,
      ALLOWED_PRIVATE_RANGES: '127.0.0.0/8',
    },
  }),
)
const root = await app.as(await app.make.superAdmin())
const category_id = (await app.make.networkCategory()).id
beforeEach(() => {
  rdap.requests.length = 0
  app.context.outbound = new OutboundClient(app.context.settings) // drops the memory of servers that do not answer
  app.context.settings.SEARCH_INDEX_URL = undefined
  index.status = 200
})

const site = async (url: string) => (await root.call(networkSitesContract.create, { body: { url, category_id } })).body
const read = async (id: number) =>
  (await root.call(networkSitesContract.list, { query: { sort: 'url' } })).body.data.find(
    (one: { id: number }) => one.id === id,
  )

test('registrar, registrant, days and nameservers come from the registry’s RDAP [NS-29]', async () => {
  rdap.domains.set('store.example', {
    registrar: 'Names Inc.',
    registrant: 'Harbor Media LLC',
    registered: '2018-05-06',
    expires: '2027-05-06',
    nameservers: ['ns1.store.example', 'ns2.store.example'],
  })
  const { id } = await site('https://www.store.example/')
  await site('https://blog.store.example/')
  await runDueLookups(app.context)
  expect(await read(id)).toMatchObject({
    registrar: 'Names Inc.',
    registrant: 'Harbor Media LLC',
    registration_date: '2018-05-06',
    expiration_date: '2027-05-06',
    nameserver_1: 'ns1.store.example',
    nameserver_2: 'ns2.store.example',
  })
  expect(rdap.requests.filter((path) => path === '/rdap/domain/store.example')).toHaveLength(1)
  await runDueLookups(app.context)
  expect(
    rdap.requests.filter((path) => path === '/rdap/domain/store.example'),
    'once a day',
  ).toHaveLength(1)
  const { rows } = await app.context.db.execute<{ hours: number }>(
    sql`select extract(epoch from next_look_up_at - now())::float / 3600 as hours from registrations where domain = 'store.example'`,
  )
  expect(rows[0]!.hours).toBeGreaterThan(21)
  expect(rows[0]!.hours).toBeLessThan(27)
})

test('a domain whose registration was lost while its last site went and another came is looked up again [NS-29]', async () => {
  rdap.domains.set('again.com', {
    registrar: 'Names Inc.',
    registered: '2020-05-06',
    expires: '2027-05-06',
    nameservers: [],
  })
  const { id } = await site('https://again.com')
  await app.make.clientSite({ url: 'https://again.com', domain: 'again.com' })
  await app.context.db.delete(registrationsTable).where(eq(registrationsTable.domain, 'again.com'))
  await runDueLookups(app.context)
  expect(await read(id)).toMatchObject({ registrar: 'Names Inc.', expiration_date: '2027-05-06' })
})

test('a registrant hidden by the registry is Redacted, not empty', async () => {
  rdap.domains.set('quiet.com', {
    registrar: 'Names Inc.',
    registered: '2020-01-01',
    expires: '2028-01-01',
    nameservers: [],
  })
  const { id } = await site('https://quiet.com')
  await runDueLookups(app.context)
  expect(await read(id)).toMatchObject({ registrant: 'Redacted', nameserver_1: null })
})

test('without RDAP, WHOIS is used [NS-29]', async () => {
  rdap.domains.set('magazin.ru', {
    registrar: 'RU-CENTER',
    registered: '2015-03-04',
    expires: '2027-03-04',
    nameservers: ['ns1.magazin.ru'],
  })
  const { id } = await site('https://magazin.ru')
  await runDueLookups(app.context)
  expect(await read(id)).toMatchObject({
    registrar: 'RU-CENTER',
    registration_date: '2015-03-04',
    expiration_date: '2027-03-04',
    nameserver_1: 'ns1.magazin.ru',
  })
  expect(rdap.requests.filter((line) => line.startsWith('whois'))).toEqual(['whois ru', 'whois magazin.ru'])
})

test('a day of expiry that RDAP does not tell is asked of WHOIS, and stays while that does not answer [NS-29]', async () => {
  rdap.domains.set('half.com', {
    registrar: 'Names Inc.',
    registered: '2020-01-01',
    expires: '2027-05-06',
    whoisTellsExpiry: true,
    nameservers: ['ns1.half.com'],
  })
  const { id } = await site('https://half.com')
  await runDueLookups(app.context)
  const known = { registrar: 'Names Inc.', expiration_date: '2027-05-06', nameserver_1: 'ns1.half.com' }
  expect(await read(id)).toMatchObject(known)
  expect(rdap.requests.filter((line) => line.startsWith('whois'))).toEqual(['whois com', 'whois half.com'])
  await app.context.db
    .update(registrationsTable)
    .set({ next_look_up_at: sql`now() - interval '1 minute'` })
    .where(eq(registrationsTable.domain, 'half.com'))
  rdap.domains.get('half.com')!.registrar = 'Other Names'
  const { WHOIS_SERVER } = app.context.settings
  app.context.settings.WHOIS_SERVER = '127.0.0.1:1'
  expect(await runDueLookups(app.context)).toMatchObject({ domains: 1, failed: 0 })
  app.context.settings.WHOIS_SERVER = WHOIS_SERVER
  expect(await read(id)).toMatchObject({ ...known, registrar: 'Other Names' })
})

test('what WHOIS said of a domain stays when it says next that it was asked too often, or nothing [NS-29]', async () => {
  const expires = '2027-03-04'
  rdap.domains.set('laden.ru', { registrar: 'RU-CENTER', registered: '2015-03-04', expires, nameservers: ['ns1.x.ru'] })
  const { id } = await site('https://laden.ru')
  await runDueLookups(app.context)
  for (const refusal of [
    'WHOIS LIMIT EXCEEDED - SEE WWW.PIR.ORG/WHOIS FOR DETAILS',
    'whois.domain-registry.nl: maximum number of requests per minute exceeded',
    '% Maximum query rate reached',
    'You have exceeded this limit. Please wait a moment and try again.',
    'request limit exceeded',
    'Rate limit exceeded. Try again after: 24h0m0s',
    'The query frequency too fast, please query later',
    'IP Address Has Reached Rate Limit',
    '',
  ]) {
    await app.context.db
      .update(registrationsTable)
      .set({ next_look_up_at: sql`now() - interval '1 minute'` })
      .where(eq(registrationsTable.domain, 'laden.ru'))
    rdap.next.push(refusal)
    expect((await runDueLookups(app.context)).failed, refusal).toBe(1)
    expect(await read(id)).toMatchObject({ registrar: 'RU-CENTER', expiration_date: expires, nameserver_1: 'ns1.x.ru' })
  }
})

test('a failed registry is retried later, and its earlier data stays [NS-29]', async () => {
  rdap.domains.set('steady.com', {
    registrar: 'Names Inc.',
    registered: '2020-01-01',
    expires: '2028-01-01',
    nameservers: [],
  })
  const { id } = await site('https://steady.com')
  await runDueLookups(app.context)
  await app.context.db
    .update(registrationsTable)
    .set({ next_look_up_at: sql`now() - interval '1 minute'` })
    .where(eq(registrationsTable.domain, 'steady.com'))
  rdap.next.push(429)
  expect((await runDueLookups(app.context)).failed).toBe(1)
  expect(await read(id)).toMatchObject({
    registrar: 'Names Inc.',
    registration_problem: expect.stringContaining('429'),
  })
  const [row] = await app.context.db
    .select()
    .from(registrationsTable)
    .where(eq(registrationsTable.domain, 'steady.com'))
  expect([row!.failures, row!.next_look_up_at > new Date()]).toEqual([1, true])
})

test('an answer that makes no sense is a sentence, and a day that no calendar has is unknown', async () => {
  rdap.domains.set('odd.com', {
    registrar: 'Odd Inc.',
    registered: '+012345-06-07',
    expires: '2028-01-01',
    nameservers: [],
  })
  const { id } = await site('https://odd.com')
  await runDueLookups(app.context)
  expect(await read(id)).toMatchObject({
    registrar: 'Odd Inc.',
    registration_date: null,
    expiration_date: '2028-01-01',
    registration_problem: null,
  })
  await app.context.db
    .update(registrationsTable)
    .set({ next_look_up_at: sql`now() - interval '1 minute'` })
    .where(eq(registrationsTable.domain, 'odd.com'))
  rdap.next.push('[]')
  await runDueLookups(app.context)
  expect(await read(id)).toMatchObject({
    registrar: 'Odd Inc.',
    registration_problem: 'The registry’s answer could not be understood',
  })
})

test('what a registry says strangely of one thing hides nothing else, and its names are known in any case [NS-29]', async () => {
  // louislam/uptime-kuma#7860: .kg says `Record expires`; maelgangloff/domain-watchdog#53: some events have no date.
  rdap.domains.set('mixed.com', { registrar: 'Names Inc.', registered: '', expires: '', nameservers: [] })
  const { id } = await site('https://mixed.com')
  const answer = {
    entities: [
      null,
      { roles: 'abuse' },
      { roles: ['Registrar'], vcardArray: ['vcard', [['fn', {}, 'text', 'Names Inc.']]] },
    ],
    events: [
      { eventAction: 'last update of RDAP database', eventDate: null },
      { eventAction: 'Registration', eventDate: '2018-05-06T04:00:00Z' },
      { eventAction: 'Record expires', eventDate: '2027-05-06T04:00:00Z' },
    ],
    nameservers: [{ unicodeName: 'ns.münchen.example' }, { ldhName: 'NS1.MIXED.COM' }],
  }
  await runDueLookups(app.context) // reads the list of registries
  await markAllLookupsDue(app.context)
  await app.context.db.execute(sql`update registrations set next_look_up_at = 'infinity' where domain <> 'mixed.com'`)
  rdap.next.push(JSON.stringify(answer))
  await runDueLookups(app.context)
  expect(await read(id)).toMatchObject({
    ...{ registrar: 'Names Inc.', registration_date: '2018-05-06', expiration_date: '2027-05-06' },
    ...{ nameserver_1: 'ns1.mixed.com', registration_problem: null },
  })
})

test('an unregistered domain says so', async () => {
  const { id } = await site('https://never-registered.com')
  await runDueLookups(app.context)
  expect(await read(id)).toMatchObject({ registrar: null, registration_problem: 'Not registered' })
})

test('owner, country and region of an address come from its network’s RDAP [NS-29]', async () => {
  rdap.networks.set('203.0.113.', { owner: 'Harbor Hosting', country: 'us', region: 'Texas' })
  await app.make.networkSite({ ip: '203.0.113.9', category_id })
  await app.make.networkSite({ ip: '10.0.0.9', category_id })
  await app.context.db.insert(ipsTable).values([{ ip: '203.0.113.9' }, { ip: '10.0.0.9' }, { ip: '203.0.113.200' }])
  await runDueLookups(app.context)
  const found = await app.context.db.select().from(ipsTable).orderBy(ipsTable.ip)
  expect(found.map(({ ip, owner, country, region }) => [ip, owner, country, region])).toEqual([
    ['10.0.0.9', null, null, null],
    ['203.0.113.9', 'Harbor Hosting', 'US', 'Texas'],
  ])
})

test('without a search API the index is unknown; with one, the day of the last find is shown [NS-31]', async () => {
  await app.context.db.delete(networkSitesTable)
  index.found.add('known.example')
  const [known, unknown] = [await site('https://known.example'), await site('https://unknown.example')]
  await runDueLookups(app.context)
  expect([await read(known.id), index.asked]).toMatchObject([{ last_google_index: null, google_asked_at: null }, []])
  app.context.settings.SEARCH_INDEX_URL = `http://127.0.0.1:${(searchApi.address() as AddressInfo).port}/search`
  app.context.settings.SEARCH_INDEX_KEY = 'search-key'
  expect(await runDueLookups(app.context)).toMatchObject({ indexed: 2, failed: 0 })
  expect(index.asked.toSorted()).toEqual(['site:known.example search-key', 'site:unknown.example search-key'])
  expect((await read(known.id)).last_google_index).toMatch(/^20\d\d-/)
  expect(await read(unknown.id)).toMatchObject({ last_google_index: null, google_asked_at: expect.any(String) })
  expect(await runDueLookups(app.context)).toMatchObject({ indexed: 0, failed: 0 })
  expect(index.asked).toHaveLength(2)
  index.status = 403
  await app.context.db.update(networkSitesTable).set({ google_asked_at: null })
  await runDueLookups(app.context)
  expect(index.asked, 'a refusal ends the round').toHaveLength(3)
})

test('a round started manually covers every domain and address', async () => {
  await site('https://shop.example')
  await runDueLookups(app.context)
  await markAllLookupsDue(app.context)
  rdap.requests.length = 0
  await runDueLookups(app.context)
  expect(rdap.requests).toContain('/rdap/domain/shop.example')
})

test('WHOIS is read strictly: an ambiguous day is unknown, and foreign text is one short line', () => {
  expect(
    parseWhois(
      'Registrar: A\u202eB\u0000C\nCreation Date: 03/04/2020\nExpires: 01-Feb-2027\nName Server: NS1.X.COM.\nRegistrant: ' +
        'x'.repeat(900),
    ),
  ).toEqual({
    registrar: 'A B C',
    registrant: 'x'.repeat(255),
    registered_on: null,
    expires_on: '2027-02-01',
    nameservers: ['ns1.x.com'],
  })
  expect(parseWhois('Expiry date: 2027-02-30\nCreated: 15.03.2019')).toMatchObject({
    expires_on: null,
    registered_on: '2019-03-15',
  })
  expect(parseWhois('Created: 0000-01-01')).toMatchObject({ registered_on: null })
  expect(parseWhois(`${'a:'.repeat(200_000)}`)).toMatchObject({ registrar: null })
})
