import { asc, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { leadsContract } from '#domains/leads/contract.ts'
import { liveChannels } from '#domains/leads/live-channels.ts'
import { mailsTable } from '#domains/leads/mail/schema.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { setUp, startApp } from '#test/app.ts'
import { callRailKey, sendCallRail, waitForIntake } from '#test/provider-hooks.ts'
import { inboundEventsTable } from '../schema.ts'

const app = await setUp(startApp({ work: true, settings: { CALLRAIL_SIGNING_KEY: callRailKey } }))
const root = await app.as(await app.make.superAdmin())
const client = await app.make.client({ emails: ['owner@example.com'] })
const campaign = await app.make.campaign({ client_id: client.id, timezone: 'America/Chicago' })
await app.make.clientSite({ campaign_id: campaign.id, callrail_campaign_identifier: 'COM1' })

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
