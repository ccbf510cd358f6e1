import { copyFileSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { asc, eq } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { customSourcesContract } from '#domains/leads/custom-sources/contract.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { type App, startApp } from '#test/app.ts'
import { takeDatabaseAway } from '#test/database-outage.ts'
import { callRailKey, postCall, sendCallRail, sendForm, waitForIntake } from '#test/provider-hooks.ts'
import { until } from '#test/until.ts'
import { inboundEventsTable } from '../../intake/schema.ts'
import { noSenders, rememberSenders } from '../../intake/server/known-senders.ts'

/** Hooks that come in while PostgreSQL is down. */
let app: App
let folder: string
let site: { id: number }
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'leadline-journal-'))
  app = await startWith()
  // The worker's own first read comes before the site exists: later it would replace what the test has read.
  await until(() => app.context.hookJournal.senders !== noSenders)
  site = await app.make.clientSite({ callrail_campaign_identifier: 'COM1', key: 'key-of-the-form' })
  app.context.hookJournal.senders = await rememberSenders(app.context.db)
})
afterEach(async () => {
  await app.close()
  rmSync(folder, { recursive: true })
})

const startWith = (settings: Record<string, string> = {}, url?: string) =>
  startApp({
    work: true,
    ...(url === undefined ? {} : { url }),
    settings: { CALLRAIL_SIGNING_KEY: callRailKey, DATA_DIR: folder, HOOK_JOURNAL_MB: '1', ...settings },
  })
const outage = () => takeDatabaseAway(app.context.settings.DATABASE_URL!)
const journal = () => join(folder, 'hook-journal')
const kept = () => readdirSync(journal()).sort()
const drained = (one = app) => until(() => one.context.hookJournal.isIdle)
const events = () => app.context.db.select().from(inboundEventsTable).orderBy(asc(inboundEventsTable.id))
const leads = () => app.context.db.select().from(leadsTable).orderBy(asc(leadsTable.id))
const callOf = (event: { body: Buffer }) => JSON.parse(event.body.toString()).resource_id as string

test('hooks are kept on disk while the database is down, and replayed automatically, in order and once', async () => {
  const before = postCall()
  const during = Array.from({ length: 5 }, () => postCall())
  expect((await sendCallRail(app, before)).status).toBe(200)
  const giveBack = await outage()
  const sentAt = Date.now()
  for (const call of during) expect((await sendCallRail(app, call)).status).toBe(200)
  expect((await sendForm(app, site.id, 'key-of-the-form', { id: '7', email: 'ann@example.com' })).status).toBe(200)
  const keptUntil = Date.now()
  expect(kept()).toHaveLength(6)
  expect(statSync(journal()).mode & 0o777).toBe(0o700)
  for (const name of kept()) expect(statSync(join(journal(), name)).mode & 0o777).toBe(0o600)
  await giveBack()
  await drained()
  const after = postCall()
  expect((await sendCallRail(app, after)).status).toBe(200)
  await waitForIntake(app)
  const stored = await events()
  const calls = stored.filter(({ provider }) => provider === 'callrail')
  expect(calls.map(callOf)).toEqual([before, ...during, after].map((call) => call.resource_id))
  expect(stored.at(-2)).toMatchObject({ provider: 'formidable', clientsite_id: site.id, state: 'done' })
  for (const { received_at } of stored.slice(1, -1)) {
    expect(received_at.getTime()).toBeGreaterThanOrEqual(sentAt)
    expect(received_at.getTime()).toBeLessThanOrEqual(keptUntil)
  }
  expect(await leads()).toHaveLength(8)
  expect(kept()).toEqual([])
})

test('a hook is kept if the database is silent, and makes one lead though the database stores it later as well', async () => {
  const holder = await app.context.pool.connect()
  await holder.query('begin; lock table inbound_events in access exclusive mode')
  app.context.hookJournal.patienceMs = 50
  const call = postCall()
  expect((await sendCallRail(app, call)).status).toBe(200)
  expect(kept()).toHaveLength(1)
  await holder.query('rollback')
  holder.release()
  await drained()
  await waitForIntake(app)
  expect((await events()).map(callOf)).toEqual([call.resource_id, call.resource_id])
  expect(await leads()).toMatchObject([{ lead_id: call.resource_id, version: 1 }])
})

