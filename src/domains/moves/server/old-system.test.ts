import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { moveWriters } from '#app/server/moved-things/writers.ts'
import { addDays, getToday } from '#contract/days.ts'
import { auditTable } from '#core/db/schema.ts'
import { startOfZonedDay } from '#core/time/local-time.ts'
import { usersTable } from '#domains/access/schema.ts'
import { activityItemsContract } from '#domains/activity/contract.ts'
import { statementsContract } from '#domains/billing/statements/contract.ts'
import type { ListedStatement } from '#domains/billing/statements/list/contract.ts'
import { computeBillingCycle } from '#domains/campaigns/public.ts'
import { termsContract } from '#domains/campaigns/terms/contract.ts'
import { connectionsContract } from '#domains/connections/contract.ts'
import { leadsContract } from '#domains/leads/contract.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { clientSitesContract } from '#domains/sites/client/contract.ts'
import { startLocalSites } from '#integrations/fakes/sites.ts'
import { startSmtpSink } from '#integrations/fakes/smtp.ts'
import { LegacyServer } from '#integrations/legacy/legacy-server.ts'
import { OutboundClient } from '#integrations/outbound/outbound.ts'
import { setUp, startApp } from '#test/app.ts'
import { causeDeadlocks } from '#test/deadlock.ts'
import { movesBy } from '#test/moves.ts'
import { until } from '#test/until.ts'
import { type Move, movesContract } from '../contract.ts'
import { type MoveSource, moveItemsTable } from '../schema.ts'
import { resumeMoves } from './jobs.ts'
import { openLegacyServer, readMove } from './read-move.ts'
import { undoMove } from './undo-move.ts'

/** An older tool with the calls of the two specifications, and fewer fields than ours. */
type Answer = (query: URLSearchParams, response: ServerResponse) => unknown
const slice = (rows: unknown[], query: URLSearchParams) => {
  const [at, size] = [Number(query.get('page') ?? 1), Number(query.get('per_page') ?? 50)]
  return rows.slice((at - 1) * size, at * size)
}
const page = (rows: unknown[]): Answer => {
  return (query) => ({ data: slice(rows, query), meta: { total: rows.length } })
}
const pageOfDays = (rows: (Record<string, unknown> & { date: string })[]): Answer => {
  return (query) => {
    const [from, to] = [query.get('from')!, query.get('to')!]
    const found = rows.filter(({ date }) => from <= date && date <= to)
    return { list: slice(found, query), total: found.length } // not `data`
  }
}

const clients = [
  {
    id: 7,
    name: 'Acme Roofing Inc.',
    user: { id: 70, username: 'acme', email: 'owner@acme.example', is_active: 1 },
    timezone: 'America/Chicago',
    emails: 'second@acme.example',
    disable_notifications: 0,
    campaigns: [],
  },
  {
    id: 8,
    name: 'Oak Homes',
    user: { id: 71, username: 'oak', email: 'owner@oak.example', is_active: 0 },
    timezone: 'Mars/North',
    emails: '',
    disable_notifications: 1,
    campaigns: [],
  },
]
const campaign = {
  manager: 'Morgan',
  start_date: '2025-03-01',
  due_date: 5,
  initial_target: 10,
  service_fee: 1500.5,
  approved_ppc: 200,
  archived: 0,
  fixed_to_top: 1,
}
const campaigns = [
  {
    ...campaign,
    id: 1,
    name: 'Acme roofing',
    categories: [{ id: 3, name: 'Roofing' }],
    client: { id: 7, name: 'Acme Roofing Inc.' },
  },
  {
    ...campaign,
    id: 2,
    name: 'Oak gutter',
    categories: [{ id: 3, name: 'Roofing' }],
    client: { id: 8, name: 'Oak Homes' },
  },
]
const lead = {
  campaign_id: 1,
  clientsite_id: 11,
  lead_type: 'Form',
  lead_s: 'Formidable',
  lead_time: '10:30',
  lead_email: 'ada@visitor.example',
  message: 'A leak',
  tags: [],
  confirmed: 1,
  hide: 0,
  changers: [{ username: 'ann' }],
}
const shortNote = {
  id: 71,
  date: '2026-01-05',
  user: { id: 99, username: 'gone' },
  campaign_id: 1,
  note: 'New sign',
  is_task: 0,
  is_done: 0,
  files: [],
}
const longNote = { ...shortNote, id: 72, date: '2025-12-05', note: 'x'.repeat(10_001) }

