import { expect, test } from 'vitest'
import { allJobs } from '#app/server/parts.ts'
import { connectionsContract } from '#domains/connections/contract.ts'
import { callRailAccountsTable } from '#domains/leads/callrail/schema.ts'
import { inboundEventsTable } from '#domains/leads/intake/schema.ts'
import { setUp, startApp } from '#test/app.ts'
import { type LeadSource, leadSourcesContract } from '../contract.ts'

const app = await setUp(startApp())
const superAdmin = await app.as(await app.make.superAdmin())

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)
const read = async () => (await superAdmin.call(leadSourcesContract.list)).body
const rowOf = async (id: number): Promise<LeadSource> => (await read()).data.find((row: LeadSource) => row.id === id)

type Sent = { calls?: number[]; forms?: number[]; created_at?: Date }
/** Creates a site with calls and forms so many days ago. */
async function siteWith({ calls = [], forms = [], created_at = daysAgo(400) }: Sent) {
  const site = await app.make.clientSite({ created_at })
  const at = { campaign_id: site.campaign_id, clientsite_id: site.id }
  for (const days of calls) await app.make.lead({ ...at, lead_type: 'Call', occurred_at: daysAgo(days) })
  for (const days of forms) await app.make.lead({ ...at, lead_type: 'Form', occurred_at: daysAgo(days) })
  return site
}
const every = (gap: number, from: number, count = 10) => Array.from({ length: count }, (_, index) => from + index * gap)

test('a source shows its last lead through each provider, and how long ago it came', async () => {
  const { id, url, campaign_id } = await siteWith({ calls: every(2, 3), forms: [1, 4] })
  const row = await rowOf(id)
  expect(row).toMatchObject({ url, campaign_id, campaign_name: expect.any(String), days_silent: 1, silent: false })
  expect(row.providers).toMatchObject([
    { provider: 'Callrail', days_silent: 3, usual_gap: 2, silent: false },
    { provider: 'Formidable', days_silent: 1, usual_gap: 3, silent: false },
  ])
  expect(row.last_at).toBe(row.providers[1]!.last_at)
})

test('a source with an open signal is silent until a lead comes; one that never sent a lead is not [TODAY-03]', async () => {
  const busy = await siteWith({ calls: every(0.5, 8, 120), forms: every(1, 0.5, 60) })
  for (let count = 0; count < 6; count++) await siteWith({ calls: every(1, 0.3, 60) })
  const rare = await siteWith({ forms: every(12, 15, 20) })
  const never = await siteWith({ created_at: daysAgo(90) })
  const detect = () => allJobs.find(({ name }) => name === 'signals')!.run(app.context, {} as never)
  await detect()
  expect(await rowOf(busy.id)).toMatchObject({
    silent: true,
    providers: [
      { provider: 'Callrail', silent: true, days_silent: 8 },
      { provider: 'Formidable', silent: false },
    ],
  })
  expect((await rowOf(rare.id)).silent).toBe(false)
  expect(await rowOf(never.id)).toMatchObject({ silent: false, last_at: null })
  await app.make.lead({ campaign_id: busy.campaign_id!, clientsite_id: busy.id, lead_type: 'Call' })
  await detect()
  expect((await rowOf(busy.id)).silent).toBe(false)
})

test('sites that are deleted, without a campaign, or in archived ones are left out; the longest silence comes first', async () => {
  const archived = await app.make.campaign({ archived: true })
  const left = [
    await app.make.clientSite({ campaign_id: archived.id }),
    await app.make.clientSite({ campaign_id: null }),
    await app.make.clientSite({ deleted_at: new Date() }),
  ]
  const { data } = await read()
  const ids = data.map(({ id }: LeadSource) => id)
  for (const { id } of left) expect(ids).not.toContain(id)
  const order = data.map(({ silent, days_silent }: LeadSource) => Number(silent) * 1e6 + days_silent)
  expect(order).toEqual(order.toSorted((a: number, b: number) => b - a))
})

test('leads without a campaign and unusable events are counted', async () => {
  const before = await read()
  await app.make.lead({ campaign_id: null })
  await app.make.lead({ campaign_id: null, archived: true })
  await app.make.lead({ campaign_id: null, hide: true })
  const event = { provider: 'callrail' as const, headers: {}, body: Buffer.from('?') }
  await app.context.db.insert(inboundEventsTable).values([
    { ...event, state: 'quarantined' },
    { ...event, state: 'done', reconciled_as: 'CAL1' },
    { ...event, state: 'done', reconciled_as: 'CAL2', received_at: daysAgo(8) },
  ])
  const after = await read()
  expect(after.unassigned - before.unassigned).toBe(1)
  expect(after.quarantined - before.quarantined).toBe(1)
  expect(after.reconciliation.found - before.reconciliation.found).toBe(1)
})

test('the response shows how the last look at CallRail’s lists went', async () => {
  const none = { connected: false, ran_at: null, outcome: null, error: null, until: null }
  expect((await read()).reconciliation).toMatchObject(none)
  const body = { kind: 'callrail', account_id: 'ACC1', api_key: 'a-key' } as const
  const boss = await app.as(await app.make.superAdmin())
  expect((await boss.call(connectionsContract.create, { body })).status).toBe(200)
  const ran_at = daysAgo(0.1)
  const row = { account_id: 'ACC1', connected_at: daysAgo(2), next_look_at: ran_at, calls_until: daysAgo(1) }
  await app.context.db
    .insert(callRailAccountsTable)
    .values({ ...row, looked_at: ran_at, outcome: 'busy', error: 'Later.' })
  const last = { connected: true, ran_at: ran_at.toISOString(), outcome: 'busy', error: 'Later.' }
  expect((await read()).reconciliation).toMatchObject(last)
})

test('only super admins read the sources [PERM-01]', async () => {
  const campaign = await app.make.campaign()
  const at = { campaigns: [campaign.id] }
  const refused = [
    await app.as(await app.make.admin(at)),
    await app.as(await app.make.handler(at)),
    await app.as(await app.make.customer({ client_id: campaign.client_id })),
  ]
  const before = await app.dump()
  for (const person of refused) expect((await person.call(leadSourcesContract.list)).status).toBe(403)
  expect((await app.guest.call(leadSourcesContract.list)).status).toBe(401)
  expect(await app.dump()).toBe(before)
})
