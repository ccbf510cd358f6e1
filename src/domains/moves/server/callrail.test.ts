import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { connectionsContract } from '#domains/connections/contract.ts'
import { callRailAccountsTable, callRailRequestsTable } from '#domains/leads/callrail/schema.ts'
import { pollAccounts } from '#domains/leads/callrail/server/poll-accounts.ts'
import { readAccountCompanies } from '#domains/leads/callrail/server/read-companies.ts'
import { processInbox } from '#domains/leads/intake/server/worker.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { clientSitesTable } from '#domains/sites/client/schema.ts'
import { startCallRailStandIn } from '#integrations/fakes/callrail.ts'
import { startSmtpSink } from '#integrations/fakes/smtp.ts'
import { setUp, startApp } from '#test/app.ts'
import { movesBy } from '#test/moves.ts'
import { postCall } from '#test/provider-hooks.ts'
import { until } from '#test/until.ts'
import { type Move, type MoveItem, movesContract } from '../contract.ts'

const callrail = await setUp(startCallRailStandIn())
const south = callrail.addAccount('ACC2', 'south-key')
const sink = await setUp(startSmtpSink())
const app = await setUp(
  startApp({
    settings: {
      CALLRAIL_API_URL: callrail.settings.CALLRAIL_API_URL,
      SMTP_URL: sink.url,
      ALLOWED_PRIVATE_RANGES: '127.0.0.0/8',
    },
    work: true,
  }),
)
const { db } = app.context
const { make } = app
const boss = await app.as(await make.superAdmin())

const day = 86_400_000
const ago = (days: number) => new Date(Date.now() - days * day).toISOString()
const phoneOf = (index: number) => `+1512555${String(1000 + index)}`
let count = 0
function call(company: string, days: number, values: object = {}) {
  const { resource_id, company_resource_id: _id, company_id: _number, ...rest } = postCall()
  count += 1
  const customer = `+1737555${String(1000 + count).slice(-4)}`
  return {
    ...{ ...rest, id: String(resource_id), company_id: company, duration: 45, start_time: ago(days) },
    ...{ customer_phone_number: customer, landing_page_url: null, ...values },
  }
}
const company = (id: string, name: string, status = 'active') => ({ id, name, status, time_zone: 'America/Chicago' })
const tracker = (id: string, owner: string, to: string, status = 'active') => ({
  ...{ id, name: id, type: 'source', status, destination_number: to, tracking_number: `+1830${id.padStart(7, '0')}` },
  company: { id: owner, name: owner },
})
const onPage = (host: string) => ({ landing_page_url: `https://www.${host}/roofs?gclid=1` })

// North has 60 companies: 50 that nothing here knows, five that are ambiguous, and five that are told by one level each.
const fresh = Array.from({ length: 50 }, (_, index) => company(`COMF${index}`, `Fresh ${index}`))
callrail.companies = [
  ...fresh,
  company('COMID', 'Known by id'),
  company('COMDOMAIN', 'Known by domain'),
  company('COMPHONE', 'Known by phone'),
  company('COMNAME', 'Oak Gutter, LLC'),
  company('COMOFF', 'Left in March', 'disabled'),
  ...Array.from({ length: 5 }, (_, index) => company(`COMASK${index}`, `Twin ${index}`)),
]
callrail.trackers = [
  tracker('1', 'COMPHONE', phoneOf(1)),
  // Its number is the other one's by now.
  tracker('2', 'COMF0', phoneOf(1), 'disabled'),
  ...fresh.map(({ id }, index) => tracker(String(100 + index), id, phoneOf(100 + index))),
]
callrail.calls = [
  ...fresh.slice(1).map(({ id }, index) => call(id, 3, onPage(`fresh-${index + 1}.example`))),
  call('COMDOMAIN', 2, onPage('domain.example')),
  call('COMDOMAIN', 500, { landing_page_url: 'https://m.facebook.com/somebody' }),
]
callrail.forms = [
  {
    ...{ id: 'FRM1', company_id: 'COMF0', form_data: { name: 'Jane', email: 'jane@visitor.example' } },
    ...{ form_url: 'http://fresh-0.example/contact', submitted_at: ago(4) },
  },
]
const east = company('COMEAST', 'Fresh 7 East')
south.companies = [east]
south.calls = [call('COMEAST', 5, onPage('fresh-7.example'))]

