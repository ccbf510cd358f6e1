import { desc, eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { auditTable } from '#core/db/schema.ts'
import { leadsContract } from '#domains/leads/contract.ts'
import { liveChannels } from '#domains/leads/live-channels.ts'
import { mailsTable } from '#domains/leads/mail/schema.ts'
import { relatedLeadsContract } from '#domains/leads/related/contract.ts'
import { keywordsTable, spammersTable } from '#domains/leads/spam/schema.ts'
import { type Caller, setUp, startApp } from '#test/app.ts'
import { until } from '#test/until.ts'
import { editLeadEndpoint, leadFormContract } from '../contract.ts'

const app = await setUp(startApp())
const superAdmin = await app.as(await app.make.superAdmin({ username: 'sue' }))
const client = await app.make.client({ emails: ['owner@example.com'] })
const campaign = await app.make.campaign({ client_id: client.id, name: 'Roofing' })
const site = await app.make.clientSite({ campaign_id: campaign.id })

let count = 0
const form = (more: object = {}) => ({
  campaign_id: campaign.id,
  clientsite_id: site.id,
  lead_date: '2026-03-02',
  lead_time: '09:05',
  lead_type: 'Form',
  lead_id: `added-${++count}`,
  ...more,
})
const create = (caller: Caller, body: object) => caller.call(leadFormContract.create, { body })
const mailsOf = (lead_id: number) => app.context.db.select().from(mailsTable).where(eq(mailsTable.lead_id, lead_id))

test('an added lead has what was filled in, in the agency’s time, and is in the list [LADD-09, LADD-10]', async () => {
  const all = form({
    lead_s: 'Callrail',
    lead_type: 'Call',
    lead_name: ' Jane Sample ',
    lead_email: 'Jane@Example.com',
    lead_phone: '(512) 555-0144',
    message: 'Roof leak',
    source: 'Google Maps',
    last_url: 'https://a.example/contact',
    referrer: 'https://www.google.com/',
    notify: true,
  })
  const { status, body } = await create(superAdmin, all)
  expect(status).toBe(200)
  expect(body).toMatchObject({
    ...all,
    lead_name: 'Jane Sample',
    campaign_name: 'Roofing',
    first_call: true,
    has_related: false,
    answering_status: 'Answered',
    confirmed: 0,
    hide: 0,
    tags: [],
    version: 1,
    mail: { kind: 'notification', state: 'queued' },
  })
  const { body: list } = await superAdmin.call(leadsContract.list, {
    query: { date_from: '2026-03-02', date_to: '2026-03-02' },
  })
  expect(list.data.map(({ id }: { id: number }) => id)).toContain(body.id)
})

test('only the required fields must be there; the rest is empty, and the client is notified [LADD-10]', async () => {
  const { body } = await create(superAdmin, form({ lead_name: '', lead_email: '' }))
  const none = { lead_name: null, lead_email: null, lead_phone: null, message: null, source: null, last_url: null }
  expect(body).toMatchObject({ ...none, lead_s: 'Callrail', notify: true, first_call: false })
})

describe('a missing field is refused in the dialog’s words', () => {
  const sentences = [
    ['campaign_id', 'Please select campaign', 'LADD-03'],
    ['clientsite_id', 'Please select client site', 'LADD-04'],
    ['lead_date', 'Please select lead date', 'LADD-05'],
    ['lead_time', 'Please select lead time', 'LADD-06'],
    ['lead_id', 'Please insert callrail lead id', 'LADD-07'],
    ['lead_type', 'Please select lead type', 'LADD-08'],
  ] as const
  test.each(sentences)('%s: %s [%s]', async (field, sentence) => {
    const { [field]: _left, ...without } = form() as Record<string, unknown>
    const mayBeNull = field === 'clientsite_id' // a lead that moves to another campaign may be left without a site [WORK-16]
    const before = await app.dump()
    for (const body of [without, { ...without, [field]: null }, { ...without, [field]: '' }]) {
      const { status, body: answer } = await create(superAdmin, body)
      expect([status, answer.errors]).toEqual([422, { [field]: [sentence] }])
      expect(editLeadEndpoint.body.safeParse(body).success).toBe(mayBeNull && body[field] === null)
    }
    expect(await app.dump()).toBe(before)
  })
})

test('fields that a new lead cannot have are refused by name [LADD-10, PERM-10]', async () => {
  const before = await app.dump()
  const foreign = {
    confirmed: 1,
    hide: 0,
    changers: [],
    recording_url: 'https://x.example',
    first_call: true,
    id: 7,
    tags: [],
  }
  const { status, body } = await create(superAdmin, form(foreign))
  expect(status).toBe(422)
  expect(body.errors).toEqual(
    Object.fromEntries(Object.keys(foreign).map((field) => [field, ['This field is not accepted']])),
  )
  expect(await app.dump()).toBe(before)
})

test('only admins with the leads page add leads, and only to their campaigns [LADD-01, PERM-01, PERM-04]', async () => {
  const other = await app.make.clientSite()
  const at = { campaigns: [campaign.id] }
  const admin = await app.as(await app.make.admin(at))
  const refused = [
    await app.as(await app.make.handler(at)),
    await app.as(await app.make.customer({ client_id: campaign.client_id })),
    await app.as(await app.make.admin({ ...at, permissions: ['archivedleads', 'campaigns', 'clientSites'] })),
  ]
  const before = await app.dump()
  for (const person of refused) expect((await create(person, form())).status).toBe(403)
  const theirs = form({ campaign_id: other.campaign_id, clientsite_id: other.id })
  expect((await create(admin, theirs)).status).toBe(404)
  expect((await create(admin, form({ campaign_id: 2_000_000_000 }))).status).toBe(404)
  expect(await app.dump()).toBe(before)
  expect((await create(admin, form())).status).toBe(200)
})

test('the client site must be one of the campaign [LADD-10]', async () => {
  const elsewhere = await app.make.clientSite()
  const gone = await app.make.clientSite({ campaign_id: campaign.id, deleted_at: new Date() })
  const before = await app.dump()
  for (const clientsite_id of [elsewhere.id, gone.id, 2_000_000_000]) {
    const { status, body } = await create(superAdmin, form({ clientsite_id }))
    expect([status, Object.keys(body.errors)]).toEqual([422, ['clientsite_id']])
  }
  expect(await app.dump()).toBe(before)
})

test('an id that the provider has already used is refused, also in ten concurrent requests [LADD-10, IN-04]', async () => {
  const body = form()
  const answers = await Promise.all(Array.from({ length: 10 }, () => create(superAdmin, body)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(409)])
  const before = await app.dump()
  const again = await create(superAdmin, body)
  expect(again.body.errors.lead_id).toEqual(['There already is a lead with this source and ID'])
  expect(await app.dump()).toBe(before)
  expect((await create(superAdmin, { ...body, lead_s: 'Formidable' })).status).toBe(200)
})

test('the client is mailed, unless Notify is off [LADD-11]', async () => {
  const told = await create(superAdmin, form())
  expect(await mailsOf(told.body.id)).toMatchObject([
    { kind: 'notification', recipients: expect.arrayContaining(['owner@example.com']), requested_by: null },
  ])
  const untold = await create(superAdmin, form({ notify: false }))
  expect(untold.body).toMatchObject({ notify: false, mail: null })
  expect(await mailsOf(untold.body.id)).toEqual([])
})

test('a lead on the spam lists is tagged with the cause, hidden and not mailed, like an incoming one [IN-08, IN-09]', async () => {
  const { db } = app.context
  await db.insert(spammersTable).values({ name: 'Spamela', phone: '+1 512-555-0166', phone_key: '+15125550166' })
  await db.insert(keywordsTable).values({ keyword: 'casino', position: 0 })
  const { body } = await create(superAdmin, form({ lead_phone: '512 555 0166', message: 'Online CASINO' }))
  expect(body).toMatchObject({
    hide: 1,
    tags: [
      { name: 'Autospam', because: 'spammer Spamela' },
      { name: 'BLSpam', because: "keyword 'casino'" },
    ],
  })
  expect(await mailsOf(body.id)).toEqual([])
  await db.delete(keywordsTable)
})

test('a call at night gets no tag that depends on how it went, which is unknown [IN-12]', async () => {
  const { body } = await create(superAdmin, form({ lead_type: 'Call', lead_time: '03:00' }))
  expect(body.tags).toEqual([])
})

test('an added lead counts among the first calls and the related leads [LEAD-75, REL-06]', async () => {
  const at = { lead_type: 'Call', lead_phone: '512-555-0177' }
  const later = await create(superAdmin, form({ ...at, lead_time: '12:00' }))
  const earlier = await create(superAdmin, form({ ...at, lead_time: '08:00' }))
  expect([later.body.first_call, earlier.body.first_call]).toEqual([true, true])
  const { body } = await superAdmin.call(relatedLeadsContract.ofLead, { params: { id: earlier.body.id } })
  expect(body.data).toMatchObject([{ id: later.body.id, first_call: false }])
  const everywhere = await superAdmin.call(relatedLeadsContract.everywhere, { query: { global: 1 } })
  const ids = everywhere.body.data.map(({ id }: { id: number }) => id)
  expect(ids).toEqual(expect.arrayContaining([later.body.id, earlier.body.id]))
})

test('a time that daylight saving skips moves forward [LADD-10]', async () => {
  const { body } = await create(superAdmin, form({ lead_date: '2026-03-08', lead_time: '02:30' }))
  expect([body.lead_date, body.lead_time]).toEqual(['2026-03-08', '03:30'])
})

test('the audit log says who added the lead and what they filled in; adding is not a change [LEAD-80]', async () => {
  const { body } = await create(superAdmin, form({ lead_name: 'Kim' }))
  const [entry] = await app.context.db
    .select()
    .from(auditTable)
    .where(eq(auditTable.row_id, body.id))
    .orderBy(desc(auditTable.id))
    .limit(1)
  expect(entry).toMatchObject({ kind: 'lead', action: 'created', username: 'sue', before: null, version: 1 })
  expect(entry!.after).toMatchObject({ lead_name: 'Kim', lead_time: '09:05', lead_id: body.lead_id })
  expect(entry!.after).not.toHaveProperty('message')
  expect(body.changers).toEqual([])
})

test('open lists are notified of an added lead', async () => {
  const heard: string[] = []
  const unhear = app.context.live.on(liveChannels.lead, (payload) => heard.push(payload))
  const { body } = await create(superAdmin, form())
  const news = await until(() => heard.find((payload) => payload.includes(String(body.id))))
  expect(JSON.parse(news)).toEqual({ id: body.id, campaign_id: campaign.id, hide: false })
  unhear()
})

test('the same dialog edits: whole forms of two people conflict, the second sees the newer lead [LADD-09, LEAD-79]', async () => {
  const { body: lead } = await create(superAdmin, form({ lead_name: 'Old' }))
  const values = Object.fromEntries(
    Object.keys(editLeadEndpoint.body.shape).map((field) => [field, lead[field] ?? null]),
  )
  const save = (more: object) =>
    superAdmin.call(editLeadEndpoint, { params: { id: lead.id }, body: { ...values, ...more } })
  expect((await save({ lead_name: 'New' })).body).toMatchObject({ lead_name: 'New', version: 2 })
  const second = await save({ message: 'Hello' })
  expect(second.status).toBe(409)
  expect(second.body).toMatchObject({ lead: { lead_name: 'New' }, errors: { lead_name: expect.anything() } })
})
