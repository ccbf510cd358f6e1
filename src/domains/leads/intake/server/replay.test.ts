import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { furnish, leave, startWork } from '#app/server/context.ts'
import { leads } from '#domains/leads/model/schema.ts'
import { clientSites, signingKeyPlace } from '#domains/sites/client/schema.ts'
import { type App, startApp } from '#test/app.ts'
import { allTaken, callRailKey, postCall, sendCallRail } from '#test/hooks.ts'
import { listEvents, replayEvents } from './replay.ts'
import { workOff } from './worker.ts'

let app: App
beforeAll(async () => {
  app = await startApp({ settings: { CALLRAIL_SIGNING_KEY: callRailKey } })
})
afterAll(() => app.close())

const leadOf = async (lead_id: string) => (await app.house.db.select().from(leads).where(eq(leads.lead_id, lead_id)))[0]

test('a kept event is listed with its reason, and becomes a lead when it is replayed after the mending [IN-06]', async () => {
  const call = postCall({ company_resource_id: 'COM-late', company_id: '' })
  await sendCallRail(app, call)
  await sendCallRail(app, 'never any good \u001b[2J')
  await workOff(app.house)
  const kept = await listEvents(app.house, { state: 'quarantined' })
  expect(kept.map(({ reason }) => reason)).toEqual([
    'The body is neither JSON nor a form',
    'No client site has the CallRail company COM-late',
  ])
  expect(kept[0]!.begins).toBe('never any good  [2J')
  expect(await leadOf(call.resource_id)).toBeUndefined()

  await app.make.clientSite({ callrail_campaign_identifier: 'COM-late' })
  const outcome = await replayEvents(app.house, 'quarantined')
  expect(outcome.map(({ state }) => state)).toEqual(['done', 'quarantined'])
  expect(await leadOf(call.resource_id)).toMatchObject({ id: outcome[0]!.lead_id, lead_name: 'Jane Sample' })
  const again = await replayEvents(app.house, [outcome[0]!.id])
  expect(again).toMatchObject([{ state: 'done', lead_id: outcome[0]!.lead_id }])
  expect(await app.house.db.$count(leads, eq(leads.lead_id, call.resource_id))).toBe(1)
  expect(await replayEvents(app.house, [])).toEqual([])
})

test('an event that one company signed does not become the lead of another when it is replayed [IN-06]', async () => {
  await app.make.clientSite({ callrail_campaign_identifier: 'COM-a', signingKey: 'the-key-of-a' })
  const call = postCall({ company_resource_id: 'COM-b', company_id: '' })
  expect((await sendCallRail(app, call, { key: 'the-key-of-a' })).status).toBe(200)
  await workOff(app.house)
  const site = await app.make.clientSite({ callrail_campaign_identifier: 'COM-b', signingKey: 'the-key-of-b' })
  const [event] = await listEvents(app.house, { state: 'quarantined', limit: 1 })
  expect(await replayEvents(app.house, [event!.id])).toMatchObject([
    { state: 'quarantined', reason: 'Signed with the key of another company than COM-b' },
  ])
  const signing = app.house.secrets.seal('the-key-of-a', signingKeyPlace(site.id))
  await app.house.db.update(clientSites).set({ callrail_signing_key: signing }).where(eq(clientSites.id, site.id))
  expect(await replayEvents(app.house, [event!.id])).toMatchObject([{ state: 'done' }])
})

test('what was accepted while nobody worked is a lead as soon as somebody does', async () => {
  await app.make.clientSite({ callrail_campaign_identifier: 'COM1' })
  const calls = Array.from({ length: 120 }, () => postCall())
  for (const call of calls) expect((await sendCallRail(app, call)).status).toBe(200)
  expect(await listEvents(app.house, { state: 'stored', limit: 500 })).toHaveLength(120)
  const other = await furnish(app.house.settings, app.house.pool.options.connectionString!)
  await startWork(other)
  await startWork(app.house)
  await allTaken(app)
  await leave(other)
  expect(await app.house.db.$count(leads, eq(leads.lead_name, 'Jane Sample'))).toBeGreaterThanOrEqual(120)
  for (const call of calls) expect(await leadOf(call.resource_id)).toBeDefined()
})