const byId = await make.campaign({ name: 'By id' })
await make.clientSite({ campaign_id: byId.id, url: 'https://id.example', callrail_campaign_identifier: 'COMID' })
const byDomain = await make.campaign({ name: 'By domain' })
const domainSite = await make.clientSite({
  ...{ campaign_id: byDomain.id, url: 'https://domain.example', callrail_campaign_identifier: null },
})
const byPhone = await make.campaign({ name: 'By phone' })
await make.gmb({ campaign_id: byPhone.id, phone: '(512) 555-1001' })
await make.clientSite({ campaign_id: byPhone.id, url: 'https://phone.example', callrail_campaign_identifier: null })
const byName = await make.campaign({ name: 'Oak gutter' })
for (const index of [0, 1, 2, 3, 4]) for (const _ of [1, 2]) await make.campaign({ name: `Twin ${index}` })
const client = await make.client({ name: 'Fresh 9' })

const connect = async (account_id: string, api_key: string, name: string) => {
  const body = { kind: 'callrail', account_id, api_key, name } as const
  const answer = await boss.call(connectionsContract.create, { body })
  expect(answer.status).toBe(200)
  return answer.body.id as number
}
const north = await connect('ACC1', 'stand-in-key', 'North')
const southId = await connect('ACC2', 'south-key', 'South')

// The schedule does not look at the accounts while a test decides what they answer.
const soon = new Date(Date.now() + day)
const connected_at = new Date()
for (const account_id of ['ACC1', 'ACC2'])
  await db
    .insert(callRailAccountsTable)
    .values({ account_id, connected_at, next_look_at: soon })
    .onConflictDoUpdate({
      target: callRailAccountsTable.account_id,
      set: { next_look_at: soon },
    })

const { read, settle, plan, listItems } = movesBy(boss)
const leadsOf = (lead_id: string) => db.select().from(leadsTable).where(eq(leadsTable.lead_id, lead_id))

test('a revoked key, a key without rights and a list that repeats itself end the plan with the words of CallRail [MOVE-04]', async () => {
  for (const [answer, says] of [
    [{ status: 401, body: { error: 'HTTP Token: Access denied.' } }, 'CallRail says: HTTP Token: Access denied.'],
    [{ status: 403, body: { error: 'Not permitted' } }, 'CallRail says: Not permitted'],
    [{ body: '<html>Sign in</html>' }, 'CallRail answered a page instead of its list'],
  ] as const) {
    callrail.behaviour.fail = answer
    const failed = await plan([north])
    expect([failed.state, failed.says]).toEqual(['failed', says])
    expect((await boss.call(movesContract.accept, { params: { id: failed.id } })).body.message).toBe(says)
  }
  callrail.behaviour = { fail: { body: { companies: callrail.companies.slice(0, 2), total_pages: 9 } } }
  expect((await plan([north, southId])).says).toBe('North: CallRail’s list repeats its pages')
  callrail.behaviour = {}
})

test('a key that expires while the account is read ends the plan, and nothing is half planned [MOVE-04]', async () => {
  let calls = 0
  callrail.behaviour.afterList = (path) => {
    calls += path === 'calls.json' ? 1 : 0
    if (calls === 20) callrail.behaviour.fail = { status: 401, body: { error: 'HTTP Token: Access denied.' } }
  }
  const failed = await plan([north])
  expect([failed.state, failed.says]).toEqual(['failed', 'CallRail says: HTTP Token: Access denied.'])
  expect(await listItems(failed.id)).toEqual([])
  const connections = (await boss.call(connectionsContract.list)).body as { id: number; state: string }[]
  expect(connections.find(({ id }) => id === north)).toMatchObject({ state: 'refused' })
  callrail.behaviour = {}
})

