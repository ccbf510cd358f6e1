import { afterEach, beforeEach, expect, test } from 'vitest'
import { leadsContract } from '#domains/leads/contract.ts'
import { leadFormContract } from '#domains/leads/form/contract.ts'
import { writeImportedLeads } from '#domains/leads/import/server/import-rows.ts'
import { leadSpamContract } from '#domains/leads/spam/contract.ts'
import { type Caller, setUp, startApp } from '#test/app.ts'
import { makeMailedLead } from '#test/mailed-lead.ts'
import { callRailKey, postCall, sendCallRail } from '#test/provider-hooks.ts'
import { until } from '#test/until.ts'
import { startWebhookReceiver, type WebhookReceiver } from '#test/webhook-receiver.ts'
import { webhooksContract } from '../contract.ts'
import { webhookEventTypes } from '../labels.ts'
import { recordWebhookEvents } from '../public.ts'
import { webhookMessagesTable } from '../schema.ts'

let receiver: WebhookReceiver
const app = await setUp(
  startApp({
    work: true,
    settings: { ALLOWED_PRIVATE_RANGES: '127.0.0.1', CALLRAIL_SIGNING_KEY: callRailKey },
  }),
)
beforeEach(async () => {
  receiver = await startWebhookReceiver()
})
afterEach(async () => {
  await app.context.pool.query('delete from webhooks')
  await receiver.close()
})

const leadEvents = webhookEventTypes.filter((type) => type.startsWith('lead.'))
const listen = async (who: Caller, events: readonly string[] = leadEvents) => {
  const { status, body } = await who.call(webhooksContract.create, { body: { url: receiver.url, events } })
  expect(status).toBe(200)
  return body as { id: number; secret: string }
}
const has = (count: number) => until(() => receiver.bodies().length >= count)
const typesOf = () => receiver.bodies().map(({ type }) => type)

test('a lead’s events created, verified, spam, rated and moved are sent, signed, with the lead as it was then [OPEN-02]', async () => {
  const client = await app.make.client({ emails: ['owner@client.example'] })
  const [from, to] = [await app.make.campaign({ client_id: client.id }), await app.make.campaign()]
  const site = await app.make.clientSite({ campaign_id: from.id })
  const root = await app.as(await app.make.superAdmin())
  const { secret } = await listen(root)
  const form = {
    ...{ lead_s: 'Formidable', lead_id: 'events-1', lead_type: 'Form', lead_name: 'Jane', lead_date: '2026-03-16' },
    ...{ lead_time: '12:00', campaign_id: from.id, clientsite_id: site.id, notify: 1 },
  }
  const { status, body: lead } = await root.call(leadFormContract.create, { body: form })
  expect(status, JSON.stringify(lead)).toBe(200)
  const { id } = lead
  const change = (body: object) => root.call(leadsContract.update, { params: { id }, body })
  await change({ confirmed: 1 })
  await change({ notes: 'no event of its own' })
  await change({ confirmed: 1 })
  await change({ confirmed: 0 })
  await root.call(leadSpamContract.mark, { params: { id }, body: { spammer: false } })
  await change({ rating: '4' })
  await change({ rating: '4' })
  await change({ campaign_id: to.id, clientsite_id: null })
  await has(5)
  expect(typesOf()).toEqual(['lead.created', 'lead.verified', 'lead.spam', 'lead.rated', 'lead.moved'])
  const [created, verified, spam, rated, moved] = receiver.received.map((message) => receiver.verify(message, secret))
  expect(created).toEqual({ type: 'lead.created', timestamp: expect.any(String), data: lead })
  expect(verified?.data).toMatchObject({ id, confirmed: 1, notes: null, campaign_id: from.id })
  expect(spam?.data).toMatchObject({ id, confirmed: 0, notes: 'no event of its own', tags: [{ name: 'Spam' }] })
  expect(rated?.data).toMatchObject({ id, rating: '4', campaign_id: from.id })
  expect(moved?.data).toMatchObject({ id, campaign_id: to.id, campaign: { id: to.id, name: to.name } })
  expect(receiver.received[0]?.headers).toMatchObject({
    'content-type': 'application/json',
    'webhook-id': expect.stringMatching(/^msg_\S+$/),
  })
})

