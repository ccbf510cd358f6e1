import { and, asc, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { leadsContract } from '#domains/leads/contract.ts'
import { customSourcesContract } from '#domains/leads/custom-sources/contract.ts'
import { mailsTable } from '#domains/leads/mail/schema.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { setUp, startApp } from '#test/app.ts'
import { callRailKey, postCall, sendCallRail, sendForm, waitForIntake } from '#test/provider-hooks.ts'
import { inboundEventsTable } from '../schema.ts'

/** What providers say themselves about their events: a test, spam, a draft, an event that was overtaken. */

const app = await setUp(startApp({ work: true, settings: { CALLRAIL_SIGNING_KEY: callRailKey } }))
const root = await app.as(await app.make.superAdmin())
const client = await app.make.client({ emails: ['owner@example.com'] })
const campaign = await app.make.campaign({ client_id: client.id, timezone: 'America/Chicago' })
const site = await app.make.clientSite({
  campaign_id: campaign.id,
  callrail_campaign_identifier: 'COM1',
  key: 'form-key',
})

const json = { 'content-type': 'application/json' }
async function makeSource(more: object): Promise<{ id: number; key: string }> {
  const body = { name: 'Source', clientsite_id: site.id, ...more }
  return (await root.call(customSourcesContract.create, { body })).body
}
async function send(source: { key: string }, body: object | URLSearchParams) {
  const answer = await app.guest.fetch(`/api/hooks/in/${source.key}`, {
    method: 'POST',
    body: body instanceof URLSearchParams ? body : JSON.stringify(body),
    ...(body instanceof URLSearchParams ? {} : { headers: json }),
  })
  expect(answer.status).toBe(200)
  await waitForIntake(app)
}
const leadsOf = (id: number) =>
  app.context.db
    .select()
    .from(leadsTable)
    .where(eq(leadsTable.origin, `source/${id}`))
    .orderBy(asc(leadsTable.id))
const mailsOf = (id: number) => app.context.db.$count(mailsTable, eq(mailsTable.lead_id, id))
const callLead = async (lead_id: string) =>
  (await app.context.db.select().from(leadsTable).where(eq(leadsTable.lead_id, lead_id)))[0]!

const dummy = (question: string) => `<test lead: dummy data for ${question}>`
const facebookTest = {
  id: '900000000000001',
  created_time: '2026-11-26T15:20:00+0000',
  field_data: [
    { name: 'full_name', values: [dummy('full_name')] },
    { name: 'email', values: ['test@meta.com'] },
    { name: 'phone_number', values: [dummy('phone_number')] },
  ],
}
const googleTest = {
  lead_id: 'T1',
  user_column_data: [{ column_id: 'FULL_NAME', string_value: 'Gia' }],
  google_key: 'k',
}

test.each<[string | null, string, object]>([
  ['facebook', 'A test from Facebook', facebookTest],
  [
    'facebook',
    'A test from Facebook',
    { id: '2', field_data: [{ name: 'city', values: [dummy('city').toUpperCase()] }] },
  ],
  [
    'facebook',
    'A test from Facebook',
    { id: '3', field_data: [{ name: 'city', values: [dummy('city').replaceAll(' ', '\u00a0')] }] },
  ],
  [null, 'A test from Facebook', { name: 'test lead: dummy data for full_name', email: 'test@meta.com' }],
  [null, 'A test from Facebook', { name: 'Ann', answers: JSON.stringify({ q1: { text: dummy('what is leaking?') } }) }],
  [null, 'A test from Facebook', new URLSearchParams({ name: 'Ann', roof: '&lt;test lead: dummy data for roof&gt;' })],
  ...[true, 'true', 'TRUE', 1, '1'].map((is_test): [string, string, object] => [
    'google',
    'A test from Google',
    { ...googleTest, is_test },
  ]),
  [null, 'A test from Google', new URLSearchParams({ name: 'Ann', is_test: '1' })],
  [null, 'A test from Google', { name: 'Ann', data: { ...googleTest, is_test: 'true' } }],
  [null, 'A test from LinkedIn', { name: 'Ann', testLead: true }],
])('a test of a provider is put aside and listed, and is no lead (%s, %s) [EDGE-06]', async (preset, reason, body) => {
  const source = await makeSource({ preset, mapping: preset ? {} : { lead_name: { from: 'name' } } })
  const mails = await app.context.db.$count(mailsTable)
  await send(source, body)
  const { body: listed } = await root.call(customSourcesContract.events, { params: { id: source.id } })
  expect(listed).toMatchObject({ data: [{ state: 'quarantined', reason, lead_id: null }], total: 1 })
  expect((await root.call(customSourcesContract.replay, { params: { id: source.id }, body: {} })).body).toEqual({
    replayed: 0,
  })
  expect([await leadsOf(source.id), await app.context.db.$count(mailsTable)]).toEqual([[], mails])
})

const outboundCall = { id: 'out-1', direction: 'outbound', from: '+15125550180', to: '+15125550144', name: 'Ann' }
test.each<[string, object]>([
  ['a flat call', outboundCall],
  ['OpenPhone', { type: 'call.completed', data: { object: { ...outboundCall, direction: 'outgoing' } } }],
  ['Aircall', { event: 'call.ended', data: outboundCall }],
  ['Twilio', new URLSearchParams({ CallSid: 'CA1', From: '+15125550180', Direction: 'outbound-api', name: 'Ann' })],
])('a call that was made is put aside, and is no lead (%s) [EDGE-06]', async (_, body) => {
  const source = await makeSource({ mapping: { lead_name: { value: 'Ann' }, lead_phone: { from: 'to' } } })
  const mails = await app.context.db.$count(mailsTable)
  await send(source, body)
  const { body: listed } = await root.call(customSourcesContract.events, { params: { id: source.id } })
  expect(listed).toMatchObject({ data: [{ state: 'quarantined', reason: 'An outbound call', lead_id: null }] })
  expect([await leadsOf(source.id), await app.context.db.$count(mailsTable)]).toEqual([[], mails])
})

test('a call that was received, and the answer of a form about a direction, are leads [EDGE-06]', async () => {
  const source = await makeSource({ mapping: { lead_name: { from: 'name' } } })
  await send(source, { ...outboundCall, direction: 'inbound', legs: [{ ...outboundCall, id: 'leg' }] })
  await send(source, { name: 'Bea', phone: '512-555-0199', direction: 'outbound' })
  expect((await leadsOf(source.id)).map(({ lead_name }) => lead_name)).toEqual(['Ann', 'Bea'])
})

test('a lead that only speaks of a test, or denies to be one, is a lead [EDGE-06]', async () => {
  const google = await makeSource({ preset: 'google' })
  for (const [index, is_test] of [false, 'false', 0, '0', '', null].entries())
    await send(google, { ...googleTest, lead_id: `real-${index}`, is_test })
  expect(await leadsOf(google.id)).toHaveLength(6)
  const facebook = await makeSource({ preset: 'facebook' })
  const answer = { name: 'full_name', values: ['Testa Lead: dummy data for sale'] }
  await send(facebook, { id: '3', field_data: [answer] })
  expect(await leadsOf(facebook.id)).toMatchObject([{ lead_name: 'Testa Lead: dummy data for sale' }])
})

test('a test that comes through another provider’s hook is no lead either [EDGE-06]', async () => {
  await sendForm(app, site.id, 'form-key', { item_id: '77', name: dummy('full_name') })
  await waitForIntake(app)
  const { clientsite_id, provider, state, reason } = inboundEventsTable
  expect(
    await app.context.db
      .select({ state, reason })
      .from(inboundEventsTable)
      .where(and(eq(clientsite_id, site.id), eq(provider, 'formidable'))),
  ).toEqual([{ state: 'ignored', reason: 'A test from Facebook' }])
})

test.each([true, 'true', 1])(
  'what WhatConverts flags as spam is tagged, hidden and mailed to no one (%j) [EDGE-06]',
  async (spam) => {
    const source = await makeSource({ preset: 'whatconverts' })
    const lead = { lead_id: 153928, lead_type: 'Web Form', contact_name: 'Ada', contact_phone_number: '+15125550177' }
    await send(source, { ...lead, spam })
    const [made] = await leadsOf(source.id)
    const because = 'WhatConverts marked it as spam'
    expect(made).toMatchObject({ tags: ['Spam'], tag_causes: [{ tag: 'Spam', because }], hide: true })
    expect(await mailsOf(made!.id)).toBe(0)
    await send(source, { ...lead, lead_id: 153929, spam: 'false' })
    expect(await leadsOf(source.id)).toMatchObject([{}, { tags: [], hide: false }])
    await send(source, { ...lead, spam: false })
    expect(await leadsOf(source.id)).toMatchObject([{ tags: [], tag_causes: [], hide: false }, {}])
    expect(await mailsOf(made!.id)).toBe(0)
  },
)

test('what CallRail flags as spam, at once or later, is tagged, hidden and mailed to no one [EDGE-06]', async () => {
  const flagged = postCall({ spam: true })
  await sendCallRail(app, flagged)
  await waitForIntake(app)
  const lead = await callLead(flagged.resource_id)
  expect([lead.tags.includes('Spam'), lead.hide, await mailsOf(lead.id)]).toEqual([true, true, 0])

  const later = postCall({ answered: true, call_type: 'answered' })
  await sendCallRail(app, later)
  await sendCallRail(app, { ...later, spam: true, changes: ['note'] })
  await waitForIntake(app)
  const because = 'CallRail marked it as spam'
  expect(await callLead(later.resource_id)).toMatchObject({
    tags: ['Spam'],
    tag_causes: [{ tag: 'Spam', because }],
    hide: true,
  })

  // A person knows better.
  const { id } = await callLead(later.resource_id)
  expect((await root.call(leadsContract.update, { params: { id }, body: { tags: [], hide: 0 } })).status).toBe(200)
  await sendCallRail(app, { ...later, spam: true, changes: ['tags'] })
  await waitForIntake(app)
  expect(await callLead(later.resource_id)).toMatchObject({ tags: [], hide: false })
})

test.each<[unknown, string]>([
  ['1', 'A draft, not sent yet'],
  [2, 'In progress, not sent yet'],
  ['3', 'Abandoned, never sent'],
  ['In progress', 'In progress, not sent yet'],
  ['abandoned', 'Abandoned, never sent'],
  ['3.0', 'Abandoned, never sent'],
  ['02', 'In progress, not sent yet'],
  ['IN_PROGRESS', 'In progress, not sent yet'],
])(
  'an entry of a Formidable form that was not sent (%j) makes no lead before it is sent [EDGE-06]',
  async (is_draft, reason) => {
    const item_id = `draft-${is_draft}`
    const entry = (more: object) => sendForm(app, site.id, 'form-key', { item_id, form_id: 7, name: 'Ann', ...more })
    await entry({ is_draft })
    await waitForIntake(app)
    expect(await callLead(`${site.id}-${item_id}`)).toBeUndefined()
    const [event] = await app.context.db.select().from(inboundEventsTable).where(eq(inboundEventsTable.reason, reason))
    expect(event).toMatchObject({ state: 'ignored', lead_id: null })
    await entry({ is_draft: '0' })
    await waitForIntake(app)
    expect(await callLead(`${site.id}-${item_id}`)).toMatchObject({ lead_name: 'Ann' })
  },
)

test('the spam flag of an event that is wrapped is read, whatever it is called [EDGE-06]', async () => {
  const mapping = { lead_name: { from: 'data.name' }, lead_id: { from: 'data.id' } }
  const source = await makeSource({ mapping, confirmed: 1 })
  const wrapped = [
    { data: { id: 'w1', name: 'Ann', spam: true } },
    { event: 'lead.created', data: { id: 'w2', name: 'Bea', is_spam: 'yes' } },
    { data: { id: 'w3', name: 'Cay', spam: false } },
    { data: { id: 'w4', name: 'Dot', answers: [{ name: 'spam', value: 'yes' }] } },
  ]
  for (const body of wrapped) await send(source, body)
  expect((await leadsOf(source.id)).map(({ lead_id, hide }) => [lead_id, hide])).toEqual([
    ['w1', true],
    ['w2', true],
    ['w3', false],
    ['w4', false],
  ])
})

test('WhatConverts and Jotform correct the contact of a lead; a mapped number may be a form’s [IN-04]', async () => {
  const caller = { lead_id: 51, lead_type: 'Phone Call', caller_name: 'WIRELESS CALLER', caller_number: '+15125550151' }
  const contact = { contact_name: 'Ann Otter', contact_phone_number: '+15125550152' }
  const source = await makeSource({ preset: 'whatconverts' })
  await send(source, { ...caller, spam: false })
  await send(source, { ...caller, ...contact, spam: true })
  const corrected = { lead_name: 'Ann Otter', lead_phone: '+15125550152', tags: ['Spam'], hide: true }
  expect(await leadsOf(source.id)).toMatchObject([corrected])

  const jotform = await makeSource({ preset: 'jotform' })
  const submission = (q3_name: string, q4_email: string) =>
    new URLSearchParams({ submissionID: '61', rawRequest: JSON.stringify({ q3_name, q4_email }) })
  await send(jotform, submission('Ann', 'ann@exmaple.com'))
  await send(jotform, submission('Ann Otter', 'ann@example.com'))
  expect(await leadsOf(jotform.id)).toMatchObject([{ lead_name: 'Ann Otter', lead_email: 'ann@example.com' }])

  const mapped = await makeSource({
    preset: 'whatconverts',
    mapping: { lead_id: { from: 'profile_id' } },
    confirmed: 1,
  })
  await send(mapped, { ...caller, profile_id: 7 })
  await send(mapped, { ...caller, ...contact, profile_id: 7 })
  expect(await leadsOf(mapped.id)).toHaveLength(2)
})

test('an entry of a Formidable form without anyone to call back is put aside [EDGE-07]', async () => {
  const entry = async (item_id: string, more: object) => {
    await sendForm(app, site.id, 'form-key', { item_id, form_id: 7, ...more })
    await waitForIntake(app)
    return callLead(`${site.id}-${item_id}`)
  }
  expect(await entry('empty', { name: '', email: 'N/A', phone: '{{phone}}', message: 'It leaks' })).toBeUndefined()
  const reason = 'The contact fields are all empty: Name, Email, Phone'
  const [event] = await app.context.db.select().from(inboundEventsTable).where(eq(inboundEventsTable.reason, reason))
  expect(event).toMatchObject({ state: 'quarantined', lead_id: null })
  expect(await entry('counted', { name: '', email: '', phone: '', message: '866 shingles' })).toBeUndefined()
  // A form may call its fields as it likes.
  expect(await entry('other-names', { 'Reach me at': '512-555-0144', message: 'It leaks' })).toMatchObject({
    ...{ lead_phone: '512-555-0144', message: 'It leaks' },
  })
  expect(await entry('among-words', { 'Reach me at': '512-555-0144 after 5', message: 'It leaks' })).toMatchObject({
    message: 'It leaks\n\nReach me at: 512-555-0144 after 5',
  })
  // A form that asks for no contact has none to miss.
  expect(await entry('no-contact', { message: 'It leaks' })).toMatchObject({ message: 'It leaks' })
})

test.each([
  ['a list of one object', (entry: object) => [entry], {}],
  [
    'the one field of a form',
    (entry: object) => new URLSearchParams({ payload: JSON.stringify(entry) }),
    { 'content-type': 'application/x-www-form-urlencoded' },
  ],
])('an entry of Formidable in %s is read [EDGE-07]', async (kind, wrap, headers) => {
  const item_id = `wrapped-${kind.length}`
  const sent = wrap({ item_id, form_id: 7, name: 'Ann', email: 'ann@example.com' })
  const body = sent instanceof URLSearchParams ? String(sent) : JSON.stringify(sent)
  const answer = await sendForm(app, site.id, 'form-key', body, { 'content-type': 'application/json', ...headers })
  expect(answer.status).toBe(200)
  await waitForIntake(app)
  expect(await callLead(`${site.id}-${item_id}`)).toMatchObject({ lead_name: 'Ann', lead_email: 'ann@example.com' })
})

test('a body that is nested without end is refused or put aside with a sentence, never an error', async () => {
  const deep = `{"name":"Ann","x":${'['.repeat(5000)}${']'.repeat(5000)}}`
  const source = await makeSource({})
  const says = 'The body is nested more than 100 levels deep'
  const hook = await app.guest.fetch(`/api/hooks/in/${source.key}`, { method: 'POST', body: deep, headers: json })
  expect([hook.status, await hook.json()]).toMatchObject([400, { message: says }])
  const call = await root.fetch(`/api/intakes/${source.id}/preview`, { method: 'POST', body: deep, headers: json })
  expect([call.status, await call.json()]).toMatchObject([422, { message: says }])
})

const twilioMapping = {
  lead_id: { from: 'CallSid' },
  lead_phone: { from: 'From' },
  answered: { from: 'CallStatus' },
  duration: { from: 'CallDuration' },
  lead_type: { value: 'Call' },
}
const twilio = (CallStatus: string, SequenceNumber: number, more: Record<string, string> = {}) =>
  new URLSearchParams({
    CallSid: 'CA1',
    From: '+15125550144',
    CallStatus,
    SequenceNumber: String(SequenceNumber),
    ...more,
  })

test('an event that Twilio sends late never makes an answered call unanswered, also when replayed [EDGE-06]', async () => {
  const source = await makeSource({ mapping: twilioMapping })
  await send(source, twilio('completed', 3, { CallDuration: '95' }))
  await send(source, twilio('no-answer', 2))
  const answered = [{ answered: true, duration: 95 }]
  expect(await leadsOf(source.id)).toMatchObject(answered)
  const { data } = (await root.call(customSourcesContract.events, { params: { id: source.id } })).body
  const ids = data.map(({ id }: { id: number }) => id)
  await root.call(customSourcesContract.replay, { params: { id: source.id }, body: { ids } })
  await waitForIntake(app)
  expect(await leadsOf(source.id)).toMatchObject(answered)
})

test('the start of a call that arrives behind its end does not make it 0 seconds long [EDGE-06]', async () => {
  const mapping = {
    lead_id: { from: 'data.id' },
    lead_phone: { from: 'data.raw_digits' },
    duration: { from: 'data.duration' },
  }
  const source = await makeSource({ mapping })
  const aircall = (event: string, duration: number) => ({
    event,
    data: { id: 812, direction: 'inbound', raw_digits: '+1 512-555-0144', duration },
  })
  await send(source, aircall('call.ended', 95))
  await send(source, aircall('call.created', 0))
  expect(await leadsOf(source.id)).toMatchObject([{ lead_type: 'Call', duration: 95 }])
  await send(source, aircall('call.ended', 97))
  expect(await leadsOf(source.id)).toMatchObject([{ duration: 97 }])
})

test('events of one call that are processed together are read in Twilio’s order, and the last one counts [EDGE-06]', async () => {
  const source = await makeSource({})
  await send(source, twilio('completed', 3, { CallDuration: '95' }))
  await send(source, twilio('no-answer', 2))
  await root.call(customSourcesContract.update, { params: { id: source.id }, body: { mapping: twilioMapping } })
  await root.call(customSourcesContract.replay, { params: { id: source.id }, body: {} })
  await waitForIntake(app)
  expect(await leadsOf(source.id)).toMatchObject([{ answered: true, duration: 95 }])
  await send(source, twilio('no-answer', 4))
  expect(await leadsOf(source.id)).toMatchObject([{ answered: false }])
})
