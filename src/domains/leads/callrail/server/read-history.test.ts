import { eq, isNotNull, type SQL, sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { addDays, type CalendarDay, getToday } from '#contract/days.ts'
import { toInstant } from '#core/time/local-time.ts'
import { statementsContract } from '#domains/billing/statements/contract.ts'
import type { ListedStatement } from '#domains/billing/statements/list/contract.ts'
import { computeBillingCycle } from '#domains/campaigns/public.ts'
import { termsContract } from '#domains/campaigns/terms/contract.ts'
import { connectionsContract } from '#domains/connections/contract.ts'
import { leadsContract } from '#domains/leads/contract.ts'
import { inboundEventsTable } from '#domains/leads/intake/schema.ts'
import { processInbox } from '#domains/leads/intake/server/worker.ts'
import { mailsTable } from '#domains/leads/mail/schema.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { signalsTable } from '#domains/signals/schema.ts'
import { readSilence } from '#domains/signals/server/read-silence.ts'
import { runSignals } from '#domains/signals/server/runner.ts'
import { webhookMessagesTable } from '#domains/webhooks/schema.ts'
import { startCallRailStandIn } from '#integrations/fakes/callrail.ts'
import { setUp, startApp } from '#test/app.ts'
import { callRailKey, postCall, sendCallRail } from '#test/provider-hooks.ts'
import { startServer, stopServer } from '#test/server-process.ts'
import { until } from '#test/until.ts'
import {
  callRailAccountsTable,
  callRailHistoriesTable,
  callRailHistoryLeadsTable,
  callRailRequestsTable,
} from '../schema.ts'
import { pollAccounts } from './poll-accounts.ts'
import { findOldest, forgetHistory, readHistories, readHistory, startHistory, stopHistory } from './read-history.ts'
import { removeHistoryLeads } from './store-history.ts'

const callrail = await setUp(startCallRailStandIn())
const app = await setUp(startApp({ settings: { ...callrail.settings, CALLRAIL_SIGNING_KEY: callRailKey } }))
const { db } = app.context
const root = await app.as(await app.make.superAdmin())
const client = await app.make.client({ emails: ['owner@example.com'] })
const campaign = await app.make.campaign({ client_id: client.id })
const site = await app.make.clientSite({ campaign_id: campaign.id, callrail_campaign_identifier: 'COM1' })
await app.make.clientSite({ campaign_id: null, callrail_campaign_identifier: 'COM-waiting' })
await db.execute(sql`
  insert into webhooks (user_id, url, events) select id, 'http://127.0.0.1:9', '{lead.created}' from users limit 1`)
const [connection] = (await root.call(connectionsContract.list)).body as [{ id: number }]
const { id } = connection

const day = 86_400_000
const now = new Date()
const daysAgo = (days: number) => new Date(now.getTime() - days * day).toISOString()
let count = 0
function callOf(days: number, values: object = {}) {
  count += 1
  const { resource_id, company_resource_id: _id, company_id: _number, ...call } = postCall()
  const phone = `+1512558${String(1000 + (count % 9000)).slice(-4)}`
  const own = { id: String(resource_id), company_id: 'COM1', duration: 45, customer_phone_number: phone }
  return { ...call, ...own, start_time: daysAgo(days), ...values }
}
const formOf = (days: number, values: object = {}) => ({
  id: `FRM${process.pid}x${++count}`,
  company_id: 'COM1',
  form_data: { name: 'Jane', email: `jane${count}@form.example` },
  form_url: 'https://a.example/contact',
  submitted_at: daysAgo(days),
  ...values,
})
/** Most tests read the last weeks: 25 months are the same a hundred times over. */
const start = (days = 42) =>
  db.transaction(async (tx) => {
    await startHistory(tx, app.context, id)
    await tx.update(callRailHistoriesTable).set({ oldest: new Date(now.getTime() - days * day) })
  })
const progress = () => readHistory(db, id)
const read = async () => {
  await readHistories(app.context)
  return progress()
}
const leadIds = async () => (await db.select({ id: leadsTable.lead_id }).from(leadsTable)).map((lead) => lead.id)

beforeEach(async () => {
  Object.assign(callrail, { companies: [], calls: [], forms: [], conversations: [], behaviour: {} })
  callrail.requests.length = 0
  const tables = [callRailHistoriesTable, callRailRequestsTable, callRailAccountsTable]
  for (const table of tables) await db.delete(table)
  for (;;) if ((await db.transaction((tx) => removeHistoryLeads(tx, id))).isDone) break
})

test('up to 25 months are read, the newest first, and no one is mailed, notified or warned [MOVE-06]', async () => {
  callrail.calls = [
    callOf(1),
    callOf(40),
    callOf(400, { duration: null }),
    callOf(780),
    callOf(3, { direction: 'outbound' }),
  ]
  callrail.forms = [formOf(2), formOf(300)]
  const ours = [...callrail.calls.slice(0, 3), ...callrail.forms].map((row) => row.id)
  expect(await progress()).toBeNull()
  await db.transaction((tx) => startHistory(tx, app.context, id))
  expect(await progress()).toMatchObject({ state: 'reading', read: 0, of: null })
  const done = await read()
  expect(done).toMatchObject({ state: 'done', says: null, read: 6, of: 6, made: 5 })
  const oldest = new Date(now)
  oldest.setUTCMonth(oldest.getUTCMonth() - 25)
  expect(Math.abs(done!.until.getTime() - oldest.getTime())).toBeLessThan(2 * day)
  expect((await leadIds()).filter((one) => [...ours, callrail.calls[3]!.id].includes(one)).sort()).toEqual(ours.sort())
  const starts = callrail.requests.flatMap((request) => {
    const query = new URL(request.split(' ')[1]!, 'http://x').searchParams
    return request.includes('calls.json') ? [Date.parse(query.get('start_date')!)] : []
  })
  expect(starts.slice(1)).toEqual(starts.slice(1).toSorted((a, b) => b - a))
  expect(Math.min(...starts)).toBeGreaterThan(oldest.getTime())
  expect(await db.$count(mailsTable)).toBe(0)
  expect(await db.$count(webhookMessagesTable)).toBe(0)
  expect(await db.$count(inboundEventsTable)).toBe(0)
  await runSignals(app.context)
  expect(await db.select().from(signalsTable).where(eq(signalsTable.kind, 'leads_unassigned'))).toEqual([])
})

test('past leads are those that a hook would have made: tags, source, first call and sums [MOVE-06]', async () => {
  const phone = { customer_phone_number: '+15125550301' }
  await app.make.lead({
    campaign_id: campaign.id,
    lead_type: 'Call',
    lead_phone: '+15125550301',
    phone_key: '+15125550301',
    first_call: true,
    occurred_at: now,
  })
  callrail.calls = [callOf(20, { ...phone, voicemail: true, call_type: 'voicemail' }), callOf(30, { spam: true })]
  await start()
  await read()
  const [voicemail] = await db.select().from(leadsTable).where(eq(leadsTable.lead_id, callrail.calls[0]!.id))
  expect(voicemail).toMatchObject({
    tags: expect.arrayContaining(['Voicemail']),
    first_call: true,
    source: 'Google Organic',
  })
  const [spam] = await db.select().from(leadsTable).where(eq(leadsTable.lead_id, callrail.calls[1]!.id))
  expect(spam).toMatchObject({ hide: true, tags: expect.arrayContaining(['Spam']) })
})

test('silence and chart know it within the hour [MOVE-06]', async () => {
  const counted = async () => {
    const { body } = await root.call(leadsContract.list, { query: { lead_type: 'Call' } })
    return body.meta.total as number
  }
  const before = await counted()
  callrail.calls = Array.from({ length: 90 }, (_, index) => callOf(index + 1))
  await start(100)
  await read()
  expect((await counted()) - before).toBe(90)
  const { gaps } = await readSilence(app.context, new Date(now.getTime() + 3_600_000))
  expect(gaps).toContainEqual(expect.objectContaining({ id: `${site.id}/callrail` }))
})

const zone = app.context.settings.AGENCY_TIMEZONE

/** A campaign whose calls of this company cost $10 each, and the first days of the running cycle and of its first one. */
async function makeBilledCampaign(callrail_campaign_identifier: string) {
  const { from } = computeBillingCycle(1, getToday(zone, now))
  const start_date = computeBillingCycle(1, addDays(from, -40)).from
  const billed = await app.make.campaign({ client_id: client.id, start_date, due_date: 1 })
  await app.make.clientSite({ campaign_id: billed.id, callrail_campaign_identifier })
  const terms = [{ from: start_date, kind: 'per_lead', prices: { Form: 0, Call: 10 }, dispute_days: 90 }]
  expect((await root.call(termsContract.save, { params: { id: billed.id }, body: { terms } })).status).toBe(200)
  return { billed, from, start_date }
}

test('history is billed in no cycle that was over when it was read, nor before the first one [MOVE-06]', async () => {
  const { billed, from, start_date } = await makeBilledCampaign('COM-billed')
  const at = (day: CalendarDay) => toInstant(day, '09:00', zone).toISOString()
  const days = [addDays(start_date, -100), addDays(from, -20), addDays(from, -19), from]
  callrail.calls = days.map((day) => callOf(1, { company_id: 'COM-billed', start_time: at(day) }))
  await start(220)
  await read()
  await db.execute(sql`update leads set confirmed = true where campaign_id = ${billed.id}`)
  await app.make.lead({
    campaign_id: billed.id,
    lead_type: 'Call',
    confirmed: true,
    occurred_at: new Date(at(addDays(from, -20))),
  })
  const { body } = await root.call(statementsContract.list, { query: { campaign_ids: [billed.id], order: 'asc' } })
  const totals = (body.data as ListedStatement[]).map((statement) => [statement.from, statement.total])
  expect(totals.filter(([, total]) => total !== 0)).toEqual(
    [
      [computeBillingCycle(1, addDays(from, -20)).from, 10],
      [from, callrail.calls[3]!.start_time < now.toISOString() ? 10 : 0],
    ].filter(([, total]) => total !== 0),
  )
})

test('what a history brought is billed as before once it is read again, or taken back and kept [MOVE-06]', async () => {
  const { billed, from } = await makeBilledCampaign('COM-again')
  const add = async (before: number) => {
    const start_time = toInstant(addDays(from, -before), '09:00', zone).toISOString()
    callrail.calls.push(callOf(1, { company_id: 'COM-again', start_time }))
    await start(60)
    expect(await read()).toMatchObject({ state: 'done' })
    await db.execute(sql`update leads set confirmed = true, version = 2 where campaign_id = ${billed.id}`)
  }
  const total = async () => {
    const { body } = await root.call(statementsContract.list, { query: { campaign_ids: [billed.id] } })
    return (body.data as ListedStatement[]).reduce((sum, statement) => sum + statement.total, 0)
  }
  await add(20)
  expect(await total()).toBe(0)
  // As if the first reading had been within the cycle of its lead.
  const within = toInstant(addDays(from, -19), '09:00', zone)
  await db.update(callRailHistoriesTable).set({ started_at: within })
  await db.update(callRailHistoryLeadsTable).set({ read_at: within })
  expect(await total()).toBe(10)
  await add(21)
  expect(await total()).toBe(10)
  expect(await db.transaction((tx) => removeHistoryLeads(tx, id))).toMatchObject({ removed: 0, isDone: true })
  await db.transaction((tx) => forgetHistory(tx, id))
  expect(await total()).toBe(10)
})

test('companies without a client site or a campaign are left out, so that nothing is unassigned [MOVE-06]', async () => {
  callrail.calls = [callOf(3, { company_id: 'COM-of-nobody' }), callOf(3, { company_id: 'COM-waiting' })]
  await start()
  expect(await read()).toMatchObject({ state: 'done', read: 2, made: 0 })
})

test('a past form in which nothing was filled in makes no lead [MOVE-06]', async () => {
  callrail.forms = [formOf(3, { form_data: { name: '', email: '' } }), formOf(4)]
  await start()
  expect(await read()).toMatchObject({ state: 'done', read: 2, made: 1 })
  expect(await leadIds()).toContain(callrail.forms[1]!.id)
})

test('what is known by hook, by poll, under an older number or from a file is not made again, however often it is read [MOVE-06]', async () => {
  const [hooked, old] = [postCall({ start_time: daysAgo(2), company_resource_id: 'COM1' }), callOf(5)]
  await sendCallRail(app, hooked)
  await processInbox(app.context)
  await app.make.lead({
    campaign_id: campaign.id,
    lead_type: 'Call',
    lead_s: 'Callrail',
    lead_id: '4711',
    phone_key: old.customer_phone_number,
    lead_phone: old.customer_phone_number,
    occurred_at: new Date(old.start_time),
  })
  const listed = { ...callOf(2), id: hooked.resource_id, start_time: hooked.start_time }
  callrail.calls = [listed, old, callOf(6)]
  await start()
  expect(await read()).toMatchObject({ read: 3, made: 1 })
  await start() // again, such as after a company got its site
  expect(await read()).toMatchObject({ state: 'done', read: 3, made: 1 })
  await Promise.all([pollAccounts(app.context), readHistories(app.context)])
  expect(
    (await leadIds()).filter((one) => [hooked.resource_id, old.id, callrail.calls[2]!.id].includes(one)),
  ).toHaveLength(2)
})

test('a reader that is killed loses and doubles nothing, and two readers at once neither [MOVE-06]', async () => {
  callrail.calls = Array.from({ length: 700 }, (_, index) => callOf(1 + index / 20))
  const mine = new Set(callrail.calls.map((call) => call.id))
  await start(200)
  for (let kill = 0; kill < 4; kill++) {
    callrail.behaviour.next = [...Array.from({ length: 3 + kill * 2 }, () => 'answer' as const), 'silence']
    const reading = readHistories(app.context)
    await until(() => callrail.behaviour.next?.length === 0)
    callrail.disconnect() // its request breaks off; a claim that is left behind runs out
    await reading
    await db
      .update(callRailHistoriesTable)
      .set({ state: 'reading', claimed_until: new Date(0) })
      .where(isNotNull(callRailHistoriesTable.connection_id))
  }
  await Promise.all([readHistories(app.context), readHistories(app.context)])
  expect(await read()).toMatchObject({ state: 'done', read: 700, of: 700, made: 700 })
  const made = (await leadIds()).filter((one) => mine.has(one))
  expect(made).toHaveLength(700)
})

test('a worker that is killed in the middle of a history leaves nothing out and nothing twice [MOVE-06]', {
  timeout: 120_000,
}, async () => {
  callrail.calls = Array.from({ length: 700 }, (_, index) => callOf(1 + index / 50))
  const mine = new Set(callrail.calls.map((call) => call.id))
  const { DATABASE_URL, SECRET_KEY } = app.context.settings
  await start()
  for (const pages of [3, 3, 4, null]) {
    let left = pages
    const worker = await startServer({ ...callrail.settings, LEADLINE_ROLE: 'worker', DATABASE_URL, SECRET_KEY })
    // The page is on its way, or about to be stored.
    callrail.behaviour.afterList = (path) => {
      if (left !== null && path === 'calls.json' && --left === 0) worker.child.kill('SIGKILL')
    }
    if (pages === null) await until(async () => (await progress())?.state === 'done')
    else await until(() => worker.child.signalCode === 'SIGKILL')
    await stopServer(worker, 'SIGKILL')
    // What the dead worker had claimed runs out.
    await db.update(callRailHistoriesTable).set({ claimed_until: new Date(0) })
    await db.execute(sql`update pgboss.job set state = 'created' where name = 'callrail-history' and state = 'active'`)
  }
  expect(await progress()).toMatchObject({ state: 'done', read: 700, of: 700, made: 700 })
  expect((await leadIds()).filter((one) => mine.has(one))).toHaveLength(700)
})

test('it waits with its reason where CallRail asks to, or a key is refused, and goes on by itself [MOVE-06]', async () => {
  callrail.calls = [callOf(3)]
  await pollAccounts(app.context)
  await start()
  callrail.behaviour.next = ['answer', 'answer', { status: 401, body: { error: 'HTTP Token: Access denied.' } }]
  expect(await read()).toMatchObject({ state: 'waiting', says: 'CallRail says: HTTP Token: Access denied.', of: 1 })
  callrail.behaviour.next = [{ status: 429, headers: { 'retry-after': '120' } }]
  expect(await read()).toMatchObject({ state: 'waiting', says: 'CallRail asked for fewer requests (429)' })
  callrail.requests.length = 0
  await read()
  expect(callrail.requests, 'the whole account waits').toEqual([])
  expect(await pollAccounts(app.context)).toEqual([])
  await readHistories(app.context, () => new Date(Date.now() + 121_000))
  expect(await progress()).toMatchObject({ state: 'done', read: 1, made: 1 })
})

test('one that had to wait before anything was read counts what CallRail still keeps [MOVE-06]', async () => {
  callrail.calls = [callOf(3)]
  await start()
  const began = new Date(findOldest(now).getTime() - 2 * 3_600_000)
  await db.update(callRailHistoriesTable).set({ oldest: began })
  expect(await read()).toMatchObject({ state: 'done', says: null, read: 1, of: 1, made: 1 })
})

test('a company that gets its site while a history is read is read too, from the newest on [MOVE-06]', async () => {
  callrail.calls = [callOf(3, { company_id: 'COM-later' }), callOf(10)]
  await start()
  // The counts and the first week.
  callrail.behaviour.next = ['answer', 'answer', 'answer', 'answer', 500]
  expect(await read()).toMatchObject({ state: 'waiting', made: 0 })
  await app.make.clientSite({ campaign_id: campaign.id, callrail_campaign_identifier: 'COM-later' })
  const { reading } = await db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('callrail ACC1', 0))`)
    const reading = readHistories(app.context) // has begun the second week, and waits for its next request
    await until(async () => {
      const { rows } = await app.context.pool.query(`
        select from pg_locks where locktype = 'advisory' and not granted
          and database = (select oid from pg_database where datname = current_database())`)
      return rows.length > 0
    })
    await start()
    return { reading }
  })
  await reading
  expect(await read()).toMatchObject({ state: 'done', made: 2 })
})

test('it leaves requests for looking and for recordings: 800 in an hour [MOVE-06]', async () => {
  await db.execute(
    sql`insert into callrail_requests (account_id, purpose, at) select 'ACC1', 'history', now() from generate_series(1, 800)`,
  )
  await start()
  expect(await read()).toMatchObject({
    state: 'waiting',
    says: 'The requests of this hour are used up; the reading goes on by itself',
  })
  expect(callrail.requests).toEqual([])
})

test('a week in which rows go while it is read is read again [MOVE-06]', async () => {
  const calls = Array.from({ length: 260 }, (_, index) => callOf(2 + index / 100))
  callrail.calls = calls
  let pages = 0
  callrail.behaviour.afterList = (path) => {
    // The first page is read once to count, then for its rows: then one of its rows goes, and another moves to that page.
    if (path === 'calls.json' && ++pages === 2) callrail.calls = calls.slice(1)
  }
  await start()
  await read()
  const made = new Set(await leadIds())
  for (const { id: call } of calls.slice(1)) expect(made.has(call), call).toBe(true)
})

test('a history is taken back from client sites with more leads than a statement has parameters [MOVE-06]', async () => {
  const busy = await app.make.clientSite({ campaign_id: campaign.id, callrail_campaign_identifier: 'COM-busy' })
  callrail.calls = [callOf(3, { company_id: 'COM-busy' })]
  await start()
  expect(await read()).toMatchObject({ made: 1 })
  const atOnce = (change: SQL) =>
    db.transaction(async (tx) => {
      await tx.execute(sql`set local session_replication_role = replica`) // no trigger counts so many one by one
      await tx.execute(change)
    })
  await atOnce(sql`
    insert into leads (campaign_id, clientsite_id, lead_s, lead_id, lead_type, occurred_at)
    select ${campaign.id}, ${busy.id}, 'Other', 'many-' || n, 'Form', now() from generate_series(1, 65536) n`)
  const taken = await db.transaction((tx) => removeHistoryLeads(tx, id, [busy.id]))
  expect(taken).toEqual({ removed: 1, kept: [], isDone: true })
  await atOnce(sql`delete from leads where clientsite_id = ${busy.id}`)
})

test('it is stopped at once, a connection cannot be removed while it reads, and its leads can be taken back [MOVE-06]', async () => {
  callrail.calls = [callOf(3), callOf(4), callOf(5)]
  const made = await root.call(connectionsContract.create, {
    body: { kind: 'callrail', account_id: 'ACC9', api_key: 'k' },
  })
  await db.transaction((tx) => startHistory(tx, app.context, made.body.id))
  const refused = await root.call(connectionsContract.remove, { params: { id: made.body.id } })
  expect(refused).toMatchObject({
    status: 409,
    body: { message: 'The history of this account is still being read: wait until it is done, or undo the move' },
  })
  await db.transaction((tx) => stopHistory(tx, made.body.id))
  expect((await root.call(connectionsContract.remove, { params: { id: made.body.id } })).status).toBe(204)
  await start()
  await db.transaction((tx) => stopHistory(tx, id))
  callrail.requests.length = 0
  expect(await read()).toMatchObject({ state: 'stopped', made: 0 })
  expect(callrail.requests).toEqual([])
  await start()
  await read()
  await db.execute(sql`update leads set version = 2 where lead_id = ${callrail.calls[0]!.id}`)
  const [changed] = await db.select().from(leadsTable).where(eq(leadsTable.lead_id, callrail.calls[0]!.id))
  const [billed] = await db.select().from(leadsTable).where(eq(leadsTable.lead_id, callrail.calls[1]!.id))
  await app.make.bill(billed!)
  const taken = await db.transaction((tx) => removeHistoryLeads(tx, id))
  expect({ ...taken, kept: taken.kept.toSorted() }).toEqual({
    removed: 1,
    kept: [changed!.id, billed!.id].toSorted(),
    isDone: true,
  })
})