test('too many requests are waited for: as long as CallRail says, or a minute and then twice as long [MOVE-04]', async () => {
  callrail.behaviour.next = [{ status: 429, headers: { 'retry-after': '90' } }, 429, 429]
  const waits: number[] = []
  const says: (string | null)[] = []
  const { companies } = await readAccountCompanies(app.context, southId, {
    progress: async (_done, _of, line) => void says.push(line),
    wait: async (milliseconds) => {
      waits.push(Math.round(milliseconds / 1000))
      await db.update(callRailAccountsTable).set({ waits_until: null })
    },
  })
  expect(waits).toEqual([90, 120, 240])
  expect(says).toEqual([null])
  await db.update(callRailAccountsTable).set({ waits: 0, waits_until: null, next_look_at: soon })
  expect(companies).toHaveLength(1)
})

test('an account whose requests of the hour are used up is linked by what is known, and the plan says so [MOVE-04]', async () => {
  await db.delete(callRailRequestsTable)
  await db.execute(sql`insert into callrail_requests (account_id, purpose, at)
    select 'ACC1', 'history', now() from generate_series(1, 780)`)
  const some = await plan([north])
  const lacks = some.kinds.find(({ kind }) => kind === 'callrail_company')!.lacks.join()
  expect(lacks).toMatch(/The last calls and forms of 5\d companies were not read/)
  await db.delete(callRailRequestsTable)
})

test('companies and trackers whose pages shift while they are read are neither lost nor doubled [MOVE-04]', async () => {
  const before = callrail.companies
  let pages = 0
  callrail.behaviour.afterList = (path) => {
    pages += path === 'companies.json' ? 1 : 0
    if (pages === 1) callrail.companies = [company('COMNEW', 'New one'), ...before.slice(1)]
  }
  const shifted = await plan([north])
  expect((await listItems(shifted.id)).map(({ from }) => from.id).sort()).toEqual(
    ['COMNEW', ...before.slice(1).map(({ id }) => id)].sort(),
  )
  callrail.companies = before
  callrail.behaviour = {}
})

test('companies and tracking numbers without an id are counted in what does not come along [MOVE-04]', async () => {
  const nothing = { id: null } as never
  callrail.companies.push(nothing)
  callrail.trackers.push(nothing)
  const made = await plan([north])
  expect(made.kinds[0]).toMatchObject({ found: callrail.companies.length - 1 })
  expect(made.kinds[0]!.lacks).toContain(
    'Left out: 2 items without an ID in CallRail’s lists of companies and tracking numbers',
  )
  callrail.companies.pop()
  callrail.trackers.pop()
})

let move: Move
let items: MoveItem[]
const itemOf = (id: string) => items.find(({ from }) => from.id === id)!

test('60 companies of an account and those of another make one plan: each says what it is the same as, and why [MOVE-04]', async () => {
  move = await plan([north, southId])
  expect([move.state, move.says]).toEqual(['ready', null])
  items = await listItems(move.id)
  expect(items).toHaveLength(61)
  const reasons = ['COMID', 'COMDOMAIN', 'COMPHONE', 'COMNAME'].map((id) => {
    const { becomes, to, by, reason } = itemOf(id)
    return [becomes, to?.kind, to?.id, by, reason]
  })
  expect(reasons).toEqual([
    ['same', 'campaign', byId.id, 'id', 'Same CallRail Company ID'],
    ['same', 'campaign', byDomain.id, 'domain', 'Same domain domain.example'],
    ['same', 'campaign', byPhone.id, 'phone', 'Same phone 512-555-1001'],
    ['same', 'campaign', byName.id, 'name', 'Same name'],
  ])
  expect(move.questions).toBe(5)
  expect(itemOf('COMASK0')).toMatchObject({ becomes: 'ask', reason: 'Two campaigns have this name', options: [{}, {}] })
  expect(itemOf('COMF0')).toMatchObject({
    becomes: 'new',
    reason: 'Nothing here is the same: it becomes a client and a campaign with the client site http://fresh-0.example',
  })
  expect(itemOf('COMF9').reason).toBe(
    'Becomes a campaign of the client Fresh 9 with the client site https://www.fresh-9.example',
  )
  expect(itemOf('COMOFF')).toMatchObject({
    choice: 'skip',
    reason: 'Switched off in CallRail: it is left out unless you choose otherwise',
  })
  expect(itemOf('COMEAST')).toMatchObject({
    becomes: 'same',
    to: { kind: 'campaign', id: itemOf('COMF7').key, label: 'Fresh 7' },
    reason: 'Same domain fresh-7.example',
  })
  const [kind] = move.kinds
  expect(kind).toMatchObject({ kind: 'callrail_company', found: 61, new: 50, same: 5, ask: 5 })
  expect(kind!.lacks.join()).toContain('a new client has no login and gets no email until you enter an email')
})

