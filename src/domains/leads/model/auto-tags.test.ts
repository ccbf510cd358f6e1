import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { defaultSchedule } from '#domains/campaigns/contract.ts'
import { setUp, startApp } from '#test/app.ts'
import { callRailKey, postCall, sendCallRail, sendForm, waitForIntake } from '#test/provider-hooks.ts'
import { noCampaignId } from '../labels.ts'
import { mailsTable } from '../mail/schema.ts'
import { keywordsTable, spammersTable } from '../spam/schema.ts'
import { leadsTable } from './schema.ts'
import { checkWorkingTime } from './working-hours.ts'

const app = await setUp(startApp({ work: true, settings: { CALLRAIL_SIGNING_KEY: callRailKey } }))
const client = await app.make.client({ emails: ['owner@example.com'] })
const campaign = await app.make.campaign({ client_id: client.id, timezone: 'America/Chicago' })
const form = await app.make.clientSite({
  campaign_id: campaign.id,
  callrail_campaign_identifier: 'COM1',
  key: 'key-of-the-form',
})
await app.make.clientSite({ campaign_id: null, callrail_campaign_identifier: 'COM-homeless' })
await app.context.db.insert(spammersTable).values([
  { name: 'Spam Sam', phone: '+1 512-555-9999', phone_key: '+15125559999' },
  { name: 'Spam Pam', email: 'Pam@Spam.example' },
])
await app.context.db.insert(keywordsTable).values([
  { keyword: 'Buy SEO', position: 0 },
  { keyword: 'Casino', position: 1 },
])

/** Returns the lead that a call creates, and how many emails. */
async function called(values: Record<string, unknown>) {
  const call = postCall(values)
  expect((await sendCallRail(app, call)).status).toBe(200)
  return taken(call.resource_id)
}
async function filledIn(values: Record<string, unknown>) {
  const item_id = crypto.randomUUID()
  expect((await sendForm(app, form.id, 'key-of-the-form', { name: 'A', item_id, ...values })).status).toBe(200)
  return taken(`${form.id}-${item_id}`)
}
async function taken(lead_id: string) {
  await waitForIntake(app)
  const [lead] = await app.context.db.select().from(leadsTable).where(eq(leadsTable.lead_id, lead_id))
  const sent = await app.context.db.$count(mailsTable, eq(mailsTable.lead_id, lead!.id))
  return { ...lead!, mails: sent }
}

const monday = (time: string) => ({ start_time: `2026-03-16T${time}:00.000-05:00` })

test('a call or form from someone on the spammers list is Autospam, hidden and mailed to no one [IN-08]', async () => {
  const byPhone = await called({ customer_phone_number: '(512) 555-9999', answered: true, call_type: 'answered' })
  expect(byPhone).toMatchObject({ tags: ['Autospam'], hide: true, mails: 0 })
  expect(byPhone.tag_causes).toEqual([{ tag: 'Autospam', because: 'spammer Spam Sam' }])
  const byEmail = await filledIn({ email: 'PAM@spam.EXAMPLE' })
  expect(byEmail).toMatchObject({ tags: ['Autospam'], hide: true, mails: 0 })
  expect(byEmail.tag_causes).toEqual([{ tag: 'Autospam', because: 'spammer Spam Pam' }])
})

test.each([
  ['name', { name: 'Best Casino' }],
  ['email', { email: 'hi@CASINO.example' }],
  ['message', { message: 'You should buy seo from us' }],
  ['address', { page_url: 'https://a.example/?from=casino' }],
])('a blacklist keyword in the %s is BLSpam, hidden and mailed to no one: %j [IN-09]', async (_field, values) => {
  const lead = await filledIn(values)
  expect(lead).toMatchObject({ tags: ['BLSpam'], hide: true, mails: 0 })
  expect(lead.tag_causes).toEqual([{ tag: 'BLSpam', because: expect.stringMatching(/^keyword '(Casino|Buy SEO)'$/) }])
})

test('an unanswered call inside the working hours is Auto Missed Call, says which hours, and is mailed [IN-10]', async () => {
  const lead = await called(monday('11:00'))
  expect(lead).toMatchObject({ tags: ['Auto Missed Call'], answering_status: 'Missed', hide: false, mails: 1 })
  expect(lead.tag_causes).toEqual([{ tag: 'Auto Missed Call', because: 'Mon 10:00-19:00 America/Chicago' }])
})

test('an abandoned call is not a missed one: under 15 seconds, or called abandoned by the provider [IN-10]', async () => {
  for (const values of [{ duration: '14' }, { call_type: 'abandoned' }, { duration: '' }])
    expect(await called({ ...monday('11:00'), ...values })).toMatchObject({ tags: [], answering_status: 'Abandoned' })
  expect(await called({ ...monday('11:00'), duration: '15' })).toMatchObject({ answering_status: 'Missed' })
})

test('a call is not a missed one if nothing says that no one answered [IN-10, IN-12]', async () => {
  for (const at of ['11:00', '20:00'])
    expect(await called({ ...monday(at), answered: '', call_type: '' })).toMatchObject({ tags: [] })
})

