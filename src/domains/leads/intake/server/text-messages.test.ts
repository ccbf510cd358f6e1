import { asc, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { leadsContract } from '#domains/leads/contract.ts'
import { customSourcesContract } from '#domains/leads/custom-sources/contract.ts'
import { suggestMapping } from '#domains/leads/custom-sources/server/suggest-mapping.ts'
import { liveChannels } from '#domains/leads/live-channels.ts'
import { mailsTable } from '#domains/leads/mail/schema.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { setUp, startApp } from '#test/app.ts'
import { callRailKey, sendCallRail, waitForIntake } from '#test/provider-hooks.ts'
import { until } from '#test/until.ts'
import { inboundEventsTable } from '../schema.ts'

const app = await setUp(startApp({ work: true, settings: { CALLRAIL_SIGNING_KEY: callRailKey } }))
const root = await app.as(await app.make.superAdmin())
const client = await app.make.client({ emails: ['owner@example.com'] })
const campaign = await app.make.campaign({ client_id: client.id, timezone: 'America/Chicago' })
const site = await app.make.clientSite({ campaign_id: campaign.id, callrail_campaign_identifier: 'COM1' })

let count = 0
/** A text as CallRail documents “Text Message Received”. */
function text(content: string, values: Record<string, unknown> = {}) {
  count += 1
  return {
    id: 9000 + count,
    resource_id: `MSG${process.pid}x${count}`,
    source_number: '+15125550144',
    destination_number: '+15125550180',
    content,
    message_type: 'sms',
    media_urls: [],
    timestamp: '2026-03-16T11:00:00.000-05:00',
    lead_status: null,
    conversation_id: 'KZaGR',
    company_resource_id: 'COM1',
    person_resource_id: 'PER1',
    ...values,
  }
}
const at = (hours: number) => new Date(Date.parse('2026-03-16T16:00:00Z') + hours * 3_600_000).toISOString()
async function send(...bodies: object[]) {
  for (const body of bodies) expect((await sendCallRail(app, body)).status).toBe(200)
  await waitForIntake(app)
}
const leadsFrom = (phone: string) =>
  app.context.db.select().from(leadsTable).where(eq(leadsTable.lead_phone, phone)).orderBy(asc(leadsTable.id))

test('a text to a tracking number is a lead of type Form, mailed to the client [EDGE-13]', async () => {
  const first = text('My roof leaks')
  await send(first)
  const [lead, ...more] = await leadsFrom('+15125550144')
  expect(more).toEqual([])
  expect(lead).toMatchObject({
    lead_s: 'Callrail',
    lead_type: 'Form',
    lead_id: first.resource_id,
    message: 'My roof leaks',
    tracking_phone_number: '+15125550180',
    occurred_at: new Date('2026-03-16T16:00:00Z'),
    campaign_id: campaign.id,
  })
  expect(await app.context.db.$count(mailsTable, eq(mailsTable.lead_id, lead!.id))).toBe(1)
})

test('a text within a day of another is added to its message, shown live, and mails no one [EDGE-13]', async () => {
  const source_number = '+15125550145'
  const heard: string[] = []
  await send(text('One', { source_number }))
  const [lead] = await leadsFrom(source_number)
  const stop = app.context.live.on(liveChannels.lead, (payload) => heard.push(payload))
  const second = text('Two', { source_number, timestamp: at(20) })
  await send(second, second) // CallRail may send it twice
  await send(text('Two', { source_number, timestamp: at(40) })) // a day after the second, which counts
  await expect.poll(() => heard.length).toBe(2)
  stop()
  expect(heard.map((payload) => JSON.parse(payload).id)).toEqual([lead!.id, lead!.id])
  expect(await leadsFrom(source_number)).toMatchObject([{ id: lead!.id, message: 'One\nTwo\nTwo' }])
  expect(await app.context.db.$count(mailsTable, eq(mailsTable.lead_id, lead!.id))).toBe(1)
  expect(await app.context.db.$count(inboundEventsTable, eq(inboundEventsTable.lead_id, lead!.id))).toBe(4)
})

test('texts that are processed together are one lead, in their order [EDGE-13]', async () => {
  const source_number = '+15125550146'
  await Promise.all(['A', 'B', 'C'].map((content) => sendCallRail(app, text(content, { source_number }))))
  await waitForIntake(app)
  const found = await leadsFrom(source_number)
  expect(found.map(({ message }) => message!.split('\n').toSorted().join(''))).toEqual(['ABC'])
})

test.each([
  ['a day later', { timestamp: at(24) }],
  ['to another tracker', { destination_number: '+15125550181' }],
])('a text %s is a lead of its own [EDGE-13]', async (name, values) => {
  const source_number = `+1512555${name.length + 200}0`.slice(0, 12)
  await send(text('One', { source_number }), text('Two', { source_number, ...values }))
  expect(await leadsFrom(source_number)).toMatchObject([{ message: 'One' }, { message: 'Two' }])
})

test('texts of withheld numbers are no one’s conversation, and what a person wrote into the message stays [EDGE-13]', async () => {
  await send(text('One', { source_number: 'anonymous' }), text('Two', { source_number: 'anonymous' }))
  const withheld = await app.context.db.select().from(leadsTable).where(eq(leadsTable.message, 'Two'))
  expect(withheld.length).toBeGreaterThan(0)

  const source_number = '+15125550147'
  await send(text('Leak &amp;lt;here', { source_number }))
  const { id } = (await leadsFrom(source_number))[0]!
  await root.call(leadsContract.update, { params: { id }, body: { message: 'Leak &lt;here (called back)' } })
  await send(text('Thanks', { source_number, media_urls: ['https://a.example/1.jpg'], message_type: 'mms' }))
  expect(await leadsFrom(source_number)).toMatchObject([
    { message: 'Leak &lt;here (called back)\nThanks\n(1 attachment, see CallRail)' },
  ])
})

test('a text that was sent from a tracking number is no lead [EDGE-13]', async () => {
  const before = await app.context.db.$count(leadsTable)
  await send(
    text('We call you back', { agent: 'Dana', source_number: '+15125550180', destination_number: '+15125550149' }),
  )
  expect(await app.context.db.$count(leadsTable)).toBe(before)
})

/** Sends events to a lead source, one after the other. */
async function postTo(key: string, ...bodies: object[]) {
  for (const body of bodies)
    await app.guest.fetch(`/api/hooks/in/${key}`, {
      ...{ method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } },
    })
  await waitForIntake(app)
}