test('a wrong proof is still refused; one that cannot be checked yet is checked when the database is back', async () => {
  const admin = await app.as(await app.make.superAdmin())
  const unheard = await app.make.clientSite({ key: 'key of a new site' }) // created after the keys were read
  const body = { name: 'Zapier', clientsite_id: site.id, preset: null, mapping: { lead_name: { from: 'name' } } }
  const source = (await admin.call(customSourcesContract.create, { body })).body
  const send = (key: string, text = '{"name":"Ann"}') =>
    app.guest.fetch(`/api/hooks/in/${key}`, {
      method: 'POST',
      body: text,
      headers: { 'content-type': 'application/json' },
    })
  const giveBack = await outage()
  expect((await sendCallRail(app, postCall(), { key: 'wrong' })).status).toBe(401)
  expect((await sendCallRail(app, postCall(), { signature: null })).status).toBe(401)
  expect((await sendForm(app, site.id, 'wrong', {})).status).toBe(401)
  expect((await send(source.key, '{')).status).toBe(400)
  const answers = [
    await sendForm(app, unheard.id, 'key of a new site', { id: '8', email: 'ben@example.com' }),
    await sendForm(app, unheard.id, 'wrong', { id: '9', email: 'eve@example.com' }),
    await send(source.key),
    await send('made-up', '{"name":"Eve"}'),
    await sendCallRail(app, postCall({ company_resource_id: 'COM-nobody', company_id: '' }), { key: 'wrong' }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  await giveBack()
  await drained()
  await waitForIntake(app)
  expect(await events()).toMatchObject([
    { provider: 'other', clientsite_id: site.id, source_id: source.id, state: 'quarantined' }, // refused, and shown
    { provider: 'formidable', clientsite_id: unheard.id, state: 'done' },
    { provider: 'other', clientsite_id: site.id, source_id: source.id, state: 'done' },
  ])
})

test('a hook gets 503 when the journal is full, and strangers cannot fill it', async () => {
  const giveBack = await outage()
  const large = (kilobytes: number) => postCall({ note: 'x'.repeat(kilobytes * 1024) })
  const stranger = () => sendForm(app, 999_999, 'any', { text: 'x'.repeat(150 * 1024) })
  expect((await stranger()).status).toBe(200)
  expect((await stranger()).status).toBe(503)
  const accepted = large(400)
  expect((await sendCallRail(app, accepted)).status).toBe(200)
  const refused = await sendCallRail(app, large(400))
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2'])
  await giveBack()
  await drained()
  expect((await events()).map(callOf)).toEqual([accepted.resource_id])
  expect((await sendCallRail(app, large(400))).status).toBe(200)
})

test('two processes with one folder store each event once, even if a killed one stored it without removing its file', async () => {
  const { DATABASE_URL: url } = app.context.settings
  const other = await startWith({}, url)
  other.context.hookJournal.senders = await rememberSenders(other.context.db)
  const giveBack = await outage()
  const calls = Array.from({ length: 20 }, () => postCall())
  const sent = await Promise.all(calls.map((call, index) => sendCallRail(index % 2 === 0 ? app : other, call)))
  expect(new Set(sent.map(({ status }) => status))).toEqual(new Set([200]))
  const copies = mkdtempSync(join(tmpdir(), 'leadline-journal-'))
  for (const name of kept()) copyFileSync(join(journal(), name), join(copies, name))
  await giveBack()
  await Promise.all([drained(app), drained(other)])
  for (const name of readdirSync(copies)) copyFileSync(join(copies, name), join(journal(), name))
  writeFileSync(join(journal(), '00000000000000-broken.json'), '[{"provider"')
  await until(() => kept().join() === '00000000000000-broken.json.unusable')
  await waitForIntake(app)
  expect((await events()).map(callOf).sort()).toEqual(calls.map((call) => call.resource_id).sort())
  expect(await leads()).toHaveLength(20)
  rmSync(copies, { recursive: true })
  await other.close()
})

test('a file whose JSON holds no events is set aside with the reason, and does not hold up the others', async () => {
  const logged = vi.spyOn(app.context.log, 'error')
  const giveBack = await outage()
  const left = postCall()
  expect((await sendCallRail(app, left)).status).toBe(200)
  const event = { provider: 'callrail', clientsite_id: null, headers: {}, body: 'e30=', received_at: 'yesterday' }
  const broken = [{ provider: 'callrail' }, [null], [event], [{ ...event, claim: {} }]]
  const names = broken.map((_, index) => `00000000000000-broken-${index}.json`)
  for (const [index, name] of names.entries()) writeFileSync(join(journal(), name), JSON.stringify(broken[index]))
  await giveBack()
  await drained()
  await waitForIntake(app)
  expect(kept()).toEqual(names.map((name) => `${name}.unusable`))
  expect((await events()).map(callOf)).toEqual([left.resource_id])
  const reasons = logged.mock.calls.map(([fields]) => String((fields as { err?: unknown }).err))
  expect(reasons).toHaveLength(4)
  for (const reason of reasons) expect(reason).toContain('A file of the hook journal holds no events: ')
  expect(reasons[2]).toContain('[0].received_at')
})

test('events left by an earlier process are stored at the next start, before new ones', async () => {
  const { DATABASE_URL: url } = app.context.settings
  const giveBack = await outage()
  const left = postCall()
  expect((await sendCallRail(app, left)).status).toBe(200)
  await Promise.all(app.context.workers.map((worker) => worker.stop()))
  app.context.workers.length = 0
  await giveBack()
  const next = await startWith({}, url)
  const fresh = postCall()
  expect((await sendCallRail(next, fresh)).status).toBe(200)
  await drained(next)
  await waitForIntake(next)
  expect((await events()).map(callOf)).toEqual([left, fresh].map((call) => call.resource_id))
  await next.close()
})

test('without a journal a hook gets 503 while the database is down', async () => {
  const other = await startWith({ HOOK_JOURNAL_MB: '0' }, app.context.settings.DATABASE_URL!)
  const giveBack = await outage()
  expect((await sendCallRail(other, postCall())).status).toBe(503)
  await giveBack()
  await until(async () => (await sendCallRail(other, postCall())).status === 200)
  expect(await app.context.db.$count(inboundEventsTable, eq(inboundEventsTable.provider, 'callrail'))).toBe(1)
  await other.close()
})
