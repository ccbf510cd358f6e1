import { asc, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { customSourcesContract } from '#domains/leads/custom-sources/contract.ts'
import { leadFormContract } from '#domains/leads/form/contract.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { clientSitesTable } from '#domains/sites/client/schema.ts'
import { setUp, startApp } from '#test/app.ts'
import { postCall, sendCallRail, sendForm, waitForIntake } from '#test/provider-hooks.ts'
import { inboundEventsTable } from '../schema.ts'
import { replayEvents } from './replay.ts'

/** One company's key gives no access to another company's lead, whichever comes first. */
const app = await setUp(startApp({ work: true }))
const ours = await app.make.clientSite({ callrail_campaign_identifier: 'COM1', signingKey: 'our key', key: 'our form' })
const theirs = await app.make.clientSite({
  callrail_campaign_identifier: 'COM2',
  signingKey: 'their key',
  key: 'their form',
})

const leadsOf = (lead_id: string) =>
  app.context.db.select().from(leadsTable).where(eq(leadsTable.lead_id, lead_id)).orderBy(asc(leadsTable.id))
const lastEvent = async () =>
  (await app.context.db.select().from(inboundEventsTable).orderBy(asc(inboundEventsTable.id))).at(-1)!
async function call(body: object, key: string) {
  expect((await sendCallRail(app, body, { key })).status).toBe(200)
  await waitForIntake(app)
}
const foreign = {
  company_resource_id: 'COM2',
  customer_name: 'Mallory',
  answered: true,
  recording: 'https://evil.example/r',
}

test('another company’s call neither changes a lead nor takes it over', async () => {
  const known = postCall({ customer_name: 'Ann' })
  await call(known, 'our key')
  const [before] = await leadsOf(known.resource_id)
  await call({ ...known, ...foreign }, 'their key')
  const [mine, other] = await leadsOf(known.resource_id)
  expect(mine).toEqual({ ...before, phone_shared: true })
  expect(other).toMatchObject({ campaign_id: theirs.campaign_id, clientsite_id: theirs.id, lead_name: 'Mallory' })
  await call({ ...known, customer_name: 'Anna', changes: ['name'] }, 'our key')
  expect((await leadsOf(known.resource_id)).map(({ lead_name }) => lead_name)).toEqual(['Anna', 'Mallory'])
})

test('a change of another company’s call is quarantined with its reason and creates nothing', async () => {
  const known = postCall({ customer_name: 'Ben' })
  await call(known, 'our key')
  const before = await leadsOf(known.resource_id)
  await call({ ...known, ...foreign, changes: ['name'] }, 'their key')
  expect(await leadsOf(known.resource_id)).toEqual(before)
  expect(await lastEvent()).toMatchObject({
    state: 'quarantined',
    lead_id: null,
    reason: `The call ${known.resource_id} is a lead of another company: its key may not change it`,
  })
})

test('posting a number first does not keep it from the company whose call it is', async () => {
  const squatted = postCall({ customer_name: 'Cay' })
  await call({ ...squatted, ...foreign }, 'their key')
  await call(squatted, 'our key')
  const both = await leadsOf(squatted.resource_id)
  expect(both).toMatchObject([
    { clientsite_id: theirs.id, lead_name: 'Mallory' },
    { clientsite_id: ours.id, campaign_id: ours.campaign_id, lead_name: 'Cay', answered: false, recording_url: null },
  ])
  await call({ ...squatted, duration: '99', changes: ['duration'] }, 'our key')
  expect((await leadsOf(squatted.resource_id)).map(({ duration }) => duration)).toEqual([45, 99])
})

test('concurrent events of both companies create one lead each, however often they are sent', async () => {
  const twice = postCall()
  const sent = [twice, { ...twice, ...foreign }].flatMap((body) => [body, body, body])
  await Promise.all(
    sent.map((body) =>
      sendCallRail(app, body, {
        key: 'customer_name' in body && body.company_resource_id === 'COM2' ? 'their key' : 'our key',
      }),
    ),
  )
  await waitForIntake(app)
  const made = await leadsOf(twice.resource_id)
  expect(made.map(({ clientsite_id }) => clientsite_id).toSorted()).toEqual([ours.id, theirs.id].toSorted())
})

test('a body that names our company is refused with the key of theirs', async () => {
  const before = await app.dump()
  expect((await sendCallRail(app, postCall(), { key: 'their key' })).status).toBe(401)
  expect(await app.dump()).toBe(before)
})

test('a call that staff entered by its number is updated only by its own company', async () => {
  const admin = await app.as(await app.make.superAdmin())
  const entered = postCall({ customer_name: 'From CallRail', keywords: 'roofs' })
  const form = {
    lead_s: 'Callrail',
    lead_id: entered.resource_id,
    campaign_id: ours.campaign_id,
    clientsite_id: ours.id,
    lead_type: 'Call',
    lead_date: '2026-03-02',
    lead_time: '10:00',
    lead_name: 'Dee',
  }
  expect((await admin.call(leadFormContract.create, { body: form })).status).toBe(200)
  await call({ ...entered, ...foreign }, 'their key')
  await call(entered, 'our key')
  expect(await leadsOf(entered.resource_id)).toMatchObject([
    { clientsite_id: ours.id, lead_name: 'Dee', keywords: 'roofs' },
    { clientsite_id: theirs.id, lead_name: 'Mallory' },
  ])
  expect((await admin.call(leadFormContract.create, { body: form })).status).toBe(409)
})

test('a quarantined change of another company stays one when it is replayed, with and without its site', async () => {
  const known = postCall({ customer_name: 'Jan' })
  await call(known, 'our key')
  const before = await leadsOf(known.resource_id)
  await call({ ...known, ...foreign, changes: ['name'] }, 'their key')
  const { id } = await lastEvent()
  expect((await replayEvents(app.context, [id])).map(({ state }) => state)).toEqual(['quarantined'])
  await app.context.db
    .update(clientSitesTable)
    .set({ callrail_campaign_identifier: null })
    .where(eq(clientSitesTable.id, theirs.id))
  expect((await replayEvents(app.context, [id])).map(({ state }) => state)).toEqual(['quarantined'])
  await app.context.db
    .update(clientSitesTable)
    .set({ callrail_campaign_identifier: 'COM2' })
    .where(eq(clientSitesTable.id, theirs.id))
  expect(await leadsOf(known.resource_id)).toEqual(before)
})

test('a body that names two companies is the one’s whose key signed it', async () => {
  const both = postCall({ company_resource_id: 'COM1', company_id: 'COM2', customer_name: 'Kim' })
  await call(both, 'their key')
  expect((await leadsOf(both.resource_id)).map(({ clientsite_id }) => clientsite_id)).toEqual([theirs.id])
  const known = postCall({ customer_name: 'Lee' })
  await call(known, 'our key')
  const before = await leadsOf(known.resource_id)
  await call({ ...known, ...foreign, company_resource_id: 'COM1', company_id: 'COM2', changes: ['name'] }, 'their key')
  expect(await leadsOf(known.resource_id)).toEqual(before)
})

test('a form entry cannot be taken over or changed by another site’s form', async () => {
  const id = `${ours.id}-77`
  await sendForm(app, theirs.id, 'their form', { name: 'Mallory', item_id: id })
  await sendForm(app, theirs.id, 'their form', { name: 'Mallory', item_id: '77' })
  await sendForm(app, ours.id, 'our form', { name: 'Eve', item_id: '77' })
  await waitForIntake(app)
  expect(await leadsOf(id)).toMatchObject([{ clientsite_id: ours.id, lead_name: 'Eve' }])
  await sendForm(app, theirs.id, 'their form', { name: 'Mallory', item_id: id })
  await waitForIntake(app)
  expect(await leadsOf(id)).toMatchObject([{ clientsite_id: ours.id, lead_name: 'Eve', version: 1 }])
})

test('a lead source cannot take over or change the lead of another source or of a company [OPEN-03]', async () => {
  const admin = await app.as(await app.make.superAdmin())
  const mapping = { lead_id: { from: 'id' }, lead_name: { from: 'name' } }
  const make = async (clientsite_id: number) =>
    (await admin.call(customSourcesContract.create, { body: { name: 'Zap', clientsite_id, preset: null, mapping } }))
      .body
  const [first, second, sameSite] = [await make(ours.id), await make(theirs.id), await make(ours.id)]
  const post = async (source: { key: string }, body: object) => {
    const answer = await app.guest.fetch(`/api/hooks/in/${source.key}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect(answer.status).toBe(200)
    await waitForIntake(app)
  }
  await post(second, { id: '1', name: 'Mallory' })
  await post(first, { id: '1', name: 'Fay' })
  await post(second, { id: '1', name: 'Mallory again' })
  await post(sameSite, { id: '1', name: 'Another' })
  expect(await leadsOf('1')).toMatchObject([
    { lead_s: 'Other', clientsite_id: theirs.id, lead_name: 'Mallory again' },
    { lead_s: 'Other', clientsite_id: ours.id, lead_name: 'Fay', version: 1 },
    { lead_s: 'Other', clientsite_id: ours.id, lead_name: 'Another' },
  ])
  const known = postCall({ customer_name: 'Gus' })
  await call(known, 'our key')
  await post(first, { id: known.resource_id, name: 'Mallory' })
  expect(await leadsOf(known.resource_id)).toMatchObject([
    { lead_s: 'Callrail', lead_name: 'Gus', version: 1 },
    { lead_s: 'Other', lead_name: 'Mallory' },
  ])
})
