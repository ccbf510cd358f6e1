import { eq, sql } from 'drizzle-orm'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { closeContext, createContext, startWorkers } from '#app/server/context.ts'
import { connectDatabase } from '#core/db/db.ts'
import { mailsTable } from '#domains/leads/mail/schema.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { type App, startApp } from '#test/app.ts'
import { callRailKey, postCall, sendCallRail, waitForIntake } from '#test/provider-hooks.ts'
import { EventInbox } from './inbox.ts'
import { listEvents, replayEvents } from './replay.ts'
import { processInbox } from './worker.ts'

let app: App
beforeEach(async () => {
  app = await startApp({ settings: { CALLRAIL_SIGNING_KEY: callRailKey } })
  const client = await app.make.client({ emails: ['owner@client.example'] })
  const campaign = await app.make.campaign({ client_id: client.id })
  await app.make.clientSite({ campaign_id: campaign.id, callrail_campaign_identifier: 'COM1' })
})
afterEach(() => app.close())

const address = () => app.context.pool.options.connectionString!

test('an event that fails because of an internal error is quarantined, and those around it are not', async () => {
  // A lead that the database refuses, by a constraint that the code does not know.
  await app.context.pool.query(`alter table leads add constraint no_such_name check (lead_name <> 'Forbidden')`)
  const names = ['Before', 'Forbidden', 'After']
  const calls = names.map((customer_name) => postCall({ customer_name }))
  await Promise.all(calls.map((call) => sendCallRail(app, call)))
  await processInbox(app.context) // all three in one commit at first
  expect(
    await Promise.all(
      calls.map(
        async (call) =>
          (await app.context.db.select().from(leadsTable).where(eq(leadsTable.lead_id, call.resource_id)))[0]
            ?.lead_name,
      ),
    ),
  ).toEqual(['Before', undefined, 'After'])
  const [event] = await listEvents(app.context, { state: 'quarantined', limit: 1 })
  expect(event).toMatchObject({
    reason: `Something went wrong. The server’s log has the details of event ${event!.id}.`,
  })
  await app.context.pool.query('alter table leads drop constraint no_such_name')
  expect(await replayEvents(app.context, [event!.id])).toMatchObject([{ state: 'done' }])
})

test('a second change of a lead in one commit takes back what the first one said', async () => {
  const call = postCall({ customer_name: 'Jane' })
  await sendCallRail(app, call)
  await processInbox(app.context)
  await sendCallRail(app, { ...call, customer_name: 'Joan', spam: true, changes: ['note'] })
  await sendCallRail(app, { ...call, customer_name: 'Jane', spam: false, changes: ['note'] })
  await processInbox(app.context)
  const [lead] = await app.context.db.select().from(leadsTable)
  expect(lead).toMatchObject({ lead_name: 'Jane', hide: false, tags: ['Auto Missed Call'], version: 3 })
})

test('two processes that work on the same events, in any order, create each lead and each mail once [IN-04, IN-18]', async () => {
  const phones = ['+15125558001', '+15125558002', '+15125558003']
  const calls = Array.from({ length: 60 }, (_, nth) => postCall({ customer_phone_number: phones[nth % 3] }))
  const changes = calls.map((call) => ({ ...call, customer_name: 'Changed', changes: ['note'] }))
  const sent = [...calls, ...changes, ...calls.toReversed(), ...changes.toReversed()]
  await Promise.all(sent.map((event) => sendCallRail(app, event)))
  const other = await createContext(app.context.settings, address())
  await Promise.all([startWorkers(app.context), startWorkers(other)])
  await waitForIntake(app)
  await closeContext(other)
  const found = await app.context.db.select().from(leadsTable)
  expect(found).toHaveLength(60)
  expect(new Set(found.map(({ lead_name }) => lead_name))).toEqual(new Set(['Changed']))
  expect(found.filter(({ first_call }) => first_call)).toHaveLength(3)
  expect(await app.context.db.$count(mailsTable)).toBe(60)
  const { rows } = await app.context.db.execute(sql`select distinct state from inbound_events`)
  expect(rows).toEqual([{ state: 'done' }])
})

test('a database that cuts every connection during processing neither loses nor doubles an event', async () => {
  await startWorkers(app.context)
  const calls = Array.from({ length: 150 }, () => postCall({ customer_name: 'Cut off' }))
  await Promise.all(calls.map((call) => sendCallRail(app, call)))
  const knife = new pg.Client(address())
  await knife.connect()
  for (let cuts = 0; cuts < 12; cuts += 1)
    await knife.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
    )
  await knife.end()
  const waiting = () =>
    app.context.db.execute<{ count: number }>(
      sql`select count(*)::int as count from inbound_events where state = 'stored'`,
    )
  await expect
    .poll(
      () =>
        waiting().then(
          ({ rows }) => rows[0]?.count,
          () => 'away',
        ),
      { timeout: 60_000, interval: 50 },
    )
    .toBe(0)
  expect(await app.context.db.$count(leadsTable)).toBe(150)
  expect(await app.context.db.$count(leadsTable, eq(leadsTable.lead_name, 'Cut off'))).toBe(150)
})

test('while the database is down a hook gets 503 with a Retry-After header, and nothing else [IN-05]', async () => {
  const { inbox, log } = app.context
  const nowhere = connectDatabase('postgresql://nobody@127.0.0.1:1/nothing', log)
  app.context.inbox = new EventInbox(nowhere.pool)
  const answer = await sendCallRail(app, postCall())
  app.context.inbox = inbox
  await nowhere.pool.end()
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2'])
  expect(await answer.json()).toEqual({ message: 'The server is not ready, please try again in a moment' })
})