test('accepting enters ids, makes what is new and names what it cannot write; no one is mailed about leads that came before [MOVE-04]', async () => {
  // A lead of a company without a campaign came in since the account was connected.
  const live = call('COMPHONE', 0, { start_time: new Date(Date.now() + 1000).toISOString() })
  callrail.calls.push(live)
  await db.update(callRailAccountsTable).set({ next_look_at: new Date(0) })
  await pollAccounts(app.context, new Date(Date.now() + 5000))
  await processInbox(app.context)
  await db.update(callRailAccountsTable).set({ next_look_at: soon })
  const [waiting] = await until(async () => {
    const found = await leadsOf(live.id)
    return found.length > 0 ? found : null
  })
  expect(waiting).toMatchObject({ campaign_id: 0, clientsite_id: null })
  const asked = items.filter(({ becomes }) => becomes === 'ask')
  const choices = Object.fromEntries(asked.map(({ key, options }, at) => [key, at === 0 ? options[0]!.id : 'skip']))
  const params = { id: move.id }
  expect((await boss.call(movesContract.accept, { params })).body.message).toBe('5 things are still to be chosen')
  for (const wrong of [{ [itemOf('COMEAST').key]: itemOf('COMF8').key }, { [asked[0]!.key]: 'maybe' }])
    expect((await boss.call(movesContract.choose, { params, body: { choices: wrong } })).status).toBe(422)
  await boss.call(movesContract.choose, { params, body: { choices } })
  expect((await boss.call(movesContract.accept, { params })).status).toBe(200)
  move = await settle(move.id)
  expect(move.state).toBe('done')
  expect(move.kept.map(({ label, reason }) => `${label}: ${reason}`)).toEqual([
    'Oak Gutter, LLC: The calls of this company stay unassigned: add a client site with the CallRail Company ID COMNAME to its campaign',
    'Twin 0: The calls of this company stay unassigned: add a client site with the CallRail Company ID COMASK0 to its campaign',
  ])
  const sites = await db.select().from(clientSitesTable)
  const siteOf = (id: string) => sites.find((site) => site.callrail_campaign_identifier === id)
  expect(siteOf('COMDOMAIN')).toMatchObject({ id: domainSite.id, campaign_id: byDomain.id })
  expect(siteOf('COMPHONE')).toMatchObject({ url: 'https://phone.example', campaign_id: byPhone.id })
  expect(siteOf('COMF0')).toMatchObject({ url: 'http://fresh-0.example' })
  expect(siteOf('COMEAST')!.campaign_id).toBe(siteOf('COMF7')!.campaign_id)
  const campaigns = (await (await boss.fetch('/api/campaigns?per_page=200')).json()).data
  expect(campaigns.find(({ name }: { name: string }) => name === 'Fresh 9').client.id).toBe(client.id)
  const clients = (await (await boss.fetch('/api/client?search=Fresh 8')).json()).data
  expect(clients).toMatchObject([{ name: 'Fresh 8', user: null, timezone: 'America/Chicago' }])
  expect(await leadsOf(live.id)).toMatchObject([{ campaign_id: byPhone.id, clientsite_id: siteOf('COMPHONE')!.id }])
  expect(sink.letters).toEqual([])
})

test('what the accounts had before is read in the background once the move is done, and holds up nothing [MOVE-06]', async () => {
  expect(move.history).not.toBeNull()
  const history = await until(async () => {
    const { history: now } = await read(move.id)
    return now?.state === 'done' ? now : null
  })
  expect(history).toMatchObject({ says: null, read: callrail.calls.length + 1, of: callrail.calls.length + 1 })
  for (const one of [callrail.calls[3]!, callrail.calls.at(-3)!, south.calls[0]!])
    expect(await leadsOf(one.id)).toMatchObject([{ campaign_id: expect.any(Number) }])
  expect(sink.letters).toEqual([])
})

