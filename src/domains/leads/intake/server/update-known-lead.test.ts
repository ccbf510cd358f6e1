import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { auditTable } from '#core/db/schema.ts'
import { leadsContract } from '#domains/leads/contract.ts'
import { customSourcesContract } from '#domains/leads/custom-sources/contract.ts'
import { liveChannels } from '#domains/leads/live-channels.ts'
import { mailsTable } from '#domains/leads/mail/schema.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { setUp, startApp } from '#test/app.ts'
import { callRailKey, postCall, sendCallRail, sendForm, waitForIntake } from '#test/provider-hooks.ts'
import { until } from '#test/until.ts'
import { inboundEventsTable } from '../schema.ts'

const app = await setUp(startApp({ work: true, settings: { CALLRAIL_SIGNING_KEY: callRailKey } }))
const client = await app.make.client({ emails: ['owner@example.com'] })
const campaign = await app.make.campaign({ client_id: client.id, timezone: 'America/Chicago' })
const form = await app.make.clientSite({
  campaign_id: campaign.id,
  callrail_campaign_identifier: 'COM1',
  key: 'form-key',
})

const find = async (lead_id: string) =>
  (await app.context.db.select().from(leadsTable).where(eq(leadsTable.lead_id, lead_id)))[0]!
async function send(body: { resource_id: string } & Record<string, unknown>) {
  expect((await sendCallRail(app, body)).status).toBe(200)
  await waitForIntake(app)
  return find(body.resource_id)
}

test('a changed call updates the provider’s fields, with an audit entry and no second mail', async () => {
  const call = postCall({ recording: '' })
  const before = await send(call)
  const recording = 'https://app.callrail.com/calls/1/recording'
  const after = await send({
    ...call,
    recording,
    duration: '50',
    customer_name: 'Janet',
    changes: ['note'],
  })
  expect(after).toMatchObject({ id: before.id, recording_url: recording, duration: 50, lead_name: 'Janet', version: 2 })
  expect(after.occurred_at).toEqual(before.occurred_at)
  const trail = await app.context.db.select().from(auditTable).where(eq(auditTable.row_id, before.id))
  expect(trail).toMatchObject([
    { kind: 'lead', action: 'changed', user_id: null, version: 2, after: { lead_name: 'Janet' } },
  ])
  expect(await app.context.db.$count(mailsTable, eq(mailsTable.lead_id, before.id))).toBe(1)
})

test('what a person changed stays as they left it: tags, notes, hidden, a corrected name', async () => {
  const call = postCall()
  const { id } = await send(call)
  const admin = await app.as(await app.make.superAdmin())
  const body = {
    lead_name: 'Jane (corrected)',
    tags: [{ name: 'Duplicate' }],
    notes: 'Called back',
    confirmed: 1,
    hide: 1,
  }
  expect((await admin.call(leadsContract.update, { params: { id }, body })).status).toBe(200)
  const changed = {
    ...call,
    customer_name: 'Wrong',
    voicemail: true,
    keywords: 'gutter',
    tags: ['theirs'],
    note: 'theirs',
  }
  const after = await send({ ...changed, changes: ['tags', 'note'] })
  expect(after).toMatchObject({
    lead_name: 'Jane (corrected)',
    tags: ['Duplicate'],
    notes: 'Called back',
    confirmed: true,
    hide: true,
    keywords: 'gutter',
    voicemail: true,
  })
})

test('a voicemail that is noticed late turns Auto Missed Call into Voicemail', async () => {
  const call = postCall()
  expect((await send(call)).tags).toEqual(['Auto Missed Call'])
  const after = await send({ ...call, voicemail: true, changes: ['transcription_text'] })
  expect(after).toMatchObject({
    tags: ['Voicemail'],
    tag_causes: [{ tag: 'Voicemail' }],
    answering_status: 'Unanswered',
  })
})

test('a change creates a missing lead; the call that follows it only fills gaps', async () => {
  const call = postCall()
  const made = await send({
    ...call,
    recording: 'https://app.callrail.com/r',
    keywords: '',
    changes: ['note'],
  })
  expect(made).toMatchObject({
    recording_url: 'https://app.callrail.com/r',
    keywords: null,
    tags: ['Auto Missed Call'],
  })
  const after = await send({ ...call, customer_name: 'Older name', recording: '', keywords: 'roof' })
  expect(after).toMatchObject({
    lead_name: 'Jane Sample',
    recording_url: 'https://app.callrail.com/r',
    keywords: 'roof',
  })
})

