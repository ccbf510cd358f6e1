import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { closeContext, createContext, startWorkers } from '#app/server/context.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { clientSitesTable, signingKeyAad } from '#domains/sites/client/schema.ts'
import { setUp, startApp } from '#test/app.ts'
import { callRailKey, postCall, sendCallRail, waitForIntake } from '#test/provider-hooks.ts'
import { erasedEventColumns } from '../../personal-data/server/erased-events.ts'
import { inboundEventsTable } from '../schema.ts'
import { listEvents, replayEvents } from './replay.ts'
import { processInbox } from './worker.ts'

const app = await setUp(startApp({ settings: { CALLRAIL_SIGNING_KEY: callRailKey } }))

const leadOf = async (lead_id: string) =>
  (await app.context.db.select().from(leadsTable).where(eq(leadsTable.lead_id, lead_id)))[0]

test('a quarantined event is listed with its reason, and becomes a lead when it is replayed after the fix [IN-06]', async () => {
  const call = postCall({ company_resource_id: 'COM-late', company_id: '' })
  await sendCallRail(app, call)
  await sendCallRail(app, 'never any good \u001b[2J')
  await processInbox(app.context)
  const kept = await listEvents(app.context, { state: 'quarantined' })
  expect(kept.map(({ reason }) => reason)).toEqual([
    'The body is neither JSON nor a form',
    'No client site has the CallRail company COM-late',
  ])
  expect(kept[0]!.begins).toBe('never any good  [2J')
  expect(await leadOf(call.resource_id)).toBeUndefined()

  await app.make.clientSite({ callrail_campaign_identifier: 'COM-late' })
  const outcome = await replayEvents(app.context, 'quarantined')
  expect(outcome.map(({ state }) => state)).toEqual(['done', 'quarantined'])
  expect(await leadOf(call.resource_id)).toMatchObject({ id: outcome[0]!.lead_id, lead_name: 'Jane Sample' })
  const again = await replayEvents(app.context, [outcome[0]!.id])
  expect(again).toMatchObject([{ state: 'done', lead_id: outcome[0]!.lead_id }])
  expect(await app.context.db.$count(leadsTable, eq(leadsTable.lead_id, call.resource_id))).toBe(1)
  expect(await replayEvents(app.context, [])).toEqual([])
  const unknown = Array.from({ length: 70_000 }, (_, nth) => 1_000_000 + nth)
  expect(await replayEvents(app.context, unknown)).toEqual([])
})

test('an event of an erased person is not replayed', async () => {
  const erased = { provider: 'callrail', state: 'ignored', reason: 'Erased', ...erasedEventColumns } as const
  const [event] = await app.context.db.insert(inboundEventsTable).values(erased).returning()
  expect(await replayEvents(app.context, [event!.id])).toEqual([])
  expect(await listEvents(app.context, { state: 'ignored' })).toMatchObject([{ id: event!.id, reason: 'Erased' }])
})

test('an event that one company signed does not become the lead of another when it is replayed [IN-06]', async () => {
  await app.make.clientSite({ callrail_campaign_identifier: 'COM-a', signingKey: 'the-key-of-a' })
  const call = postCall({ company_resource_id: 'COM-b', company_id: '' })
  expect((await sendCallRail(app, call, { key: 'the-key-of-a' })).status).toBe(200)
  await processInbox(app.context)
  const site = await app.make.clientSite({ callrail_campaign_identifier: 'COM-b', signingKey: 'the-key-of-b' })
  const [event] = await listEvents(app.context, { state: 'quarantined', limit: 1 })
  expect(await replayEvents(app.context, [event!.id])).toMatchObject([
    { state: 'quarantined', reason: 'Signed with the key of another company than COM-b' },
  ])
  const signing = app.context.secrets.seal('the-key-of-a', signingKeyAad(site.id))
  await app.context.db
    .update(clientSitesTable)
    .set({ callrail_signing_key: signing })
    .where(eq(clientSitesTable.id, site.id))
  expect(await replayEvents(app.context, [event!.id])).toMatchObject([{ state: 'done' }])
})

test('events that arrive while no worker runs become leads once one does', async () => {
  await app.make.clientSite({ callrail_campaign_identifier: 'COM1' })
  const calls = Array.from({ length: 120 }, () => postCall())
  for (const call of calls) expect((await sendCallRail(app, call)).status).toBe(200)
  expect(await listEvents(app.context, { state: 'stored', limit: 500 })).toHaveLength(120)
  const other = await createContext(app.context.settings, app.context.pool.options.connectionString!)
  await startWorkers(other)
  await startWorkers(app.context)
  await waitForIntake(app)
  await closeContext(other)
  expect(await app.context.db.$count(leadsTable, eq(leadsTable.lead_name, 'Jane Sample'))).toBeGreaterThanOrEqual(120)
  for (const call of calls) expect(await leadOf(call.resource_id)).toBeDefined()
})