test('a second plan knows every company, and accepting it changes nothing [MOVE-04]', async () => {
  const again = await plan([north])
  const known = (await listItems(again.id)).filter(({ by }) => by === 'moved')
  expect(known).toHaveLength(53)
  const open = (await listItems(again.id)).filter(({ becomes }) => becomes === 'ask')
  const choices = Object.fromEntries(open.map(({ key }) => [key, 'skip']))
  await boss.call(movesContract.choose, { params: { id: again.id }, body: { choices } })
  await boss.call(movesContract.accept, { params: { id: again.id } })
  const done = await settle(again.id)
  expect([done.state, done.history]).toEqual(['done', null])
  expect(await db.$count(leadsTable, eq(leadsTable.lead_id, callrail.calls[3]!.id))).toBe(1)
})

test('the undo of a second move takes back its own part of the history, and leaves that of the first [MOVE-04] [MOVE-06]', async () => {
  const [companies, calls] = [callrail.companies, callrail.calls]
  const late = call('COMLATE', 9, onPage('late.example'))
  // Of those of the first move, a few.
  callrail.companies = [...companies.slice(0, 5), company('COMLATE', 'Late')]
  callrail.calls = [...calls.slice(0, 5), late]
  await db.delete(callRailRequestsTable) // the plans of this hour have used up many
  const second = await plan([north])
  const asked = (await listItems(second.id)).filter(({ becomes }) => becomes === 'ask')
  const choices = Object.fromEntries(asked.map(({ key }) => [key, 'skip']))
  await boss.call(movesContract.choose, { params: { id: second.id }, body: { choices } })
  await boss.call(movesContract.accept, { params: { id: second.id } })
  await until(async () => ((await read(second.id)).history?.state === 'done' ? true : null))
  expect(await leadsOf(late.id)).toHaveLength(1)
  const first = await db.$count(leadsTable)
  await boss.call(movesContract.undo, { params: { id: second.id } })
  const undone = await settle(second.id)
  expect([undone.state, undone.kept.filter(({ id }) => id !== null)]).toEqual(['undone', []])
  expect(await leadsOf(late.id)).toEqual([])
  expect(await db.$count(leadsTable)).toBe(first - 1)
  callrail.companies = companies
  callrail.calls = calls
})

test('undo stops the history, takes its leads and what was made back, and puts the fields back; what a person has changed stays [MOVE-04] [MOVE-06]', async () => {
  const [changed] = await leadsOf(callrail.calls[3]!.id)
  const edit = {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ lead_name: 'Mine' }),
  }
  expect((await boss.fetch(`/api/lead/${changed!.id}`, edit)).status).toBe(200)
  const { status } = await boss.call(movesContract.undo, { params: { id: move.id } })
  expect(status).toBe(200)
  const undone = await settle(move.id)
  expect([undone.state, undone.history]).toEqual(['undone', null])
  const kept = undone.kept.map(({ label, reason }) => `${label}: ${reason}`)
  expect(kept).toContain('Mine: Mine: somebody has changed it since')
  expect(kept).toContain('Fresh 4: Fresh 4: a lead of it stays')
  const campaigns = (await (await boss.fetch('/api/campaigns?per_page=200')).json()).data
  expect(
    campaigns.map(({ name }: { name: string }) => name).filter((name: string) => name.startsWith('Fresh')),
  ).toEqual(['Fresh 4'])
  const sites = await db.select().from(clientSitesTable).where(sql`deleted_at is null`)
  expect(
    sites
      .map((site) => site.callrail_campaign_identifier)
      .filter(Boolean)
      .sort(),
  ).toEqual(['COMF4', 'COMID'])
  expect(await leadsOf(south.calls[0]!.id)).toEqual([])
  const live = callrail.calls.at(-1)!
  expect(await leadsOf(live.id)).toMatchObject([{ campaign_id: 0, clientsite_id: null }])
})

