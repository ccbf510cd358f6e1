import type { IncomingMessage, ServerResponse } from 'node:http'
import { eq, sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { auditTable } from '#core/db/schema.ts'
import { registrationsTable } from '#domains/sites/registrations/schema.ts'
import { startCPanelStandIn } from '#integrations/fakes/cpanel.ts'
import { startLocalSites } from '#integrations/fakes/sites.ts'
import { OutboundClient } from '#integrations/outbound/outbound.ts'
import { setUp, startApp } from '#test/app.ts'
import { until, waitForJobs } from '#test/until.ts'
import { redirectDomainsContract } from '../contract.ts'
import { redirectDomainsTable, redirectTasksTable } from '../schema.ts'
import { redirectDomainsJobs } from './jobs.ts'
import { performRedirectTask } from './redirect-task.ts'

const cpanel = await setUp(startCPanelStandIn())
const sites = await setUp(startLocalSites())
const app = await setUp(startApp({ settings: cpanel.settings, work: true }))
const root = await app.as(await app.make.superAdmin())
beforeEach(async () => {
  app.context.outbound = new OutboundClient({ ALLOWED_PRIVATE_RANGES: ['203.0.113.0/24', '127.0.0.1'] }, sites.world)
  Object.assign(cpanel, { isOld: false, before: () => {} })
  cpanel.failing.clear()
  cpanel.domains.clear()
  cpanel.redirects.clear()
  cpanel.calls.length = 0
  await app.context.db.delete(redirectDomainsTable)
  await app.context.db.delete(redirectTasksTable)
  await waitForJobs(app.context)
})

const add = (domain: string, redirect_url = 'https://client.example/landing', who = root) =>
  who.call(redirectDomainsContract.create, { body: { domain, redirect_url } })
const rows = async () =>
  (await root.call(redirectDomainsContract.list)).body.data.map((row: { domain: string }) => row.domain)
const steps = async () => (await root.call(redirectDomainsContract.steps)).body

test('a domain and its redirect are added in cPanel, then here, and registry lookups start [RD-12] [RD-14]', async () => {
  const { status, body } = await add(' Old-Brand.com ')
  expect([status, body]).toMatchObject([
    200,
    { domain: 'old-brand.com', redirect_url: 'https://client.example/landing', live_status: null, registrar: null },
  ])
  expect([...cpanel.domains]).toEqual([['old-brand.com', 'old-brand-com_agency.example']])
  expect([...cpanel.redirects]).toEqual([['old-brand.com', 'https://client.example/landing']])
  expect(await app.context.db.$count(registrationsTable, eq(registrationsTable.domain, 'old-brand.com'))).toBe(1)
  const trail = await app.context.db.select().from(auditTable).where(eq(auditTable.kind, 'redirect domain'))
  expect(trail.at(-1)).toMatchObject({
    action: 'created',
    username: expect.stringMatching(/^super_admin/),
    after: { domain: 'old-brand.com' },
  })
})

test('an older cPanel, with addon domains in API 2 only, is called with API 2 [RD-14]', async () => {
  cpanel.isOld = true
  const { status, body } = await add('old-host.com')
  expect(status).toBe(200)
  expect(cpanel.calls).toContain('api2 addaddondomain')
  expect((await root.call(redirectDomainsContract.remove, { params: { id: body.id } })).status).toBe(204)
  expect([cpanel.domains.size, cpanel.redirects.size]).toEqual([0, 0])
})

test('the list has the fields of the screen, searches both addresses and sorts by each column [RD-11]', async () => {
  await app.context.db.insert(registrationsTable).values({
    domain: 'listed.com',
    registrar: 'Names Inc.',
    registrant: 'Redacted',
    registered_on: '2019-04-01',
    expires_on: '2027-04-01',
    nameservers: ['ns1.x', 'ns2.x'],
  })
  const common = { redirect_url: 'https://client.example/', domainkey: 'k' }
  await app.context.db.insert(redirectDomainsTable).values([
    { ...common, domain: 'www.listed.com', registered_domain: 'listed.com', live_status: 1 },
    { ...common, domain: 'other.com', redirect_url: 'https://100%.example/' },
  ])
  const { body } = await root.call(redirectDomainsContract.list, { query: { q: 'LISTED' } })
  expect(body).toEqual({
    total: 1,
    data: [
      {
        id: expect.any(Number),
        domain: 'www.listed.com',
        redirect_url: 'https://client.example/',
        live_status: 1,
        registrar: 'Names Inc.',
        registrant: 'Redacted',
        registration: '2019-04-01',
        expiration: '2027-04-01',
        nameserver_1: 'ns1.x',
        nameserver_2: 'ns2.x',
        problem: null,
      },
    ],
  })
  expect((await root.call(redirectDomainsContract.list, { query: { q: 'client.example' } })).body.total).toBe(1)
  expect((await root.call(redirectDomainsContract.list, { query: { q: '0%' } })).body.data[0].domain).toBe('other.com')
  for (const sort of redirectDomainsContract.list.list.sorts)
    expect((await root.call(redirectDomainsContract.list, { query: { sort, order: 'desc' } })).body.total).toBe(2)
  expect(JSON.stringify(body)).not.toMatch(/stand-in-token|domainkey|agency/)
})

test('removing deletes the redirect and the domain in cPanel, then the row [RD-13]', async () => {
  const { body } = await add('leaves.com')
  expect((await root.call(redirectDomainsContract.remove, { params: { id: body.id } })).status).toBe(204)
  expect([await rows(), cpanel.domains.size, cpanel.redirects.size]).toEqual([[], 0, 0])
  expect((await root.call(redirectDomainsContract.remove, { params: { id: body.id } })).status).toBe(404)
  expect(await app.context.db.$count(registrationsTable, eq(registrationsTable.domain, 'leaves.com'))).toBe(0)
})

test('if cPanel refuses the domain, no row is added, and its error is shown without secrets [RD-14]', async () => {
  cpanel.failing.set('addaddondomain', {
    message: 'User agency may not use stand-in-token on 127.0.0.1: too many domains',
  })
  const { status, body } = await add('refused.com')
  expect([status, body.message]).toEqual([409, 'User … may not use … on …: too many domains'])
  expect([await rows(), cpanel.domains.size]).toEqual([[], 0])
  const { tasks } = await steps()
  expect(tasks).toMatchObject([
    {
      domain: 'refused.com',
      state: 'failed',
      steps: [
        { name: 'domain', state: 'failed' },
        { name: 'takeBack', state: 'done' },
      ],
    },
  ])
  cpanel.failing.clear()
  expect((await add('refused.com')).status).toBe(200)
  expect((await steps()).tasks, 'a failure that a later task made good').toEqual([])
})

test('if the redirect fails, a domain added for it is removed; one that existed before stays [RD-14]', async () => {
  cpanel.failing.set('add_redirect', { message: 'No' })
  expect((await add('half.com')).body.message).toBe('No')
  expect([await rows(), cpanel.domains.size]).toEqual([[], 0])
  cpanel.domains.set('ours.com', 'ours-com_agency.example')
  expect((await add('ours.com')).status).toBe(409)
  expect([...cpanel.domains.keys()]).toEqual(['ours.com'])
  cpanel.failing.clear()
  expect((await add('ours.com')).status).toBe(200)
  cpanel.domains.set('leads-away.com', 'x_agency.example').get('x')
  cpanel.redirects.set('leads-away.com', 'https://somebody.example/')
  expect((await add('leads-away.com')).body.message).toBe(
    'cPanel already redirects this domain to https://somebody.example/',
  )
})

test('a domain that cPanel may have had before is never removed when adding it fails [RD-14]', async () => {
  cpanel.domains.set('theirs.com', 'theirs-com_agency.example')
  cpanel.failing.set('listaddondomains', { message: 'Try later' })
  // cPanel answers again as soon as the task has failed.
  cpanel.before = async () => {
    const [task] = await app.context.db.select().from(redirectTasksTable)
    if (task?.steps.at(-1)?.state === 'failed' || task?.steps.at(-1)?.name === 'takeBack') cpanel.failing.clear()
  }
  expect((await add('theirs.com')).body.message).toBe('Try later')
  expect([...cpanel.domains.keys()]).toEqual(['theirs.com'])

  // A process that died before it had asked cPanel leaves only the name of its step.
  cpanel.redirects.set('theirs.com', 'https://somebody.example/')
  await app.context.db.delete(redirectTasksTable)
  const [task] = await app.context.db
    .insert(redirectTasksTable)
    .values({
      kind: 'add',
      domain: 'theirs.com',
      redirect_url: 'https://client.example/',
      was_there: true,
      steps: [{ name: 'domain', state: 'running' }],
    })
    .returning()
  await performRedirectTask(app.context, task!.id)
  expect([await rows(), [...cpanel.domains.keys()]]).toEqual([[], ['theirs.com']])
})

test('if removing fails, the row stays with the reason, and the redirect is restored [RD-14]', async () => {
  const { body } = await add('stays.com')
  cpanel.failing.set('deladdondomain', { message: 'Domain is locked' })
  const answer = await root.call(redirectDomainsContract.remove, { params: { id: body.id } })
  expect([answer.status, answer.body.message]).toEqual([409, 'Domain is locked'])
  expect((await root.call(redirectDomainsContract.list)).body.data).toMatchObject([
    { domain: 'stays.com', problem: 'Domain is locked' },
  ])
  expect([...cpanel.redirects]).toEqual([['stays.com', 'https://client.example/landing']])
})

test('if removing fails and cannot be undone either, both reasons are sentences of their own [RD-14]', async () => {
  const { body } = await add('stuck.com')
  cpanel.failing.set('deladdondomain', { message: 'Domain is locked.' }).set('add_redirect', { message: 'No' })
  const answer = await root.call(redirectDomainsContract.remove, { params: { id: body.id } })
  expect(answer.body.message).toBe('Domain is locked. It could not be undone: No')
})

test('a transient failure is retried and adds nothing twice; a lasting one is shown [RD-14]', async () => {
  let failures = 1
  cpanel.before = (name) => {
    if (name === 'add_redirect' && failures-- > 0) cpanel.failing.set(name, 502)
    else cpanel.failing.delete(name)
  }
  expect((await add('patient.com')).status).toBe(200)
  expect([cpanel.domains.size, cpanel.redirects.size]).toEqual([1, 1])
  expect(cpanel.calls.filter((call) => call === 'add_redirect')).toHaveLength(2)
  cpanel.before = () => {}
  cpanel.failing.set('listaddondomains', 500)
  expect((await add('away.com')).body.message).toMatch(/^The request to cPanel failed: cPanel answered 500/)
  expect(await rows()).toEqual(['patient.com'])
})

test('a task whose process died resumes where it stopped, and adds nothing twice', async () => {
  const [task] = await app.context.db
    .insert(redirectTasksTable)
    .values({
      kind: 'add',
      domain: 'crashed.com',
      redirect_url: 'https://client.example/',
      steps: [{ name: 'domain', state: 'running' }],
    })
    .returning()
  cpanel.domains.set('crashed.com', 'crashed-com_agency.example') // the process died after this step
  await performRedirectTask(app.context, task!.id)
  await performRedirectTask(app.context, task!.id)
  expect([await rows(), cpanel.calls.includes('addaddondomain')]).toEqual([['crashed.com'], false])
  expect(cpanel.calls.filter((call) => call === 'add_redirect')).toHaveLength(1)
})

test('a task that no job works on any more is resumed, and its domain is free again', async () => {
  await app.context.db.insert(redirectTasksTable).values({
    kind: 'add',
    domain: 'left.com',
    redirect_url: 'https://client.example/',
    created_at: new Date(Date.now() - 20 * 60_000),
  })
  expect((await add('left.com')).body.message).toBe('This domain is being changed right now')
  const checks = redirectDomainsJobs.find(({ name }) => name === 'redirect-checks')!
  await checks.run(app.context, {} as never)
  expect([await rows(), await app.context.db.$count(redirectTasksTable, eq(redirectTasksTable.state, 'done'))]).toEqual(
    [['left.com'], 1],
  )
})

test('a domain is worked on by one task at a time, and its steps can be watched', async () => {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  cpanel.before = (name) => (name === 'add_redirect' ? held : undefined)
  const first = add('watched.com')
  await until(() => cpanel.calls.includes('add_redirect'))
  expect(await steps()).toMatchObject({
    connected: true,
    tasks: [
      {
        domain: 'watched.com',
        state: 'running',
        steps: [
          { name: 'domain', state: 'done' },
          { name: 'redirect', state: 'running' },
        ],
      },
    ],
  })
  const second = await add('watched.com')
  expect([second.status, second.body.message]).toEqual([409, 'This domain is being changed right now'])
  release()
  expect((await first).status).toBe(200)
  expect((await add('watched.com')).body.errors).toEqual({ domain: ['This domain is already in the list'] })
})

test('the target of a redirect is checked: 1 if it is correct, 0 for anything else', async () => {
  sites.add('right.com', { '/': 'https://www.client.example/landing' })
  sites.add('wrong.com', { '/': 'https://elsewhere.example/' })
  sites.add('page.com', { '/': 'hello' })
  const common = { redirect_url: 'https://client.example/landing', domainkey: 'k' }
  await app.context.db
    .insert(redirectDomainsTable)
    .values(['right.com', 'wrong.com', 'page.com', 'nowhere.com'].map((domain) => ({ domain, ...common })))
  const checks = redirectDomainsJobs.find(({ name }) => name === 'redirect-checks')!
  await checks.run(app.context, {} as never)
  const { rows: found } = await app.context.db.execute(
    sql`select domain, live_status from redirect_domains order by domain`,
  )
  expect(found).toEqual([
    { domain: 'nowhere.com', live_status: 0 },
    { domain: 'page.com', live_status: 0 },
    { domain: 'right.com', live_status: 1 },
    { domain: 'wrong.com', live_status: 0 },
  ])
})

test('a domain may lead to https and www of its own first; what counts is where it leads from there [RD-12]', async () => {
  const target = 'https://client.example/landing'
  const toHttps =
    (away: string) =>
    ({ socket, headers, url }: IncomingMessage, response: ServerResponse) =>
      response.writeHead(301, { location: 'encrypted' in socket ? away : `https://${headers.host}${url}` }).end()
  sites.add('secure.com').answer = toHttps(target)
  sites.add('secure-elsewhere.com').answer = toHttps('https://elsewhere.example/')
  sites.add('bare.com', { '/': 'https://www.bare.com/' })
  sites.add('www.bare.com', { '/': '/home', '/home': '//WWW.Client.example/landing' })
  sites.add('circle.com', { '/': 'https://www.circle.com/' })
  sites.add('www.circle.com', { '/': 'https://circle.com/' })
  sites.add('detour.com', { '/': 'https://elsewhere.example/' })
  sites.add('elsewhere.example', { '/': target })
  const live = { 'bare.com': 1, 'circle.com': 0, 'detour.com': 0, 'secure-elsewhere.com': 0, 'secure.com': 1 }
  const names = Object.keys(live)
  await app.context.db
    .insert(redirectDomainsTable)
    .values(names.map((domain) => ({ domain, redirect_url: target, domainkey: 'k' })))
  await redirectDomainsJobs.find(({ name }) => name === 'redirect-checks')!.run(app.context, {} as never)
  const { rows: found } = await app.context.db.execute<{ domain: string; live_status: number }>(
    sql`select domain, live_status from redirect_domains where domain = any(${sql.param(names)}::text[])`,
  )
  expect(Object.fromEntries(found.map(({ domain, live_status }) => [domain, live_status]))).toEqual(live)
})

test('a domain that refuses checkers is asked once more as a browser would [EDGE-10]', async () => {
  const redirect = { location: 'https://client.example/landing' }
  const isBrowser = ({ headers }: IncomingMessage) => /Chrome\//.test(headers['user-agent'] ?? '')
  sites.add('forbids.com').answer = (request, response) =>
    isBrowser(request) ? response.writeHead(301, redirect).end() : response.writeHead(403).end()
  sites.add('hangs-up.com').answer = (request, response) =>
    isBrowser(request) ? response.writeHead(301, redirect).end() : response.destroy()
  sites.add('forbids-all.com').answer = (_, response) => response.writeHead(403).end()
  const names = ['forbids.com', 'hangs-up.com', 'forbids-all.com']
  await app.context.db
    .insert(redirectDomainsTable)
    .values(names.map((domain) => ({ domain, redirect_url: redirect.location, domainkey: 'k' })))
  await redirectDomainsJobs.find(({ name }) => name === 'redirect-checks')!.run(app.context, {} as never)
  const { rows: found } = await app.context.db.execute(
    sql`select domain, live_status from redirect_domains where domain = any(${sql.param(names)}::text[]) order by domain`,
  )
  expect(found).toEqual([
    { domain: 'forbids-all.com', live_status: 0 },
    { domain: 'forbids.com', live_status: 1 },
    { domain: 'hangs-up.com', live_status: 1 },
  ])
})

const wrong: [values: object, field: string, line: string][] = [
  [{ domain: '' }, 'domain', 'Please input domain'],
  [{ redirect_url: '' }, 'redirect_url', 'Please input redirect url'],
  ...[
    'com',
    'co.uk',
    'a b.com',
    'http://x.com',
    'x.com/path',
    '127.0.0.1',
    '-x.com',
    'x..com',
    'x.com;rm',
    '*.x.com',
    `${'x'.repeat(64)}.com`,
    'user@x.com',
  ].map((domain): [object, string, string] => [{ domain }, 'domain', 'Not a domain, such as example.com']),
  [{ redirect_url: 'javascript:alert(1)' }, 'redirect_url', 'Not a web address'],
  ...[
    'x',
    'https://x',
    'localhost',
    'co.uk',
    '10.0.0.1',
    'https://1.2.3/',
    '1.2.3',
    'https://93.184.216.34/',
    'https://16909060/',
    'https://0x7f.1/',
    'https://shop.123/',
    'http://[::1]/',
    'http://[2606:4700::6810:84e5]/',
    '///x.com',
    'https:////x.com',
    'https:x.com',
  ].map((redirect_url): [object, string, string] => [{ redirect_url }, 'redirect_url', 'Not a web address']),
  [{ redirect_url: 'https://a:b@x.example' }, 'redirect_url', 'Addresses with a password are not allowed'],
  [{ redirect_url: 'https://www.good.com/x' }, 'redirect_url', 'The domain would redirect to itself'],
]
test.each(wrong)('%j is refused in words and reaches no cPanel', async (values, field, line) => {
  const before = await app.dump()
  const answer = await root.call(redirectDomainsContract.create, {
    body: { domain: 'good.com', redirect_url: 'https://client.example', ...values },
  })
  expect([answer.status, answer.body.errors]).toEqual([422, { [field]: [line] }])
  expect([await app.dump(), cpanel.calls]).toEqual([before, []])
})

test.each([
  ['//client.example/landing', 'https://client.example/landing'],
  ['client.example', 'https://client.example'],
])('%s is stored as the address that a browser would open [RD-12]', async (typed, kept) => {
  expect((await add('typed.com', typed)).body.redirect_url).toBe(kept)
  expect([...cpanel.redirects]).toEqual([['typed.com', kept]])
})

test('without the settings nothing is tried, and the error says what to do', async () => {
  const { CPANEL_TOKEN } = app.context.settings
  app.context.settings.CPANEL_TOKEN = undefined
  const before = await app.dump()
  const answer = await add('unconnected.com')
  expect([answer.status, answer.body.message]).toEqual([
    409,
    'cPanel is not connected: set CPANEL_URL, CPANEL_USER, CPANEL_TOKEN and CPANEL_ROOT_DOMAIN',
  ])
  expect([(await steps()).connected, await app.dump()]).toEqual([false, before])
  app.context.settings.CPANEL_TOKEN = CPANEL_TOKEN
})