const start: Record<string, Answer> = {
  'user/me': () => ({
    id: 1,
    username: 'boss',
    email: 'boss@old.example',
    hidden_columns: [{ hidden_columns: ['gclid'] }],
  }),
  networkcategory: (_, response) => response.end(`\ufeff${JSON.stringify([{ id: 4, name: 'Blogs' }])}`),
  campaigncategory: () => [{ id: 3, name: 'Roofing', color: '#336699' }],
  client: page(clients),
  campaigns: page(campaigns),
  'campaigns/archived': page([]),
  'campaigns/all': () => [
    ...campaigns.map(({ id, name }) => ({ id, name, is_ppc: 1, trouble_state: 10, notes: 'Call first' })),
    { id: 1, name: 'Office', type: 'team' },
  ],
  clientsite: page([
    {
      id: 11,
      url: 'https://acme.example',
      campaign: 'Acme roofing',
      ip: '203.0.113.5',
      status: 1,
      callrail_campaign_identifier: 'COM1',
    },
  ]),
  'campaign-gmb': page([
    {
      id: 21,
      title: 'Acme',
      link: 'https://maps.google.com/?cid=12345678901234567890',
      campaign_id: 'Acme roofing',
      status: 1,
      client_owned: 1,
      address: '1 Main St, Austin, TX 78701',
      phone: '512-555-0142',
    },
  ]),
  networksite: page([
    {
      id: 31,
      url: 'https://blog.example',
      category_id: 4,
      category: 'Blogs',
      status: 0,
      http_status_code: 500,
      registrar: 'Reg',
      ip: { ip: '203.0.113.9' },
    },
  ]),
  'networksite/outgoing-links': page([
    {
      id: 1,
      url: 'https://acme.example/a',
      anchor: 'roofs',
      network_site: 'https://blog.example',
      rel: null,
      type: 'text/html',
    },
  ]),
  ip: page([{ id: 1, ip: '203.0.113.9', owner: 'A network', country: 'US', region: 'TX' }]),
  redirect_domains: page([
    { id: 41, domain: 'old-acme.example', redirect_url: 'https://acme.example', live_status: 1 },
  ]),
  'admin/admins': () => ({ admins: { 51: { id: 51, username: 'ann', email: 'ann@old.example' } } }),
  'admin/admins/51': () => ({
    admin: { id: 51, username: 'ann' },
    permissions: { leads: 1, campaigns: 1, unknown: 1 },
    campaignsPermissions: { 1: 1, 2: 0 },
  }),
  'leads-handlers': () => ({ users: [] }),
  'leads/keywords': () => ({ keywords: 'casino\nviagra' }),
  'leads/spammers': () => [{ id: 61, name: 'Bob Spam', phone: '+1 512-555-0199', email: null }],
  'activity-log': pageOfDays([shortNote, longNote]),
  'leads/list/data': page([
    { ...lead, id: 81, lead_id: '11-5', lead_date: '2026-10-05', lead_type: 'Call', recording: 1, duration: 30 },
  ]),
  'recording/81': (_, { req }) => (req.headers.authorization === 'Bearer a-token' ? { url: '/played/81.wav' } : null),
  '/played/81.wav': (_, response) => response.writeHead(200, { 'content-type': 'audio/wav' }).end('ID3 the old call'),
  'leads/list/archived/data': page([
    { ...lead, id: 82, lead_id: '11-6', lead_date: '2026-09-05', client_progress: 1, client_value: 99.5, rating: '5' },
  ]),
}
let answers = start
const server = createServer((request, response) => {
  const url = new URL(request.url!, 'http://old')
  const answer = answers[url.pathname.replace(/^\/api\//, '')]
  const body = answer?.(url.searchParams, response)
  if (response.writableEnded || response.headersSent) return
  if (!answer) response.statusCode = 404
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify(body ?? { message: 'Not found' }))
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
await setUp(Promise.resolve({ close: () => server.close() }))

const sink = await setUp(startSmtpSink())
const app = await setUp(
  startApp({ settings: { SMTP_URL: sink.url, ALLOWED_PRIVATE_RANGES: '127.0.0.0/8' }, work: true }),
)
const owner = await app.make.superAdmin()
const boss = await app.as(owner)
const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const { body: connection } = await boss.call(connectionsContract.create, {
  body: { kind: 'legacy', address, token: 'a-token' },
})

const { read, settle, plan: planMove, listItems } = movesBy(boss)
async function plan(changed: Record<string, Answer> = {}): Promise<Move> {
  answers = { ...start, ...changed }
  return planMove([connection.id])
}
const send =
  (text: string, status = 200, headers = {}): Answer =>
  (_, response) =>
    response.writeHead(status, headers).end(text)

test.each<[string, Record<string, Answer>, string]>([
  [
    'a login page',
    { 'user/me': send('<html><title>Administrator Login</title></html>') },
    'The old system answered a page (Administrator Login) instead of data',
  ],
  [
    'a redirect',
    { client: send('', 302, { location: 'https://elsewhere.example/login' }) },
    'The old system sends to https://elsewhere.example/login instead of answering',
  ],
  [
    'a token without a right',
    { 'admin/admins': send('{"message":"Forbidden"}', 403) },
    'The old system refuses admins and leads handlers (403)',
  ],
  ['an old token', { 'user/me': send('{}', 401) }, 'The old system refuses the token (401)'],
  [
    'a token that expires within a list',
    {
      'activity-log': (query, response) =>
        query.get('page') === '2'
          ? send('{"message":"Token has expired"}', 401)(query, response)
          : page(Array.from({ length: 250 }, (_, id) => ({ id: id + 1, note: 'x', date: '2026-01-05' })))(
              query,
              response,
            ),
    },
    'The old system refuses the token (401)',
  ],
  [
    'a session that is over, with 200',
    { 'campaign/2/area': send('{"success":false,"message":"Unauthenticated."}') },
    'The old system says of areas of campaigns: Unauthenticated.',
  ],
  [
    'a login page within a list, with 200',
    {
      'leads/list/data': (query, response) =>
        query.get('page') === '2'
          ? send('<!doctype html><h1>Please <b>log in</b></h1>')(query, response)
          : { data: [{ ...lead, id: 81 }], meta: { total: 2 } },
    },
    'The old system answered a page (Please log in) instead of data',
  ],
  ['wrong JSON', { client: send('{"data": [') }, 'The old system answered clients with something that is not JSON'],
  [
    'a list in an unknown form',
    { client: () => ({ clients: 5 }) },
    'The old system answered clients in a form that is not known',
  ],
  ['rows without ids', { client: () => [{ name: 'x' }] }, 'The old system answered clients without ids'],
  [
    'a list that repeats itself',
    { client: () => ({ data: clients, meta: { total: 5000 } }) },
    'The list of clients repeats itself: 3 pages brought nothing new',
  ],
  ['errors without end', { client: send('{}', 500) }, 'The old system answered clients 5 times with 500'],
  [
    'an answer over 20 MB',
    { client: send(`["${'x'.repeat(21_000_000)}"]`) },
    'The old system answered clients with more than 20 MB at once',
  ],
])(
  '%s ends the plan with a sentence, and accepting it is refused [MOVE-05]',
  async (_, changed, says) => {
    const move = await plan(changed)
    expect([move.state, move.says]).toEqual(['failed', says])
    const { status, body } = await boss.call(movesContract.accept, { params: { id: move.id } })
    expect([status, body.message]).toEqual([409, says])
  },
  60_000,
)

test('a key that is refused is told from a system that is broken, and a plan is read again once it answers [MOVE-02] [MOVE-05]', async () => {
  const readState = async () =>
    (await boss.call(connectionsContract.get, { params: { id: connection.id } })).body as { state: string }
  for (const [answer, state] of [
    [send('{"message":"Server Error"}', 500, { 'retry-after': '0' }), 'unreachable'],
    [send('{"message":"Please sign in"}', 401), 'refused'],
    [send('{}', 404), 'unreachable'],
    [send('{}', 403), 'refused'],
    [send('', 302, { location: '/login' }), 'unreachable'],
    [send('{"error":"Token expired"}'), 'refused'],
    [send('{"errors":["Token expired"]}'), 'refused'],
    [send('{"error":{"code":401,"message":"Token expired"}}'), 'refused'],
    [send('{"message":"You are signed out"}'), 'refused'],
  ] as const) {
    expect((await plan({ 'user/me': answer })).state).toBe('failed')
    expect(await readState()).toMatchObject({ state })
  }
  expect((await plan()).state).toBe('ready')
  expect(await readState()).toMatchObject({ state: 'works' })
})

test('an old system at a private address or with a bad certificate is refused in words, before the token is sent [MOVE-05]', async () => {
  const sites = await setUp(startLocalSites({ certificateEnds: new Date('2020-01-01') }))
  sites.add('bad.example')
  const outside = { ALLOWED_PRIVATE_RANGES: ['203.0.113.0/24', '127.0.0.0/8'] }
  for (const [world, says] of [
    [
      { ...sites.world, resolve: async () => ['10.1.2.3'] },
      'The old system is at 10.1.2.3, which is not on the public web. Only ALLOWED_PRIVATE_RANGES can allow it',
    ],
    [sites.world, 'The old system cannot be reached: The certificate has expired'],
  ] as const) {
    const server = new LegacyServer(new OutboundClient(outside, world), {
      address: 'https://bad.example',
      token: 'a-token',
    })
    await expect(server.readUser()).rejects.toThrow(says)
  }
  expect(sites.requests).toEqual([])
})

test('a page that shifts while it is read loses nothing and doubles nothing, and 429 is waited for [MOVE-05]', async () => {
  const rows = Array.from({ length: 450 }, (_, at) => ({
    ...lead,
    id: 1000 + at,
    lead_id: `n-${at}`,
    lead_date: '2026-10-01',
  }))
  let calls = 0
  const move = await plan({
    'leads/list/data': (query, response) => {
      calls += 1
      if (calls === 2) return response.writeHead(429, { 'retry-after': '0' }).end()
      if (calls === 3) rows.unshift({ ...lead, id: 9000, lead_id: 'late', lead_date: '2026-10-01' })
      if (calls === 4) rows.splice(0, 2)
      return page(rows)(query, response)
    },
  })
  expect(move.kinds.find(({ kind }) => kind === 'lead')?.found).toBe(rows.length + 1)
})

test('a page that does not come in time is asked for once more, and then said in words [MOVE-05]', async () => {
  let calls = 0
  answers = {
    client: (_, response) => {
      calls += 1
      response.flushHeaders()
    },
  }
  const server = new LegacyServer(
    app.context.outbound,
    { address, token: 'a-token' },
    { callMilliseconds: 200, patience: 1 },
  )
  await expect(server.read('client', 'clients')).rejects.toThrow(
    'The old system did not answer clients within 0.2 seconds',
  )
  expect(calls).toBe(2)
})

test('only connections that something moves from can be named [MOVE-04]', async () => {
  for (const body of [{}, { connections: [] }, { connections: [999] }, { connections: [connection.id], more: 1 }])
    expect((await boss.call(movesContract.start, { body })).status).toBe(422)
})

let move: Move
test('a plan links by id, domain, phone and name, says why, and asks where it is not sure [MOVE-04]', async () => {
  const { make } = app
  const acme = await make.campaign({ name: 'Something else' })
  await make.clientSite({ campaign_id: acme.id, url: 'https://www.acme.example', callrail_campaign_identifier: null })
  await make.campaign({ name: 'OAK  Gutter' })
  await make.campaign({ name: 'Oak Gutter, Inc' })
  // An answer may be long: this one is half of the most that is read.
  move = await plan({ 'activity-log': pageOfDays([shortNote, { ...longNote, note: 'x'.repeat(10_000_000) }]) })
  expect(move.state).toBe('ready')
  const items = await listItems(move.id)
  const find = (kind: string, label: string) => items.find((one) => one.kind === kind && one.from.label === label)!
  expect(find('campaign', 'Acme roofing')).toMatchObject({
    becomes: 'same',
    to: { id: acme.id },
    by: 'domain',
    reason: 'Same domain acme.example',
  })
  expect(find('client_site', 'https://acme.example')).toMatchObject({ becomes: 'same', by: 'domain' })
  expect(find('client', 'Acme Roofing Inc.')).toMatchObject({ becomes: 'same', to: { id: acme.client_id } })
  expect(find('campaign', 'Oak gutter')).toMatchObject({
    becomes: 'ask',
    to: null,
    reason: 'Two campaigns have this name',
    options: [{}, {}],
  })
  expect(find('client', 'Oak Homes')).toMatchObject({ becomes: 'new', to: null, by: null })
  expect(move.questions).toBe(1)
  expect(move.kinds.find(({ kind }) => kind === 'lead')).toMatchObject({ found: 2, new: 2 })
  expect(move.kinds.find(({ kind }) => kind === 'client')?.lacks.join()).toContain(
    'Passwords and remote tokens do not move',
  )
})

test('a choice must be one that was offered, and accepting waits for all of them [MOVE-04]', async () => {
  const [asked] = await listItems(move.id, { becomes: 'ask' })
  const { key } = asked!
  for (const choices of [{ nothing: 'new' }, { [key]: 4711 }, { [key]: 'maybe' }])
    expect((await boss.call(movesContract.choose, { params: { id: move.id }, body: { choices } })).status).toBe(422)
  const refused = await boss.call(movesContract.accept, { params: { id: move.id } })
  expect([refused.status, refused.body.message]).toEqual([409, '1 thing is still to be chosen'])
  const chosen = await boss.call(movesContract.choose, { params: { id: move.id }, body: { choices: { [key]: 'new' } } })
  expect([chosen.status, chosen.body.questions]).toEqual([200, 0])
})

test('accepting writes the rest, completes what is the same, says what was left out, and mails no one [MOVE-04] [MOVE-05]', async () => {
  const { body } = await boss.call(movesContract.accept, { params: { id: move.id } })
  expect(body.state).toBe('writing')
  expect((await boss.call(movesContract.accept, { params: { id: move.id } })).status).toBe(409)
  move = await settle(move.id)
  expect(move.state).toBe('done')
  expect(move.kept.map(({ label, reason }) => `${label}: ${reason}`)).toEqual([
    'Oak Homes: timezone was left empty: Please select a time zone',
    'ann: Pages that are not known here: unknown',
    `${'x'.repeat(80)}: note was left empty: At most 10000 characters`,
  ])
  const get = async (path: string) => (await boss.fetch(`/api/${path}`)).json()
  const sites = await get('clientsite')
  expect(sites.data[0]).toMatchObject({ url: 'https://www.acme.example', callrail_campaign_identifier: 'COM1' })
  const leads = await get('leads/list/data?date_from=2026-01-01')
  expect(leads.data).toMatchObject([
    {
      campaign_name: 'Something else',
      lead_date: '2026-10-05',
      lead_time: '10:30',
      confirmed: 1,
      changers: [{ username: 'ann', before_the_move: true }],
    },
  ])
  expect((await get('leads/list/archived/data?date_from=2026-01-01')).data).toMatchObject([
    { client_progress: 1, client_value: 99.5, rating: '5' },
  ])
  expect((await get('activity-log?from=2026-01-01')).data).toMatchObject([
    { user: { username: 'gone' }, note: 'New sign', date: '2026-01-05' },
  ])
  expect((await get('campaign-gmb')).data).toMatchObject([
    { title: 'Acme', campaign_name: 'Something else', client_owned: true },
  ])
  expect((await get('networksite')).data).toMatchObject([{ registrar: 'Reg', http_status_code: 500 }])
  expect((await get('ip?ip=203.0.113.9')).data).toMatchObject([{ owner: 'A network', country: 'US' }])
  expect((await get('redirect_domains')).data).toMatchObject([{ domain: 'old-acme.example', live_status: 1 }])
  expect((await get('leads/keywords')).keywords).toEqual([{ keyword: 'casino' }, { keyword: 'viagra' }])
  expect(sink.letters).toEqual([])
})

test('a recording stays in the old system, and plays here from there [LEAD-71]', async () => {
  expect(move.kinds.find(({ kind }) => kind === 'lead')?.lacks.join()).toContain('Recordings stay in the old system')
  const [lead] = (await (await boss.fetch('/api/leads/list/data?date_from=2026-01-01')).json()).data
  const { url } = await (await boss.fetch(`/api/recording/${lead.id}`)).json()
  const played = await app.guest.fetch(url)
  expect([played.status, played.headers.get('content-type'), await played.text()]).toEqual([
    200,
    'audio/wav',
    'ID3 the old call',
  ])
})

test('a lead that was not moved plays no recording of the old system, whatever address its sender names [LEAD-71]', async () => {
  const [moved] = (await (await boss.fetch('/api/leads/list/data?date_from=2026-01-01')).json()).data
  const play = async (id: number) => {
    const { url } = await (await boss.fetch(`/api/recording/${id}`)).json()
    return (await app.guest.fetch(url)).status
  }
  const values = { lead_type: 'Call', campaign_id: moved.campaign_id, lead_phone: '+15125550177' } as const
  const sent = await app.make.lead({ ...values, recording_url: `${address}/api/recording/81` })
  expect(await play(sent.id)).toBe(404)
  // Nor may a moved lead name another one's.
  await app.context.db.execute(
    sql`update leads set recording_url = ${`${address}/api/recording/82`} where id = ${moved.id}`,
  )
  answers = { ...answers, 'recording/82': answers['recording/81']! }
  expect(await play(moved.id)).toBe(404)
  await app.context.db.execute(
    sql`update leads set recording_url = ${`${address}/api/recording/81`} where id = ${moved.id}`,
  )
  expect(await play(moved.id)).toBe(200)
  await app.context.db.execute(sql`delete from leads where id = ${sent.id}`)
})

test('those who came along are invited once, and only if they can sign in [MOVE-04]', async () => {
  expect(move.uninvited).toBe(1)
  const accounts = (await (await boss.fetch('/api/client?search=Oak')).json()).data
  const off = accounts.find(({ user }: { user: { username: string } | null }) => user?.username === 'oak').user.id
  const { body } = await boss.call(movesContract.invite, { params: { id: move.id }, body: { ids: [off, 999_999] } })
  expect(body).toEqual({
    invited: 0,
    refused: [
      { id: off, reason: 'This account is switched off' },
      { id: 999_999, reason: 'This account did not come with the move' },
    ],
  })
  const all = await boss.call(movesContract.invite, { params: { id: move.id } })
  expect(all.body).toEqual({ invited: 1, refused: [] })
  const [letter] = await until(() => (sink.letters.length > 0 ? sink.letters : null))
  expect(letter!.to).toEqual(['ann@old.example'])
  expect((await boss.call(movesContract.invite, { params: { id: move.id } })).body).toEqual({ invited: 0, refused: [] })
})

test('differences compare what is there with what has come along [MOVE-07]', async () => {
  answers = { ...start, client: page([...clients, { id: 9, name: 'New there' }]) }
  const { body } = await boss.call(movesContract.differences, { params: { id: move.id } })
  const rows = body.data as {
    kind: string
    month: string | null
    theirs: number
    ours: number
    explained: string | null
  }[]
  expect(rows.find(({ kind, month }) => kind === 'lead' && month === '2026-10')).toMatchObject({ theirs: 2, ours: 1 })
  expect(rows.find(({ kind }) => kind === 'client')).toMatchObject({
    theirs: 3,
    ours: 2,
    explained: '1 came in there since the plan was made',
  })
  expect(body.data.filter(({ kind }: { kind: string }) => kind === 'note' || kind === 'log')).toMatchObject([
    { month: '2026-01', theirs: 1, ours: 1, explained: null, rows: '/activity-log?from=2026-01-01&to=2026-01-31' },
    { month: '2025-12', theirs: 1, ours: 1, explained: null },
  ])
})

test('their numbers are read again after a minute, and those of the last reading stand in for a system that refuses [MOVE-07]', async () => {
  const readClients = async () => {
    const { body } = await boss.call(movesContract.differences, { params: { id: move.id } })
    return body.data.find(({ kind }: { kind: string }) => kind === 'client')
  }
  answers = start
  expect(await readClients()).toMatchObject({ theirs: 3 })
  const passMinute = () => app.context.db.execute(sql`update moves set compared_at = compared_at - interval '1 minute'`)
  await passMinute()
  expect(await readClients()).toMatchObject({ theirs: 2, ours: 2, explained: null })
  await passMinute()
  answers = { ...start, client: send('{}', 403) }
  const says = 'The old system refuses clients (403)'
  expect(await readClients()).toMatchObject({
    theirs: 2,
    explained: `The old system’s numbers are from the last reading: ${says}`,
  })
  await app.context.db.execute(sql`update moves set compared_at = null, differences = null`)
  expect(await readClients()).toMatchObject({
    theirs: 2,
    explained: `The old system’s numbers are those of the plan: ${says}`,
  })
})

test('a connection that leads to another system now is not read for a move that began at the first [MOVE-05]', async () => {
  const { source } = (await app.context.db.execute(sql`select sources->0 as source from moves where id = ${move.id}`))
    .rows[0] as { source: MoveSource }
  const moved = { ...source, source: 'https://before.example' }
  await expect(openLegacyServer(app.context, moved)).rejects.toThrow(
    `The connection leads to ${address} now, but this move began at https://before.example`,
  )
  await expect(openLegacyServer(app.context, source)).resolves.toBeInstanceOf(LegacyServer)
})

test('a second move of the same system brings nothing twice, and its undo leaves what the first has brought [MOVE-04]', async () => {
  const again = await plan()
  // Links and addresses are only counted.
  const listNew = (of: Move) =>
    of.kinds.flatMap(({ kind, found, same }) => (kind === 'link' || kind === 'ip' || found === same ? [] : [kind]))
  expect(listNew(again)).toEqual([])
  const counts = () =>
    app.context.db.execute(sql`select count(*) as leads, (select count(*) from activity_items) as notes from leads`)
  const before = (await counts()).rows
  for (const act of [movesContract.accept, movesContract.undo]) {
    expect((await boss.call(act, { params: { id: again.id } })).status).toBe(200)
    await settle(again.id)
    expect((await counts()).rows).toEqual(before)
  }
  expect(listNew(await plan())).toEqual([])
})

test('an undo gives back what was set, and keeps what a person has changed [MOVE-04]', async () => {
  const spammers = await (await boss.fetch('/api/leads/spammers')).json()
  expect(spammers).toHaveLength(1)
  const live = await app.make.lead({
    campaign_id: (await (await boss.fetch('/api/campaigns?q=Oak gutter')).json()).data.at(-1).id,
  })
  // Something of another kind that stays has the number of that lead: the lead's campaign goes all the same.
  await app.context.db.execute(sql`
    insert into move_items (move_id, key, position, kind, connection_id, old_id, label, state, row_id)
    values (${move.id}, 'other', 0, 'note', ${connection.id}, 'other', 'Other', 'kept', ${live.id})`)
  expect((await boss.call(movesContract.undo, { params: { id: move.id } })).status).toBe(200)
  move = await settle(move.id)
  expect([move.state, move.kept]).toEqual(['undone', []])
  const sites = await (await boss.fetch('/api/clientsite')).json()
  expect(sites.data).toMatchObject([{ url: 'https://www.acme.example', callrail_campaign_identifier: null }])
  const { data } = await (await boss.fetch('/api/campaigns?sort=name')).json()
  expect(data).toHaveLength(3)
  const left = await (await boss.fetch(`/api/lead/${live.id}`)).json()
  expect(left.campaign_id).toBeNull()
  expect((await boss.call(movesContract.undo, { params: { id: move.id } })).status).toBe(409)
})

/** Accepts a plan in which everything that is asked is new. */
async function acceptAll({ id }: Move): Promise<Move> {
  const asked = await listItems(id, { becomes: 'ask' })
  const choices = Object.fromEntries(asked.map(({ key }) => [key, 'new']))
  await boss.call(movesContract.choose, { params: { id }, body: { choices } })
  expect((await boss.call(movesContract.accept, { params: { id } })).status).toBe(200)
  return settle(id)
}
const undo = async ({ id }: Pick<Move, 'id'>): Promise<Move> => {
  expect((await boss.call(movesContract.undo, { params: { id } })).status).toBe(200)
  return settle(id)
}
const describeKept = ({ kept }: Move) => kept.map(({ label, reason }) => `${label.slice(0, 20)}: ${reason}`)

test('what is not surely understood is left empty or out, each with its reason, and nothing else is held up [MOVE-05]', async () => {
  const day = '2026-10-05'
  const odd = await plan({
    client: page([
      { ...clients[0], name: 'Acme\0 Roofing Inc.\ud800' },
      { ...clients[0], id: 9, name: 'Third', user: { id: 72, username: 'ACME', email: 'third@acme.example' } },
      { ...clients[0], id: 10, name: 'Fourth', user: { id: 73, username: 'fourth', email: 'Owner@acme.example' } },
      { ...clients[0], id: 12, name: 'Without login', user: null },
    ]),
    campaigns: page([campaigns[0], { ...campaigns[1], name: 'Ghost', client: { id: 999 } }]),
    'campaigns/all': () => [{ id: 1, name: 'Acme roofing', trouble_state: 77, notes: 'n'.repeat(200_000) }],
    'campaign/1/working-hours': () => ({ schedule: [{ day: 1, enabled: 1, startTime: '25:00' }], timezone: 'Mars' }),
    'campaign/1/area': () => ({ points: [{ lat: 500, lng: 1 }] }),
    clientsite: page([]),
    'campaign-gmb': page([{ id: 21, title: 'No link', link: 'no link', campaign_id: 1, status: 1 }]),
    networksite: page([
      { id: 31, url: 'no url', category_id: 4 },
      { id: 32, url: 'https://odd.example', category_id: 4, ip: 'none', checked_at: 'yesterday', registrar: 'Reg' },
    ]),
    redirect_domains: page([{ id: 41, domain: 'not a domain', redirect_url: 'https://new.example' }]),
    'leads/spammers': () => [{ id: 61, name: 'Bob' }],
    'leads/list/archived/data': page([]),
    'leads/list/data': page([
      { ...lead, id: 101, lead_id: 'a', lead_date: '10/05/2026' },
      { ...lead, id: 102, lead_id: 'b', lead_date: '10/25/2026', lead_time: '2:30 PM', client_value: '1,200.50' },
      { ...lead, id: 103, lead_id: 'c', lead_date: '2026-02-31' },
      { ...lead, id: 104, lead_id: 'd', lead_date: day, lead_time: 'noon', lead_type: 'Chat' },
      { ...lead, id: 105, lead_id: 'e', lead_date: day, client_profit: -3, rating: 9, client_progress: 17 },
      { ...lead, id: 106, lead_id: 'f', lead_date: day, campaign_id: 4711 },
      { ...lead, id: 107, lead_id: 'g', lead_date: day, campaign_id: 2 },
      { ...lead, id: 108, lead_id: 'h', lead_date: day, lead_phone: '1.51256E+10', message: 'A\0 leak \udc00' },
      { ...lead, id: 109, lead_id: 'h', lead_date: '2026-10-04' },
    ]),
    'activity-log': pageOfDays([]),
  })
  expect([odd.state, odd.says]).toEqual(['ready', null])
  const done = await acceptAll(odd)
  expect(describeKept(done)).toEqual([
    'Third: This name is taken',
    'Fourth: This email is taken',
    'Without login: No login account',
    'Acme roofing: its working hours and the time zone of its hours could not be read, the usual ones are set. The area was left out: Latitude must be from -90 to 90. notes were left empty: At most 100000 characters. trouble_state 77 is not known here',
    'Ghost: The client was not moved',
    'No link: Wrong link format',
    'no url: Not a web address',
    'not a domain: Not a domain, such as example.com',
    'ann: Pages that are not known here: unknown',
    'Bob: Either Phone or Email is required',
    '1.51256E+10: There already is a lead with this source and ID',
    'Lead 107: The campaign was not moved',
    'Lead 106: The old system does not list its campaign (4711)',
    'Lead 105: rating was left empty: 9 is not understood. client_progress was left empty: 17 is not understood. client_profit was left empty: -3 is not understood',
    'Lead 104: lead_time is midnight: noon is not understood. lead_type is Form: Chat is not understood',
    'Lead 103: The date 2026-02-31 is not understood',
    'Lead 101: The date 10/05/2026 is not understood',
  ])
  const { data } = await (
    await boss.fetch('/api/leads/list/data?date_from=2026-10-01&date_to=2026-10-31&sort=lead_date&order=desc')
  ).json()
  expect(data[0]).toMatchObject({ lead_date: '2026-10-25', lead_time: '14:30', client_value: 1200.5 })
  expect((await undo(done)).kept).toEqual([])
})

test('leads of lead sources with one number all come along, and again they are the same [MOVE-07]', async () => {
  const numbered = (id: number, values: object) => ({ ...lead, id, lead_id: 'n', lead_date: '2026-09-03', ...values })
  const answers = {
    'leads/list/archived/data': page([]),
    'leads/list/data': page([
      ...[301, 302, 303].map((id) => numbered(id, { lead_s: 'Other' })), // of three lead sources of a site
      ...[306, 307].map((id) => numbered(id, { lead_id: 'm' })), // one twice
    ]),
    'activity-log': pageOfDays([]),
  }
  const first = await acceptAll(await plan(answers))
  const countLeads = () =>
    app.context.db.$count(leadsTable, eq(leadsTable.occurred_at, new Date('2026-09-03T14:30:00Z')))
  const kept = first.kept.filter(({ kind }) => kind === 'lead').map(({ label, reason }) => `${label}: ${reason}`)
  expect(kept).toEqual(['Lead 306: There already is a lead with this source and ID'])
  expect(await countLeads()).toBe(4)
  const again = await acceptAll(await plan(answers))
  expect(await countLeads()).toBe(4)
  expect((await undo(again)).kept).toEqual([])
  expect(await countLeads()).toBe(4)
  expect((await undo(first)).kept).toEqual([])
  expect(await countLeads()).toBe(0)
})

test('statements of a moved campaign begin with the cycle of the move, and leads of earlier cycles are on none [MOVE-07]', async () => {
  const zone = app.context.settings.AGENCY_TIMEZONE
  const { from, next } = computeBillingCycle(campaign.due_date, getToday(zone))
  const done = await acceptAll(
    await plan({
      campaigns: page([
        { ...campaigns[0], name: 'With an old start' },
        { ...campaigns[1], name: 'Without a start', start_date: null },
      ]),
      clientsite: page([]),
      'campaign-gmb': page([]),
      'leads/list/archived/data': page([]),
      'leads/list/data': page([
        { ...lead, id: 201, lead_id: 'j', campaign_id: 1, lead_date: addDays(from, -40) },
        { ...lead, id: 202, lead_id: 'k', campaign_id: 2, lead_date: addDays(from, -1) },
        { ...lead, id: 203, lead_id: 'l', campaign_id: 2, lead_date: from, lead_time: '00:10' },
      ]),
    }),
  )
  const moved = await app.context.db.execute<{ id: number }>(sql`
    select row_id as id from move_items where move_id = ${done.id} and kind = 'campaign' order by old_id::int`)
  const [old, other] = moved.rows.map(({ id }) => id) as [number, number]
  const readStatements = async (id: number) =>
    (await boss.call(statementsContract.list, { query: { campaign_ids: [id] } })).body.data as ListedStatement[]
  const days = { from, to: addDays(next, -1) }
  // One that came by a hook before the move, and was given to the campaign then.
  const waited = { campaign_id: other, confirmed: true, occurred_at: startOfZonedDay(addDays(from, -20), zone) }
  const { id: waiting } = await app.make.lead(waited)
  expect(await readStatements(old)).toMatchObject([{ ...days, total: 1500.5, lines: [{ kind: 'fee' }] }])
  const terms = [{ from: '2024-01-01', kind: 'per_lead', prices: { Form: 10, Call: 20 } }]
  expect((await boss.call(termsContract.save, { params: { id: other }, body: { terms } })).status).toBe(200)
  expect(await readStatements(other)).toMatchObject([{ ...days, total: 10, lines: [{ kind: 'lead', amount: 10 }] }])
  await app.context.db.execute(sql`delete from campaign_terms where campaign_id = ${other}`)
  await app.context.db.execute(sql`delete from leads where id = ${waiting}`)
  expect((await undo(done)).kept).toEqual([])
})

test('a site that was live in the old system, which kept no log, and goes down here is offline [MOVE-04]', async () => {
  const site = { id: 12, url: 'https://never-logged.example', campaign: 'Acme roofing', status: 1 }
  const done = await acceptAll(await plan({ clientsite: page([site]), 'leads/list/data': page([]) }))
  const { rows } = await app.context.db.execute<{ id: number }>(sql`
    insert into client_site_logs (site_id, status)
    select id, 0 from client_sites where url = ${site.url} returning site_id as id`)
  const { id } = rows[0]!
  await app.context.db.execute(sql`update client_sites set status = 0 where id = ${id}`)
  const { body } = await boss.call(clientSitesContract.list, { query: {} })
  expect(body.data).toContainEqual(expect.objectContaining({ id, status: 0, never_live: 0 }))
  expect((await undo(done)).kept).toEqual([])
})

test('a listing comes along with all lines of its log, however many there are [MOVE-04]', async () => {
  const logs = Array.from({ length: 11_000 }, (_, at) => ({
    id: at + 1,
    created_at: new Date(Date.UTC(2020, 0, 1) + at * 3_600_000).toISOString(),
    changed: 'Phone',
    old: String(at),
    new: String(at + 1),
  }))
  const done = await acceptAll(await plan({ 'campaign-gmb/21/logs': page(logs) }))
  expect(done.kept.filter(({ kind }) => kind === 'listing')).toEqual([])
  const written = await app.context.db.execute(sql`
    select from move_items join campaign_gmb_logs on gmb_id = row_id where move_id = ${done.id} and kind = 'listing'`)
  expect(written.rowCount).toBe(logs.length)
  expect((await undo(done)).kept).toEqual([])
})

test('what was deleted here since the plan was made is named, with what hangs on it [MOVE-04]', async () => {
  const { id, client_id } = await app.make.campaign({ name: 'Acme roofing' })
  const stale = await plan({ clientsite: page([]), 'campaign-gmb': page([]) })
  const { db } = app.context
  await db.execute(sql`delete from campaigns where id = ${id}`)
  await db.execute(sql`update clients set deleted_at = now() where id = ${client_id}`)
  const done = await acceptAll(stale)
  expect(describeKept(done).filter((one) => !one.includes('left empty') && !one.includes('not known here'))).toEqual([
    'Acme Roofing Inc.: Deleted here since the plan was made',
    'Acme roofing: Deleted here since the plan was made',
    'New sign: The campaign or team was not moved',
    `${'x'.repeat(20)}: The campaign or team was not moved`,
    'Lead 82: The campaign was not moved',
    'Lead 81: The campaign was not moved',
  ])
  const undone = await undo(done)
  expect([undone.state, undone.kept]).toEqual(['undone', []]) // nothing of it stays
})

test('of two who accept or undo at once one does, and the other one is told [MOVE-04]', async () => {
  const { id } = await plan()
  const asked = await listItems(id, { becomes: 'ask' })
  await boss.call(movesContract.choose, {
    params: { id },
    body: { choices: Object.fromEntries(asked.map(({ key }) => [key, 'skip'])) },
  })
  for (const [act, says] of [
    [movesContract.accept, 'This move was accepted already'],
    [movesContract.undo, 'This move is being undone'],
  ] as const) {
    const both = await Promise.all([1, 2].map(() => boss.call(act, { params: { id } })))
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(both.find(({ status }) => status === 409)?.body.message).toBe(says)
    await settle(id)
  }
})

test('a token of another person at the same address knows what was moved, and is said to see less [MOVE-04] [MOVE-05]', async () => {
  const first = await acceptAll(await plan())
  const listed = await boss.call(connectionsContract.get, { params: { id: connection.id } })
  const change = (token: string, version: number) =>
    boss.call(connectionsContract.update, { params: { id: connection.id }, body: { token, version } })
  expect((await change('b-token', listed.body.version)).status).toBe(200)
  const carl = { id: 2, username: 'carl', email: 'carl@old.example', isSuperAdmin: false }
  const tokens = new Set<string | undefined>()
  const second = await plan({
    'user/me': (_, { req }) => {
      tokens.add(req.headers.authorization)
      return carl
    },
    campaigns: page(campaigns.slice(0, 1)),
  })
  expect([...tokens]).toEqual(['Bearer b-token'])
  const listNew = second.kinds.flatMap((one) =>
    one.new > 0 && one.kind !== 'link' && one.kind !== 'ip' ? one.kind : [],
  )
  expect(listNew).toEqual([])
  const seen = second.kinds.find(({ kind }) => kind === 'campaign')!
  expect(seen).toMatchObject({ found: 1, same: 1 })
  expect(seen.lacks).toContain('The token is of carl, who is no super admin there: only what they may see comes along')
  expect((await undo(await acceptAll(second))).kept).toEqual([])
  expect((await undo(first)).kept).toEqual([])
})

test('a job that was lost is started again, and a move whose person may not go on waits for another one [MOVE-04]', async () => {
  const { db } = app.context
  /** As after more kills than a job is tried, or from a backup, which has no jobs. */
  const loseJob = async (id: number, state: Move['state'], user: number) => {
    await db.execute(sql`delete from pgboss.job where name like 'move-%'`)
    await db.execute(
      sql`update moves set state = ${state}, user_id = ${user}, updated_at = now() - interval '3 minutes' where id = ${id}`,
    )
    await resumeMoves(app.context)
  }
  const stop = (id: number) =>
    until(async () => {
      const one = await read(id)
      return one.says === null ? null : one
    })
  const { id } = await plan()
  await loseJob(id, 'reading', owner.id)
  expect((await settle(id)).state).toBe('ready')
  const former = await app.make.admin()
  for (const [act, state, over] of [
    [movesContract.accept, 'writing', 'done'],
    [movesContract.undo, 'undoing', 'undone'],
  ] as const) {
    await loseJob(id, state, former.id)
    const stopped = await stop(id)
    expect([stopped.state, stopped.says]).toEqual([state, 'The person who started this is no super admin now'])
    await resumeMoves(app.context) // it is a person's turn
    expect((await boss.call(act, { params: { id } })).status).toBe(200)
    expect(await settle(id)).toMatchObject({ state: over, says: null })
  }
})

test('a reading that ends after another one has made the plan changes nothing of the move [MOVE-04]', async () => {
  const { id } = await plan()
  const setState = (state: string) => app.context.db.execute(sql`update moves set state = ${state} where id = ${id}`)
  await setState('reading')
  const asked = Promise.withResolvers<ServerResponse>()
  answers = { ...start, 'user/me': (_, response) => asked.resolve(response.writeHead(401)) }
  const late = readMove(app.context, { id, by: owner.id })
  const response = await asked.promise
  await setState('ready') // what another process has read
  response.end('{}')
  await late
  expect(await read(id)).toMatchObject({ state: 'ready', says: null })
})

test('an undo leaves each thing that a person has changed since, of every kind, with what it hangs on [MOVE-04]', async () => {
  const done = await acceptAll(
    await plan({ 'activity-log': pageOfDays([]), clientsite: page([]), 'campaign-gmb': page([]) }),
  )
  const send = async (method: string, path: string, body?: unknown) => {
    const headers = { 'content-type': 'application/json' }
    const sent = await boss.fetch(`/api/${path}`, {
      method,
      ...(body === undefined ? {} : { headers, body: JSON.stringify(body) }),
    })
    expect([path, sent.status]).toEqual([path, 200])
  }
  const { rows } = await app.context.db.execute<{ kind: string; row_id: number; label: string }>(
    sql`select kind, row_id, label from move_items where move_id = ${done.id} and state = 'written' and becomes = 'new'`,
  )
  const idOf = (kind: string, label?: string) =>
    rows.find((one) => one.kind === kind && (!label || one.label === label))!.row_id
  await send('PUT', `networkcategory/${idOf('network_category')}`, { name: 'My blogs' })
  await send('PUT', `networksite/${idOf('network_site')}`, {
    url: 'https://my-blog.example',
    category_id: idOf('network_category'),
  })
  await send('PUT', `campaigncategory/${idOf('category')}`, { name: 'My roofing', color: '#112233' })
  await send('POST', `campaign/${idOf('campaign', 'Oak gutter')}/toggle-is-ppc`)
  await send('PUT', `lead/${idOf('lead')}`, { lead_name: 'Mine' })
  await send('PATCH', `admin/admins/${idOf('admin')}/move-to-lead-handlers`)
  // As if the move were older than what the audit log keeps.
  const { pool } = app.context
  await pool.query('alter table audit disable trigger audit_append_only')
  await pool.query(`delete from audit where kind = 'campaign category' and row_id = $1`, [idOf('category')])
  await pool.query('alter table audit enable trigger audit_append_only')
  const undone = await undo(done)
  expect(undone.kept.map(({ kind, reason }) => `${kind} ${reason}`)).toEqual([
    'network_category Blogs: somebody has changed it since',
    'category Roofing: the audit trail no longer says whether it was changed since, so it stays',
    'client Acme Roofing Inc.: has campaigns now',
    'client Oak Homes: has campaigns now',
    'campaign Acme roofing: a lead of it stays',
    'campaign Oak gutter: somebody has changed it since',
    'network_site https://blog.example: somebody has changed it since',
    'admin ann: somebody has changed it since',
    'lead Lead 82: somebody has changed it since',
  ])
})

test('what stays after an undo is not brought again by the next move [MOVE-04]', async () => {
  const notes = {
    'activity-log': pageOfDays([{ id: 74, date: '2026-02-05', user: 'gone', campaign_id: 1, note: 'New van' }]),
  }
  const first = await acceptAll(await plan(notes))
  const countNotes = async () =>
    (await app.context.db.execute(sql`select from activity_items where date = '2026-02-05' and deleted_at is null`))
      .rows.length
  expect(await countNotes()).toBe(1)
  const [item] = (
    await app.context.db.execute<{ row_id: number }>(sql`
    select row_id from move_items where move_id = ${first.id} and kind = 'note' and old_id = '74'`)
  ).rows
  const params = { id: item!.row_id }
  expect((await boss.call(activityItemsContract.update, { params, body: { note: 'New red van' } })).status).toBe(200)
  expect(describeKept(await undo(first)).filter((one) => one.startsWith('New van'))).toHaveLength(1)
  const second = await plan(notes)
  await acceptAll(second)
  expect(await countNotes()).toBe(1)
})

test('a deadlock neither leaves a thing out nor keeps one that is taken back [MOVE-04]', async () => {
  const { db } = app.context
  await causeDeadlocks(app, 'insert on leads', '<= 2')
  const done = await acceptAll(await plan())
  const countLeads = (state: string) =>
    db.$count(moveItemsTable, sql`move_id = ${done.id} and kind = 'lead' and state = ${state}`)
  expect([await countLeads('kept'), (await countLeads('written')) > 0]).toEqual([0, true])
  await causeDeadlocks(app, 'delete on leads', '<= 2')
  await undo(done)
  expect([await countLeads('kept'), (await countLeads('removed')) > 0]).toEqual([0, true])
})

test('an account whose only tasks were removed is taken back [MOVE-04]', async () => {
  const admins = { 52: { id: 52, username: 'bea', email: 'bea@old.example' } }
  const done = await acceptAll(
    await plan({ 'activity-log': pageOfDays([]), 'admin/admins': () => ({ admins }), 'admin/admins/52': () => ({}) }),
  )
  const { rows } = await app.context.db.execute<{ id: number }>(
    sql`select row_id as id from move_items where move_id = ${done.id} and kind = 'admin' and becomes = 'new' and state = 'written'`,
  )
  const assignee_id = rows[0]!.id
  const task = { is_task: true, assignee_id, user_id: owner.id, deleted_at: new Date() }
  await app.make.activityItem({ campaign_id: (await app.make.campaign()).id, ...task })
  expect((await undo(done)).kept.filter(({ kind }) => kind === 'admin')).toEqual([])
})

test('a client who came along is invited once to the page of clients, however often their id is sent [MOVE-04]', async () => {
  const pine = {
    ...clients[1],
    id: 9,
    name: 'Pine',
    user: { username: 'pine', email: 'owner@pine.example', is_active: 1 },
  }
  const done = await acceptAll(await plan({ client: page([pine]) }))
  const [account] = await app.context.db.select().from(usersTable).where(eq(usersTable.username, 'pine'))
  const id = account!.id
  const { body } = await boss.call(movesContract.invite, {
    params: { id: done.id },
    body: { ids: [id, id, 999_999, 999_999] },
  })
  expect(body).toEqual({ invited: 1, refused: [{ id: 999_999, reason: 'This account did not come with the move' }] })
  expect(await app.context.db.$count(auditTable, sql`kind = 'invitation' and row_id = ${id}`)).toBe(1)
  const letter = await until(() => sink.letters.find(({ to }) => to.includes('owner@pine.example')))
  expect(letter.email.text).toMatch(/\/reset\?key=[\w-]+&client=1/)
  await undo(done)
})

test('an undo that two workers go on with ends once [MOVE-04]', async () => {
  const { db } = app.context
  const { id } = await acceptAll(await plan())
  await db.execute(sql`update moves set state = 'undoing' where id = ${id}`)
  await Promise.all([1, 2].map(() => undoMove(app.context, moveWriters, { id, by: owner.id })))
  expect((await read(id)).state).toBe('undone')
  const isEnd = sql`kind = 'move' and row_id = ${id} and after ->> 'state' = 'undone'`
  expect(await db.$count(auditTable, isEnd)).toBe(1)
})

test('an undo takes back the leads of a batch together, but those that a person has changed [MOVE-04]', async () => {
  const { pool, db } = app.context
  const leads = Array.from({ length: 40 }, (_, at) => ({
    ...lead,
    id: 500 + at,
    lead_id: `11-${500 + at}`,
    lead_date: '2026-10-07',
  }))
  const done = await acceptAll(await plan({ 'leads/list/data': page(leads), 'activity-log': pageOfDays([]) }))
  const [changed] = (
    await db.execute<{ row_id: number }>(sql`
      select row_id from move_items where move_id = ${done.id} and kind = 'lead' and old_id = '510'`)
  ).rows
  await boss.call(leadsContract.update, { params: { id: changed!.row_id }, body: { lead_name: 'Mine' } })
  await pool.query(`
    create sequence deletions;
    create function count_deletion() returns trigger language plpgsql as $$ begin
      perform nextval('deletions');
      return null;
    end $$;
    create trigger count_deletion after delete on leads for each statement execute function count_deletion()`)
  const undone = await undo(done)
  expect(undone.kept.filter(({ kind }) => kind === 'lead').map(({ id }) => id)).toEqual([changed!.row_id])
  const removed = await db.$count(moveItemsTable, sql`move_id = ${done.id} and kind = 'lead' and state = 'removed'`)
  expect(removed).toBeGreaterThanOrEqual(39)
  const { rows } = await pool.query<{ count: string }>(`select nextval('deletions') - 1 as count`)
  expect(Number(rows[0]!.count)).toBeLessThan(4)
  await pool.query('drop function count_deletion cascade')
  await pool.query('drop sequence deletions')
})

test('a connection is not removed while a move runs', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  // The first call of a plan waits for the removal's answer.
  answers = {
    ...start,
    'user/me': (_, response) => {
      response.flushHeaders() // or the stand-in answers 404 at once
      void promise.then(() => response.end('[]'))
    },
  }
  const { body } = await boss.call(movesContract.start, { body: { connections: [connection.id] } })
  const { status } = await boss.call(connectionsContract.remove, { params: { id: connection.id } })
  resolve()
  expect(status).toBe(409)
  await settle(body.id)
})

test('an undo leaves a lead that is on a sent statement, with what it hangs on [MOVE-04]', async () => {
  const done = await acceptAll(
    await plan({
      'leads/list/data': page([
        { ...lead, id: 91, lead_id: '11-91', lead_date: '2026-10-05' },
        { ...lead, id: 92, lead_id: '11-92', lead_date: '2026-10-06' },
      ]),
      'leads/list/archived/data': page([]),
    }),
  )
  const { rows } = await app.context.db.execute<{ id: number; campaign_id: number }>(sql`
    select lead.id, lead.campaign_id from leads lead join move_items item on item.row_id = lead.id and item.kind = 'lead'
    where item.move_id = ${done.id} and item.becomes = 'new' order by old_id::int`)
  const billed = rows[0]!
  await app.make.bill(billed)
  const undone = await undo(done)
  expect(undone.kept.map(({ reason }) => reason)).toContain('Lead 91: it is on a statement')
  const left = await app.context.db.execute(sql`select id from leads where lead_id in ('11-91', '11-92')`)
  expect(left.rows).toEqual([{ id: billed.id }])
})

test.each([
  ['the provider of a lead is known in any case', 'CallRail', { clientsite_id: null }, {}],
  ['a call waits here for the client site that it comes with', 'Callrail', {}, { origin: 'company/COM77' }],
])('%s, so a lead that is here is the same [MOVE-04]', async (lead_id, lead_s, values, stored) => {
  const here = await app.make.lead({ campaign_id: null, lead_s: 'Callrail', lead_id, lead_type: 'Call', ...stored })
  const twin = { ...lead, id: 301, lead_s, lead_id, lead_type: 'call', lead_date: '2026-10-05', ...values }
  const done = await acceptAll(await plan({ 'leads/list/data': page([twin]), 'leads/list/archived/data': page([]) }))
  const { rows } = await app.context.db.execute(
    sql`select row_id, becomes from move_items where move_id = ${done.id} and kind = 'lead'`,
  )
  expect(rows).toEqual([{ row_id: here.id, becomes: 'same' }])
  await undo(done)
})

test('no value is guessed in silence: what becomes something else, or nothing, is named [MOVE-05]', async () => {
  const numbers = { due_date: 'the fifth', initial_target: 'many', month_3_target: 'ten', start_date: '03/04/2026' }
  const listing = { title: 'Acme', link: 'https://maps.google.com/?cid=12345678901234567022', campaign_id: 3 }
  const note = { id: 974, date: '03/04/2026', created_at: '2026-03-05', user: 'gone', campaign_id: 3, note: 'New van' }
  const done = await acceptAll(
    await plan({
      campaigns: page([{ ...campaigns[0], ...numbers, id: 3, name: 'Guessed' }]),
      'campaigns/all': () => [],
      clientsite: page([]),
      'campaign-gmb': page([
        { ...listing, id: 22, status: 'On hold' },
        { ...listing, id: 23, link: 'https://maps.google.com/?cid=12345678901234567023', status: 'suspended' },
      ]),
      'leads/list/data': page([
        {
          ...lead,
          id: 311,
          lead_id: 'p',
          campaign_id: 3,
          lead_date: '2026-10-05',
          recording: 'https://a.example/r.mp3',
        },
        { ...lead, id: 312, lead_id: 'q', campaign_id: 3, lead_date: '2026-10-05', recording: 'No' },
      ]),
      'leads/list/archived/data': page([]),
      'activity-log': (query) => ({ list: query.get('page') === '2' ? [] : [note], total: 1 }),
    }),
  )
  const said = describeKept(done).join('\n')
  for (const line of [
    'start_date was left empty: 03/04/2026 is not understood',
    'due_date is 1: the fifth is not understood',
    'initial_target is 0: many is not understood',
    'month_3_target was left empty: ten is not understood',
    'status is Unverified: On hold is not understood',
    'recording was left empty: https://a.example/r.mp3 is not understood',
    'date is the day of its creation: 03/04/2026 is not understood',
  ])
    expect(said).toContain(line)
  expect(said).not.toMatch(/suspended is not|false is not/)
  const { rows } = await app.context.db.execute(sql`
    select status from campaign_gmbs gmb join move_items item on item.row_id = gmb.id and item.kind = 'listing'
    where item.move_id = ${done.id} order by item.old_id`)
  expect(rows).toEqual([{ status: 3 }, { status: 4 }])
  await undo(done)
})

test('how many were kept is said of all months, not of each [MOVE-07]', async () => {
  const bad = { ...lead, lead_date: '2026-02-31' }
  const done = await acceptAll(
    await plan({
      'leads/list/data': page([
        { ...lead, id: 321, lead_id: 's', lead_date: '2026-10-05' },
        { ...lead, id: 322, lead_id: 't', lead_date: '2026-09-05' },
        { ...bad, id: 323, lead_id: 'u' },
      ]),
      'leads/list/archived/data': page([]),
    }),
  )
  const { body } = await boss.call(movesContract.differences, { params: { id: done.id } })
  const says = body.data.flatMap(({ kind, explained }: { kind: string; explained: string | null }) =>
    kind === 'lead' && explained ? [explained] : [],
  )
  expect(says.length).toBeGreaterThan(0)
  for (const one of says) expect(one).toMatch(/^In all months, 1 could not be written: see what was kept/)
  await undo(done)
})

test('what a client said about a lead leaves it when an undo takes its campaign [MOVE-04]', async () => {
  const done = await acceptAll(
    await plan({
      campaigns: page([{ ...campaigns[1], id: 5, name: 'Talked about' }]),
      'campaigns/all': () => [],
      ...{ 'leads/list/data': page([]), 'leads/list/archived/data': page([]), clientsite: page([]) },
    }),
  )
  const { rows } = await app.context.db.execute<{ id: number }>(
    sql`select row_id as id from move_items where move_id = ${done.id} and kind = 'campaign' and becomes = 'new' limit 1`,
  )
  const site = await app.make.clientSite({ campaign_id: null })
  const words = { client_progress: 3, client_notes: 'A difficult customer', client_value: 900, rating: 5 }
  const since = await app.make.lead({ campaign_id: rows[0]!.id, clientsite_id: site.id, ...words })
  await undo(done)
  const [left] = await app.context.db.select().from(leadsTable).where(eq(leadsTable.id, since.id))
  expect(left).toMatchObject({
    ...{ campaign_id: 0, clientsite_id: site.id },
    ...{ client_progress: null, client_notes: null, client_value: null, rating: null },
  })
})