test('a voicemail is Voicemail, not Auto Missed Call [IN-11]', async () => {
  const voicemail = { voicemail: true, call_type: 'voicemail' }
  expect(await called({ ...monday('11:00'), ...voicemail })).toMatchObject({
    tags: ['Voicemail'],
    answering_status: 'Unanswered',
  })
  expect(await called({ ...monday('11:00'), voicemail: 'true' })).toMatchObject({ tags: ['Voicemail'] })
})

test('an unanswered call outside the working hours is After Hours, not Auto Missed Call [IN-12]', async () => {
  const late = await called(monday('20:00'))
  expect(late).toMatchObject({ tags: ['After Hours'], answering_status: 'Unanswered', mails: 1 })
  expect(late.tag_causes).toEqual([{ tag: 'After Hours', because: 'Mon 10:00-19:00 America/Chicago' }])
  const sunday = await called({ start_time: '2026-03-15T12:00:00.000-05:00' })
  expect(sunday.tag_causes).toEqual([{ tag: 'After Hours', because: 'Sun closed America/Chicago' }])
  expect(await called({ ...monday('20:00'), voicemail: true })).toMatchObject({ tags: ['Voicemail', 'After Hours'] })
  expect(await called({ ...monday('20:00'), call_type: 'abandoned' })).toMatchObject({ tags: ['After Hours'] })
})

test('answered calls and forms are never After Hours, and a site without a campaign has no hours at all [IN-12]', async () => {
  expect(await called({ ...monday('20:00'), answered: true, call_type: 'answered' })).toMatchObject({ tags: [] })
  expect(await called({ ...monday('11:00'), answered: true, call_type: 'answered' })).toMatchObject({ tags: [] })
  expect(await filledIn({ email: 'night@example.com' })).toMatchObject({ tags: [], mails: 1 })
  const homeless = await called({ ...monday('20:00'), company_resource_id: 'COM-homeless', company_id: '' })
  expect(homeless).toMatchObject({ campaign_id: noCampaignId, tags: [], mails: 0 })
})

test('all tags that apply are set, in the order Autospam, BLSpam, Voicemail, After Hours [IN-13]', async () => {
  const values = { customer_phone_number: '512-555-9999', customer_name: 'Casino Royal', voicemail: true }
  const night = await called({ ...values, ...monday('20:00') })
  expect(night.tags).toEqual(['Autospam', 'BLSpam', 'Voicemail', 'After Hours'])
  const day = await called({ ...values, ...monday('12:00'), voicemail: false })
  expect(day.tags).toEqual(['Autospam', 'BLSpam', 'Auto Missed Call'])
})

// ——— daylight saving time ———

const hours = { timezone: 'America/New_York', schedule: defaultSchedule }
const always = (startTime: string, endTime: string) => ({
  timezone: 'America/New_York',
  schedule: [0, 1, 2, 3, 4, 5, 6].map((day) => ({ enabled: true, day, startTime, endTime })),
})
const isOpen = (at: string, of = hours) => checkWorkingTime(of, new Date(at)).open

test('the working hours include their start and exclude their end [IN-12]', () => {
  expect(isOpen('2026-03-16T14:00:00Z')).toBe(true) // Monday 10:00
  expect(isOpen('2026-03-16T13:59:59Z')).toBe(false)
  expect(isOpen('2026-03-16T22:59:59Z')).toBe(true)
  expect(isOpen('2026-03-16T23:00:00Z')).toBe(false) // 19:00
})

test('the working hours follow the local clock when the clocks change [IN-12]', () => {
  expect(isOpen('2026-03-06T14:30:00Z')).toBe(false) // Friday before, 09:30
  expect(isOpen('2026-03-09T14:30:00Z')).toBe(true) // Monday after, 10:30
  expect(isOpen('2026-10-30T14:30:00Z')).toBe(true)
  expect(isOpen('2026-11-02T14:30:00Z')).toBe(false)
})

test('the skipped hour and the repeated hour both count by the local clock [IN-12]', () => {
  const early = always('00:00', '02:00')
  expect(isOpen('2026-03-08T06:59:00Z', early)).toBe(true) // 01:59, and a minute later it is 03:00
  expect(isOpen('2026-03-08T07:00:00Z', early)).toBe(false)
  expect(isOpen('2026-11-01T05:30:00Z', early)).toBe(true) // 01:30
  expect(isOpen('2026-11-01T06:30:00Z', early)).toBe(true) // 01:30 again
  expect(isOpen('2026-11-01T07:00:00Z', early)).toBe(false)
})

test('24:00 is the end of the day, and the weekday is the campaign’s [IN-12]', () => {
  expect(isOpen('2026-03-17T03:59:59Z', always('20:00', '24:00'))).toBe(true)
  expect(isOpen('2026-03-17T04:00:00Z', always('20:00', '24:00'))).toBe(false)
  const tokyo = { ...hours, timezone: 'Asia/Tokyo' }
  expect(isOpen('2026-03-16T02:00:00Z', tokyo)).toBe(true) // Monday there, Sunday in New York
  expect(isOpen('2026-03-21T02:00:00Z', tokyo)).toBe(false) // Saturday there, Friday in New York
})