test('a change that is processed after a newer one takes nothing back', async () => {
  const call = postCall()
  const { id } = await send(call)
  await send({ ...call, customer_name: 'Janet', gclid: 'a-click', changes: ['note'] })
  expect(await send({ ...call, customer_name: 'Jane Doe', changes: ['note'] })).toMatchObject({ lead_name: 'Jane Doe' })
  await app.context.pool.query(`
    update inbound_events set state = 'stored'
    where id = (select id from inbound_events where lead_id = ${id} order by id offset 1 limit 1)`)
  await app.context.pool.query(`select pg_notify('${liveChannels.event}', '')`)
  await waitForIntake(app)
  expect(await find(call.resource_id)).toMatchObject({ lead_name: 'Jane Doe', gclid: 'a-click' })
})

const spamNews = [
  { lead_id: 41, lead_type: 'Web Form', contact_name: 'Ana', contact_phone_number: '+15125557041', spam: false },
  { lead_id: 41, lead_type: 'Web Form', contact_name: 'Anna', contact_phone_number: '+15125557041', spam: true },
] as const
test.each([
  ['one by one', false],
  ['together', true],
])('an event that is sent again after a newer one takes nothing back: they come %s [EDGE-06]', async (_, together) => {
  const root = await app.as(await app.make.superAdmin())
  const body = { name: 'Source', clientsite_id: form.id, preset: 'whatconverts' }
  const { id } = (await root.call(customSourcesContract.create, { body })).body
  const send = async (...sent: object[]) => {
    await app.context.db.insert(inboundEventsTable).values(
      sent.map((one) => ({
        ...{ provider: 'other' as const, clientsite_id: form.id, source_id: id },
        ...{ headers: { 'content-type': 'application/json' }, body: Buffer.from(JSON.stringify(one)) },
      })),
    )
    await app.context.pool.query(`select pg_notify('${liveChannels.event}', '')`)
    await waitForIntake(app)
  }
  const [first, second] = spamNews
  const sent = [first, second, first, first]
  if (together) await send(...sent)
  else for (const one of sent) await send(one)
  const found = () =>
    app.context.db
      .select()
      .from(leadsTable)
      .where(eq(leadsTable.origin, `source/${id}`))
  expect(await found()).toMatchObject([{ lead_name: 'Anna', tags: ['Spam'], hide: true }])
  await send({ ...first, contact_email_address: 'ana@example.com' })
  expect(await found()).toMatchObject([{ lead_name: 'Ana', tags: [], hide: false }])
})

test('a call that is sent again after it was marked as spam stays hidden [EDGE-06]', async () => {
  const call = postCall({ spam: false })
  await send(call)
  await send({ ...call, spam: true, customer_name: 'Janet', changes: ['spam'] })
  expect(await send(call)).toMatchObject({ lead_name: 'Janet', hide: true })
})

test('an event that waits for its lead fills what is still empty then', async () => {
  const call = postCall({ keywords: '' })
  const { id } = await send(call)
  const other = await app.context.pool.connect()
  await other.query('begin')
  await other.query(`update leads set keywords = 'roof' where id = ${id}`)
  expect((await sendCallRail(app, { ...call, keywords: 'gutter', gclid: 'a-click' })).status).toBe(200)
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await until(async () => (await app.context.pool.query(waiting)).rowCount === 1)
  await other.query('commit')
  other.release()
  await waitForIntake(app)
  expect(await find(call.resource_id)).toMatchObject({ keywords: 'roof', gclid: 'a-click' })
})

test('an empty value changes nothing, nor does a repeated one', async () => {
  const call = postCall()
  await send(call)
  const again = await send({ ...call, customer_name: '', duration: '', source: '', changes: ['tags'] })
  expect(again).toMatchObject({ lead_name: 'Jane Sample', duration: 45, source: 'Google Organic', version: 1 })
})

test('a corrected phone moves the first call', async () => {
  const [a, b] = ['+15125557001', '+15125557002']
  const one = postCall({ customer_phone_number: a, start_time: '2026-03-16T11:00:00.000-05:00' })
  const other = postCall({ customer_phone_number: b, start_time: '2026-03-16T11:05:00.000-05:00' })
  await send(one)
  await send(other)
  const corrected = await send({ ...other, customer_phone_number: a, changes: ['customer'] })
  expect(corrected).toMatchObject({ lead_phone: a, phone_key: a, first_call: false })
  expect(await find(one.resource_id)).toMatchObject({ first_call: true })
})