test('a history that two moves need goes on for the second when the first, which began it, is undone in the middle [MOVE-04] [MOVE-06]', async () => {
  const [companies, calls] = [callrail.companies, callrail.calls]
  callrail.companies = companies.slice(0, 3)
  callrail.calls = calls.slice(0, 3)
  const accept = async () => {
    await db.delete(callRailRequestsTable) // the plans of this hour have used up many
    const { id } = await plan([north])
    const asked = await listItems(id, { becomes: 'ask' })
    const choices = Object.fromEntries(asked.map(({ key }) => [key, 'skip']))
    await boss.call(movesContract.choose, { params: { id }, body: { choices } })
    return async () => {
      await boss.call(movesContract.accept, { params: { id } })
      return settle(id)
    }
  }
  const waitForHistory = (id: number, state: string) =>
    until(async () => ((await read(id)).history?.state === state ? true : null))
  const add = (name: string) => {
    callrail.companies.push(company(`COM${name}`, name))
    callrail.calls.push(call(`COM${name}`, 9, onPage(`${name.toLowerCase()}.example`)))
    return callrail.calls.at(-1)!.id
  }
  const ofFirst = add('ELDER')
  const first = await (await accept())()
  await waitForHistory(first.id, 'done')
  expect(await leadsOf(ofFirst)).toHaveLength(1)
  const ofSecond = add('YOUNGER')
  const acceptSecond = await accept()
  // The requests of the hour are used up: the history of both waits.
  await db.execute(sql`insert into callrail_requests (account_id, purpose, at)
    select 'ACC1', 'history', now() from generate_series(1, 800)`)
  const second = await acceptSecond()
  await waitForHistory(second.id, 'waiting')
  await db.delete(callRailRequestsTable)
  expect((await boss.call(movesContract.undo, { params: { id: first.id } })).status).toBe(200)
  expect((await settle(first.id)).state).toBe('undone')
  await waitForHistory(second.id, 'done')
  expect(await leadsOf(ofSecond)).toHaveLength(1)
  expect(await leadsOf(ofFirst)).toEqual([])
  await boss.call(movesContract.undo, { params: { id: second.id } })
  expect((await settle(second.id)).history).toBeNull()
  expect(await leadsOf(ofSecond)).toEqual([])
  callrail.companies = companies
  callrail.calls = calls
})

test('companies that are renamed or deleted in CallRail after the plan become what it said, and nothing is half-written [MOVE-04]', async () => {
  await db.delete(callRailRequestsTable) // the plans of this hour have used up many
  const [companies, calls] = [callrail.companies, callrail.calls]
  callrail.companies = [company('COMREN', 'Planned name'), company('COMDEL', 'Soon gone')]
  callrail.calls = ['COMREN', 'COMDEL'].map((id) => call(id, 3, onPage(`${id.toLowerCase()}.example`)))
  const [renamed, deleted] = callrail.calls
  const { id } = await plan([north])
  callrail.companies = [company('COMREN', 'Another name')]
  callrail.calls = [renamed!]
  const params = { id }
  expect((await boss.call(movesContract.accept, { params })).status).toBe(200)
  const done = await settle(id)
  expect([done.state, done.kept]).toEqual(['done', []])
  await until(async () => ((await read(id)).history?.state === 'done' ? true : null))
  const sites = (await db.select().from(clientSitesTable)).map((one) => one.callrail_campaign_identifier)
  expect(sites).toEqual(expect.arrayContaining(['COMREN', 'COMDEL']))
  expect((await (await boss.fetch('/api/campaigns?q=Planned name')).json()).data).toHaveLength(1)
  expect(await leadsOf(renamed!.id)).toHaveLength(1)
  expect(await leadsOf(deleted!.id)).toEqual([])
  // A new plan knows it by its id, whatever it is called now.
  await db.delete(callRailRequestsTable)
  const again = await plan([north])
  expect((await listItems(again.id)).map(({ from, by }) => [from.label, by])).toEqual([['Another name', 'moved']])
  await boss.call(movesContract.undo, { params })
  expect((await settle(id)).kept).toEqual([])
  callrail.companies = companies
  callrail.calls = calls
})