const readLeadsOf = (sourceId: number) =>
  app.context.db
    .select()
    .from(leadsTable)
    .where(eq(leadsTable.origin, `source/${sourceId}`))

const negotiation = { negotiationID: '519153480500518912', customer: { customerID: '5', displayName: 'Olivia Y.' } }
const enquiry = { data: { ...negotiation, request: { description: 'The roof leaks' } } }
const message = (text: string, from = 'Customer') => ({
  data: { messageID: `5191534815${text.length}`, ...negotiation, from, text },
})
test.each([
  ['after', [enquiry, message('Are you free on Monday?'), message('Or on Tuesday?')]],
  ['before', [message('The roof leaks'), message('Are you free on Monday?'), message('Or on Tuesday?'), enquiry]],
])('what a customer of Thumbtack writes %s the enquiry is added to it [EDGE-13]', async (_, sent) => {
  const mapping = suggestMapping(enquiry)
  const body = { name: 'Thumbtack', clientsite_id: site.id, preset: null, mapping }
  const { key, id } = (await root.call(customSourcesContract.create, { body })).body
  const post = (...bodies: object[]) => postTo(key, ...bodies)
  const found = () => readLeadsOf(id)
  await post(sent[0]!)
  const heard: string[] = []
  const stop = app.context.live.on(liveChannels.lead, (payload) => heard.push(payload))
  await post(...sent.slice(1), message('Yes we are', 'Business'))
  await until(() => heard.length > 0)
  stop()
  const [lead, ...more] = await found()
  expect(more).toEqual([])
  expect(lead!.message!.split('\n').toSorted()).toEqual(['Are you free on Monday?', 'Or on Tuesday?', 'The roof leaks'])
  await post(...sent)
  expect(await found()).toEqual([lead])
  await root.call(leadsContract.update, { params: { id: lead!.id }, body: { message: 'Called back' } })
  await post(enquiry, message('Thank you very much'))
  expect(await found()).toMatchObject([{ message: 'Called back\nThank you very much' }])
})