test('ringing calls, outbound calls and texts that were sent are kept and create no lead', async () => {
  const before = await app.context.db.$count(leadsTable)
  const call = postCall()
  const { recording, recording_duration, formatted_duration, business_phone_number, transcription, ...ringing } = call
  await sendCallRail(app, { ...ringing, duration: 0 })
  await sendCallRail(app, postCall({ direction: 'outbound', answered: 'false', first_call: 'false' }))
  await sendCallRail(app, {
    message_type: 'sms',
    resource_id: 'SMS1',
    agent: 'Dana',
    content: 'Hi',
    company_id: 'COM1',
  })
  await waitForIntake(app)
  expect(await app.context.db.$count(leadsTable)).toBe(before)
  const { rows } = await app.context.pool.query('select state, reason from inbound_events order by id desc limit 3')
  expect(rows).toEqual([
    { state: 'ignored', reason: 'A text message that was sent from a tracking number' },
    { state: 'ignored', reason: 'An outbound call' },
    { state: 'ignored', reason: 'A call that has not ended yet (pre-call)' },
  ])
})

const entry = async (body: Record<string, unknown>) => {
  expect((await sendForm(app, form.id, 'form-key', body)).status).toBe(200)
  await waitForIntake(app)
}

test('an updated entry of a form changes its lead; a deleted one and a draft change nothing', async () => {
  const id = `${form.id}-501`
  await entry({ item_id: 501, name: 'A', message: 'One', is_draft: '1' })
  expect(await find(id)).toBeUndefined()
  await entry({ item_id: 501, name: 'A', message: 'One', is_draft: '0' })
  const made = await find(id)
  await entry({ item_id: 501, name: 'A', email: 'a@example.com', message: 'Two' })
  await entry({ item_id: 501, name: 'A', message: 'One', is_draft: '0' }) // sent again
  expect(await find(id)).toMatchObject({ id: made.id, message: 'Two', lead_email: 'a@example.com', version: 2 })
  await entry({ item_id: 501, event: 'delete' })
  expect(await find(id)).toMatchObject({ message: 'Two', version: 2, hide: false, archived: false })
})

test('a website that counts its entries from 1 again changes no lead of another person [IN-04]', async () => {
  const id = `${form.id}-601`
  const mary = { item_id: 601, name: 'Mary Sue', email: 'mary@example.com', phone: '512-555-0601', message: 'Roof' }
  await entry(mary)
  const made = await find(id)
  const ben = { item_id: 601, name: 'Ben', email: 'ben@example.com', phone: '512-555-0602', message: 'Gutter' }
  await entry(ben)
  expect(await find(id)).toEqual(made)
  const ofBen = () => app.context.db.select().from(leadsTable).where(eq(leadsTable.lead_email, ben.email))
  const [own, ...more] = await ofBen()
  expect([own!.lead_id.startsWith(`${id}~`), more]).toEqual([true, []])
  await entry({ ...ben, message: 'Gutter and roof' })
  expect(await ofBen()).toMatchObject([{ id: own!.id, lead_id: own!.lead_id, message: 'Gutter and roof' }])
  const { rows } = await app.context.pool.query(
    'select state, reason, lead_id from inbound_events order by id desc limit 1',
  )
  expect(rows).toEqual([
    {
      ...{ state: 'done', lead_id: own!.id },
      reason: `The id ${id} belongs to lead ${made.id} of another person, so this is a lead of its own`,
    },
  ])
  // The same person, although one of these differs.
  await entry({ ...mary, name: 'M. Sue', phone: '512-555-0603' })
  await entry({ ...mary, name: 'M. Sue', email: 'sue@example.com', phone: '512-555-0603' })
  expect(await find(id)).toMatchObject({ id: made.id, lead_name: 'M. Sue', lead_email: 'sue@example.com', version: 3 })
  // Staff corrected her contact: what the website repeats is still her entry.
  const admin = await app.as(await app.make.superAdmin())
  const body = { lead_name: 'Mary Jones', lead_email: 'jones@example.com', lead_phone: '512-555-0699' }
  expect((await admin.call(leadsContract.update, { params: { id: made.id }, body })).status).toBe(200)
  const before = await app.context.db.$count(leadsTable)
  await entry({ ...mary, message: 'Roof again' })
  expect([await app.context.db.$count(leadsTable), (await find(id)).message]).toEqual([before, 'Roof again'])
})

test('a visitor’s answer that begins like a deletion is a lead', async () => {
  await entry({ item_id: 502, name: 'B', event: 'Trash removal' })
  expect(await find(`${form.id}-502`)).toMatchObject({ lead_name: 'B' })
})

test('an entry without a number is one lead however often it is sent, a different entry another one', async () => {
  const before = await app.context.db.$count(leadsTable)
  for (const message of ['same', 'same', 'other', 'same']) await entry({ name: 'No number', message })
  expect(await app.context.db.$count(leadsTable)).toBe(before + 2)
})