test('a company of CallRail and a campaign of the old system in one plan become one thing [MOVE-04]', async () => {
  const page = (rows: unknown[]) => ({ data: rows, meta: { total: rows.length } })
  const old: Record<string, unknown> = {
    'user/me': { id: 1, username: 'boss' },
    client: page([{ id: 7, name: 'Elm Homes', user: { id: 70, username: 'elm', email: 'owner@elm.example' } }]),
    campaigncategory: [{ id: 3, name: 'Roofing' }],
    campaigns: page([
      { id: 1, name: 'Elm roofs', due_date: 1, initial_target: 5, categories: [{ id: 3 }], client: { id: 7 } },
      { id: 2, name: 'Elm gutters', due_date: 1, initial_target: 5, categories: [{ id: 3 }], client: { id: 7 } },
    ]),
    clientsite: page([
      { id: 11, url: 'https://elm.example', campaign_id: 1 },
      { id: 12, url: 'https://elm-gutters.example', campaign_id: 2 },
    ]),
  }
  const server = createServer((request, response) => {
    const path = new URL(request.url!, 'http://old').pathname.replace(/^\/api\//, '')
    response.setHeader('content-type', 'application/json').end(JSON.stringify(old[path] ?? page([])))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const body = { kind: 'legacy', address, token: 'a-token', name: 'Old tool' } as const
    const legacy = (await boss.call(connectionsContract.create, { body })).body.id as number
    await db.delete(callRailRequestsTable) // the plans of this hour have used up many
    callrail.companies = [company('COMELM', 'Elm'), company('COMELM2', 'Elm Homes')]
    callrail.trackers = []
    callrail.calls = [call('COMELM', 3, onPage('elm.example'))]
    const one = await plan([legacy, north])
    const found = await listItems(one.id)
    const [campaign] = found.filter(({ kind }) => kind === 'campaign')
    const elm = found.find(({ from }) => from.id === 'COMELM')!
    expect(elm).toMatchObject({
      ...{ becomes: 'same', to: { kind: 'campaign', id: campaign!.key, label: 'Elm roofs' } },
      ...{ by: 'domain', reason: 'Same domain elm.example' },
    })
    expect(found.find(({ from }) => from.id === 'COMELM2')).toMatchObject({
      becomes: 'new',
      reason:
        'Becomes a campaign of the client Elm Homes. CallRail knows no website of it, so its calls stay unassigned until you add a client site',
    })
    await boss.call(movesContract.accept, { params: { id: one.id } })
    const done = await settle(one.id)
    expect(done.kept.map(({ label, reason }) => `${label}: ${reason}`)).toEqual([
      'Elm Homes: No client site, so the calls of this company stay unassigned: add a client site with the CallRail Company ID COMELM2 to its campaign',
    ])
    const [site] = await db.select().from(clientSitesTable).where(eq(clientSitesTable.url, 'https://elm.example'))
    expect(site!.callrail_campaign_identifier).toBe('COMELM')
    type Owned = { name: string; client: { name: string } }
    const listElms = async () =>
      ((await (await boss.fetch('/api/campaigns?per_page=200')).json()).data as Owned[])
        .filter(({ name }) => name.startsWith('Elm'))
        .map(({ name, client }) => [name, client.name])
    expect((await listElms()).sort()).toEqual([
      ['Elm Homes', 'Elm Homes'],
      ['Elm gutters', 'Elm Homes'],
      ['Elm roofs', 'Elm Homes'],
    ])
    // A removal waits until the history is read.
    await until(async () => ((await read(one.id)).history?.state === 'done' ? true : null))
    await boss.call(movesContract.undo, { params: { id: one.id } })
    expect((await settle(one.id)).kept.filter(({ id }) => id !== null)).toEqual([])
    expect(await listElms()).toEqual([])
  } finally {
    server.close()
  }
})

test('a campaign has a company for each of its sites: those that are known by their ids are not asked about [MOVE-04]', async () => {
  const { id: campaign_id } = await make.campaign({ name: 'Two sites' })
  south.companies = ['COMSITE1', 'COMSITE2'].map((id) => company(id, id))
  for (const { id } of south.companies)
    await make.clientSite({ campaign_id, url: `https://${id}.example`, callrail_campaign_identifier: id as string })
  const { id } = await plan([southId])
  expect((await listItems(id)).map(({ becomes, to, reason }) => [becomes, to?.id, reason])).toEqual([
    ['same', campaign_id, 'Same CallRail Company ID'],
    ['same', campaign_id, 'Same CallRail Company ID'],
  ])
})