test('what tawk.to sends of one chat is one lead with its words, in any order [EDGE-13]', async () => {
  const visitor = { name: 'Joan Otter', email: 'joan@otter.example' }
  const more = { time: '2026-03-16T11:00:00.000Z', visitor, property: { id: 'p1', name: 'Acme' } }
  const start = { event: 'chat:start', chatId: 'c1', message: { text: 'It leaks', type: 'msg' }, ...more }
  const end = { event: 'chat:end', chatId: 'c1', ...more }
  const messages = [{ sender: { t: 'v', n: 'Joan Otter' }, type: 'msg', msg: 'On Monday, please' }]
  const transcript = { event: 'chat:transcript_created', ...more, chat: { id: 'c1', visitor, messages } }
  for (const sent of [
    [start, end, transcript],
    [transcript, end, start],
  ]) {
    const body = { name: 'Chat', clientsite_id: site.id, preset: null, mapping: suggestMapping(sent[0]) }
    const { key, id } = (await root.call(customSourcesContract.create, { body })).body
    await postTo(key, ...sent, ...sent)
    const found = await readLeadsOf(id)
    expect(found).toMatchObject([{ lead_id: 'c1', lead_name: 'Joan Otter', lead_email: 'joan@otter.example' }])
    expect(found[0]!.message!.match(/It leaks|On Monday/g)!.toSorted()).toEqual(['It leaks', 'On Monday'])
  }
})

test('what is said again of one message, whose number the lead has, replaces it [EDGE-13]', async () => {
  const mapping = { lead_id: { from: 'messageId' }, lead_name: { from: 'name' }, message: { from: 'text' } }
  const body = { name: 'Chat', clientsite_id: site.id, preset: null, mapping, confirmed: 1 as const }
  const { key, id } = (await root.call(customSourcesContract.create, { body })).body
  const said = { messageId: 'm1', conversationId: 'c1', name: 'Ann' }
  await postTo(key, { ...said, text: 'It leaks' }, { ...said, text: 'It drips' })
  const found = await readLeadsOf(id)
  expect(found.map(({ message }) => message)).toEqual(['It drips'])
})

test('a message that is read again under a corrected mapping is corrected, and stands beside others once [EDGE-13]', async () => {
  const mapping = { lead_id: { from: 'data.negotiationID' }, lead_name: { from: 'data.customer.displayName' } }
  const wrong = { ...mapping, message: { from: 'data.messageID' } }
  const body = { name: 'Thumbtack', clientsite_id: site.id, preset: null, mapping: wrong, confirmed: 1 as const }
  const { key, id, version } = (await root.call(customSourcesContract.create, { body })).body
  const post = (sent: object) => postTo(key, sent)
  const readLead = () => readLeadsOf(id)
  const readMessage = async () => (await readLead()).map(({ message }) => message?.split('\n'))
  await post(message('Are you free on Monday?'))
  const [lead] = await readLead()
  const ofLead = eq(inboundEventsTable.lead_id, lead!.id)
  const replay = async () => {
    const events = await app.context.db.select({ id: inboundEventsTable.id }).from(inboundEventsTable).where(ofLead)
    const ids = events.map((one) => one.id)
    await root.call(customSourcesContract.replay, { params: { id }, body: { ids } })
    await waitForIntake(app)
  }
  const right = { ...mapping, message: { from: 'data.text' } }
  await root.call(customSourcesContract.update, { params: { id }, body: { ...body, mapping: right, version } })
  await replay()
  expect(await readMessage()).toEqual([expect.arrayContaining(['Are you free on Monday?'])])
  expect((await readLead())[0]!.message).toMatch(/^Are you/)
  await post(message('Or on Tuesday?'))
  await post(message('No'))
  await post(message('Not sure yet'))
  const before = await readLead()
  await replay()
  expect(await readLead()).toEqual(before)
  await post({ ...enquiry, event: 'one' })
  await post({ data: { ...enquiry.data, budget: 'Open' } })
  const [lines] = await readMessage()
  for (const line of ['description: The roof leaks', 'No', 'Not sure yet', 'budget: Open'])
    expect(lines!.filter((one) => one === line)).toEqual([line])
})
