import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { mailsTable } from '#domains/leads/mail/schema.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { setUp, startApp } from '#test/app.ts'
import { callRailKey, postCall, sendCallRail, sendForm, startIntakeApp, waitForIntake } from '#test/provider-hooks.ts'
import { inboundEventsTable } from '../schema.ts'

const { app, site, form, leadOf, events, lastEvent } = await setUp(startIntakeApp())

test('a signed call creates a lead in the campaign of its company [IN-01, IN-07]', async () => {
  const call = postCall({ customer_name: 'Ann Caller' })
  const answer = await sendCallRail(app, call)
  expect([answer.status, await answer.json()]).toEqual([200, { success: true }])
  await waitForIntake(app)
  expect(await leadOf(call.resource_id)).toMatchObject({
    lead_s: 'Callrail',
    lead_type: 'Call',
    campaign_id: site.campaign_id,
    clientsite_id: site.id,
    lead_name: 'Ann Caller',
    lead_location: 'Austin, TX',
    duration: 45,
    answered: false,
    occurred_at: new Date('2026-03-16T16:00:00Z'),
    source: 'Google Organic',
    tracking_source: 'Website Pool',
    tracking_phone_number: '+15125550180',
    keywords: 'roof repair',
    recording_url: null,
    first_call: true,
  })
})

test('a form that CallRail sends URL-encoded makes the lead of its answers [IN-01] [EDGE-07]', async () => {
  const sent = { id: 'FRM-encoded', company_resource_id: 'COM1', form_url: 'https://a.example/contact' }
  const answers = {
    'form_data[name]': 'Fay Form',
    'form_data[phone]': '512-555-0166',
    'form_data[message]': 'It leaks',
  }
  expect((await sendCallRail(app, new URLSearchParams({ ...sent, ...answers }).toString())).status).toBe(200)
  await waitForIntake(app)
  expect(await leadOf('FRM-encoded')).toMatchObject({
    ...{ lead_name: 'Fay Form', lead_phone: '512-555-0166', message: 'It leaks', campaign_id: site.campaign_id },
  })
})

test('a form of CallRail in which nothing was filled in is put aside, and makes no lead [EDGE-07]', async () => {
  const before = await app.context.db.$count(leadsTable)
  const forms = [{}, [], null, '', { name: '', email: ' ', 'What leaks?': [] }, { name: 'N/A' }]
  for (const [index, form_data] of forms.entries())
    await sendCallRail(app, { id: `FRM-blank-${index}`, company_resource_id: 'COM1', form_data, form_url: '/contact' })
  await waitForIntake(app)
  expect(await app.context.db.$count(leadsTable)).toBe(before)
  expect(await lastEvent()).toMatchObject({ state: 'quarantined', reason: 'No field of the form was filled in' })
  // Who sent it may stand beside the form, and its answers may be one text.
  for (const [id, more, lead] of [
    ['FRM-beside', { form_data: {}, customer_phone_number: '+15125550167' }, { lead_phone: '+15125550167' }],
    ['FRM-text', { form_data: 'Name: Jane\nPhone: 512-555-0168' }, { message: 'Name: Jane\nPhone: 512-555-0168' }],
  ] as const) {
    await sendCallRail(app, { id, company_resource_id: 'COM1', ...more })
    await waitForIntake(app)
    expect(await leadOf(id)).toMatchObject(lead)
  }
})

test('a missing, wrong or foreign signature is refused, stores nothing and creates no lead (R12) [IN-01]', async () => {
  await app.make.clientSite({ callrail_campaign_identifier: 'COM-own', signingKey: 'key-of-this-company' })
  const before = await app.dump()
  const call = postCall()
  const own = postCall({ company_resource_id: 'COM-own', company_id: '' })
  const refused = [
    await sendCallRail(app, call, { signature: null }),
    await sendCallRail(app, call, { signature: '' }),
    await sendCallRail(app, call, { key: 'another key' }),
    await sendCallRail(app, call, { signature: `${'A'.repeat(27)}=` }),
    await sendCallRail(app, own), // the agency's key is not valid for a company with its own key
    await sendCallRail(app, call, { key: 'key-of-this-company' }), // nor does one company's key for another
  ]
  expect(refused.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 401])
  expect(await app.dump()).toBe(before)
})

test('without any key every event is refused [IN-01]', async () => {
  const closed = await startApp({ settings: {} })
  try {
    await closed.make.clientSite({ callrail_campaign_identifier: 'COM1' })
    await closed.make.clientSite({ callrail_campaign_identifier: 'COM2', campaign_id: null })
    for (const key of ['', 'undefined', 'null', callRailKey])
      expect((await sendCallRail(closed, postCall(), { key: key || 'x' })).status).toBe(401)
    const keyless = await closed.make.clientSite()
    for (const key of ['', 'undefined', 'null'])
      expect((await sendForm(closed, keyless.id, key, { name: 'A' })).status).toBe(401)
    expect(await closed.context.db.$count(inboundEventsTable)).toBe(0)
  } finally {
    await closed.close()
  }
})