test('events outside of the screens are sent too: hooks, ratings by mail, imports [OPEN-02]', async () => {
  const campaign = await app.make.campaign()
  const site = await app.make.clientSite({ campaign_id: campaign.id, callrail_campaign_identifier: 'COM1' })
  const root = await app.as(await app.make.superAdmin())
  const mailed = await makeMailedLead(app, { campaign_id: campaign.id })
  await listen(root)
  expect((await sendCallRail(app, postCall())).status).toBe(200)
  await has(1)
  await mailed.save({ rating: '5' })
  await mailed.save({ rating: '5' })
  await has(2)
  const cells = {
    ...{ lead_id: 'imported', lead_type: 'Form', lead_date: '2026-03-16', lead_time: '12:00', rating: null },
    ...{ confirmed: true, tags: ['Autospam'], lead_name: 'Ivy', answered: null, recording: null },
  }
  const place = { campaign_id: campaign.id, clientsite_id: site.id, hours: null }
  const row = {
    ...{ cells, place, lead_s: 'Formidable', lead_id: 'imported' },
    occurred_at: new Date('2026-03-16T16:00:00Z'),
  } as unknown as Parameters<typeof writeImportedLeads>[2][number] // real files have more columns
  await app.context.db.transaction((tx) => writeImportedLeads(tx, app.context, [row, row]))
  await has(5)
  expect(typesOf()).toEqual(['lead.created', 'lead.rated', 'lead.created', 'lead.verified', 'lead.spam'])
})

test('a webhook gets the events it subscribed to, with what its creator may read [OPEN-02]', async () => {
  const [theirs, other] = [await app.make.campaign(), await app.make.campaign()]
  const admin = await app.make.admin({ permissions: ['leads'], campaigns: [theirs.id] })
  await listen(await app.as(admin), ['lead.verified', 'lead.moved'])
  const root = await app.as(await app.make.superAdmin())
  const verify = async (campaign_id: number) => {
    const { id } = await app.make.lead({ campaign_id, source: 'Google Paid', gclid: 'abc' })
    await root.call(leadsContract.update, { params: { id }, body: { confirmed: 1 } })
    return id
  }
  await verify(other.id)
  const gone = await verify(theirs.id)
  await root.call(leadsContract.update, { params: { id: gone }, body: { campaign_id: other.id, clientsite_id: null } })
  const last = await verify(theirs.id)
  await has(2)
  // Messages about different leads may be sent at the same time.
  expect(
    receiver
      .bodies()
      .map(({ data }) => data.id as number)
      .toSorted((a, b) => a - b),
  ).toEqual([gone, last])
  // Tags and sources need the right to their page.
  expect(Object.keys(receiver.bodies()[0]!.data)).not.toContain('gclid')
})

test('a write that is rolled back sends nothing, and without an active webhook nothing is stored or read [OPEN-02]', async () => {
  const root = await app.as(await app.make.superAdmin())
  const { id } = await listen(root, ['signal.opened'])
  let reads = 0
  const record = (fails: boolean) =>
    app.context.db.transaction(async (tx) => {
      await recordWebhookEvents(tx, [{ type: 'signal.opened', subject: 'signal:1' }], async (_, subjects) => {
        reads += 1
        return new Map(subjects.map((subject) => [subject, { id: 1, title: 'Silent' }]))
      })
      if (fails) throw new Error('taken back')
    })
  await expect(record(true)).rejects.toThrow('taken back')
  await record(false)
  await has(1)
  expect(receiver.bodies()).toEqual([
    { type: 'signal.opened', timestamp: expect.any(String), data: { id: 1, title: 'Silent' } },
  ])
  await root.call(webhooksContract.update, { params: { id }, body: { active: false } })
  await record(false)
  expect([reads, await app.context.db.$count(webhookMessagesTable)]).toEqual([2, 1])
})