test('a form with the key of its site creates a lead in its campaign [IN-02, IN-07]', async () => {
  const sent = {
    name: 'Fay Form',
    email: 'Fay@Example.com',
    phone: '(512) 555-0144',
    message: 'Leaky roof',
    item_id: '77',
  }
  const more = { page_url: 'https://a.example/contact?gclid=abc', utm_source: 'google', utm_medium: 'cpc', form_id: 3 }
  const answer = await sendForm(app, form.id, 'key-of-the-form', { ...sent, ...more })
  expect([answer.status, await answer.json()]).toEqual([200, { success: true }])
  await waitForIntake(app)
  expect(await leadOf(`${form.id}-77`)).toMatchObject({
    lead_s: 'Formidable',
    lead_type: 'Form',
    campaign_id: form.campaign_id,
    clientsite_id: form.id,
    lead_name: 'Fay Form',
    lead_email: 'Fay@Example.com',
    lead_phone: '(512) 555-0144',
    phone_key: '+15125550144',
    message: 'Leaky roof',
    source: 'Google Paid',
    gclid: 'abc',
    last_url: 'https://a.example/contact?gclid=abc',
    answered: null,
    tags: [],
  })
})

test('a form with a wrong key, of another site or of no site is refused with the same message [IN-02]', async () => {
  const other = await app.make.clientSite({ key: 'key-of-another' })
  const gone = await app.make.clientSite({ key: 'key-of-the-gone', deleted_at: new Date() })
  const before = await app.dump()
  const entry = { name: 'A', item_id: '1' }
  const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` })
  const refused = [
    await sendForm(app, form.id, 'wrong', entry),
    await sendForm(app, form.id, 'key-of-another', entry),
    await sendForm(app, other.id, 'key-of-the-form', entry),
    await sendForm(app, gone.id, 'key-of-the-gone', entry),
    await sendForm(app, 999_999, 'key-of-the-form', entry),
    await sendForm(app, form.id, '', entry),
    await sendForm(app, form.id, '', entry, { authorization: '' }),
    await sendForm(app, form.id, '', entry, basic('x:key-of-the-form')),
    await sendForm(app, form.id, '', entry, { authorization: 'Bearer key-of-the-form' }),
  ]
  for (const answer of refused)
    expect([answer.status, await answer.json()]).toEqual([401, { message: 'The signature or key is wrong' }])
  expect(await app.dump()).toBe(before)
})

test('a session is not a proof: a signed-in user is refused, even with the key [IN-02]', async () => {
  const admin = await app.as(await app.make.superAdmin())
  const answer = await admin.fetch(`/api/hooks/formidable/${form.id}`, { method: 'POST', body: '{}' })
  expect(answer.status).toBe(403)
})

test('the same event delivered a hundred times at once creates one lead and one mail (R13) [IN-04]', async () => {
  const client = await app.make.client({ emails: ['owner@example.com'] })
  const { id } = await app.make.campaign({ client_id: client.id })
  await app.make.clientSite({ campaign_id: id, callrail_campaign_identifier: 'COM-hundred' })
  const call = postCall({ company_resource_id: 'COM-hundred' })
  const answers = await Promise.all(Array.from({ length: 100 }, () => sendCallRail(app, call)))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  await waitForIntake(app)
  const found = await app.context.db.select().from(leadsTable).where(eq(leadsTable.lead_id, call.resource_id))
  expect(found).toHaveLength(1)
  expect(await app.context.db.$count(mailsTable, eq(mailsTable.lead_id, found[0]!.id))).toBe(1)
  const stored = (await events()).filter(({ lead_id }) => lead_id === found[0]!.id)
  expect(stored.map(({ state }) => state)).toEqual(Array.from({ length: 100 }, () => 'done'))
})

test('the test button of the form plugin succeeds and creates no lead', async () => {
  const before = await app.context.db.$count(leadsTable)
  const key = 'key-of-the-form'
  const answers = [
    await sendForm(app, form.id, key, { test: true }, { 'content-type': 'application/json', 'x-hook-test': 'true' }),
    await sendForm(app, form.id, key, { test: true }),
    await sendForm(app, form.id, key, { name: 'Only a test' }, { 'x-hook-test': 'true' }),
  ]
  for (const answer of answers) expect([answer.status, await answer.json()]).toEqual([200, { success: true }])
  await waitForIntake(app)
  expect(await app.context.db.$count(leadsTable)).toBe(before)
  expect(await lastEvent()).toMatchObject({ state: 'ignored', reason: 'A test from the form plugin' })
})
