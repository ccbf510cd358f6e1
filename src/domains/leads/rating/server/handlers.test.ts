import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { disputesContract } from '#domains/billing/disputes/contract.ts'
import { disputeReasons } from '#domains/billing/disputes/labels.ts'
import { disputesTable } from '#domains/billing/disputes/schema.ts'
import { leadHistoryContract } from '#domains/leads/history/contract.ts'
import { setUp, startApp } from '#test/app.ts'
import { makeMailedLead } from '#test/mailed-lead.ts'
import { type RatingFormInput, ratingMessages } from '../contract.ts'

const app = await setUp(startApp({ settings: { TRUSTED_PROXIES: '127.0.0.1' } }))

const rated = { status: 200, body: { message: ratingMessages.saved } }

test('the key of a mail opens its lead, with only the client’s fields [RATE-12]', async () => {
  const campaign = await app.make.campaign({ name: 'Austin Roofing' })
  const { get } = await makeMailedLead(app, {
    campaign_id: campaign.id,
    lead_name: 'Jane',
    lead_type: 'Call',
    occurred_at: new Date('2026-03-16T16:04:00Z'),
    lead_email: 'jane@example.com',
    lead_phone: '512-555-0144',
    lead_location: 'Austin, TX',
    message: null,
    recording_url: 'https://provider.example/secret',
    notes: 'Seen',
    tags: ['Voicemail'],
    client_value: 12.5,
    rating: 4,
    source: 'Google Paid',
    gclid: 'abc',
    tracking_source: 'Pool',
  })
  const { status, body, headers } = await get()
  expect([status, body]).toEqual([
    200,
    {
      campaign: 'Austin Roofing',
      name: 'Jane',
      type: 'Call',
      date: '2026-03-16',
      time: '12:04',
      timezone_name: 'EDT',
      agency: { name: 'Leadline', color: '#2a5bd7', logo: null },
      email: 'jane@example.com',
      phone: '512-555-0144',
      location: 'Austin, TX',
      message: null,
      recording: expect.stringMatching(/^\/api\/recording\/\d+\/stream\?by=rating\+key\+\d+&expires=\d+&signature=/),
      notes: 'Seen',
      tags: ['Voicemail'],
      progress: null,
      rating: '4',
      earlier_choice: null,
      company_name: null,
      client_notes: null,
      value: 12.5,
      profit: null,
    },
  ])
  expect([headers.get('cache-control'), headers.get('x-robots-tag'), headers.get('referrer-policy')]).toEqual([
    'no-store',
    'noindex',
    'no-referrer',
  ])
})

test('reading a lead by its key never writes [RATE-12]', async () => {
  const { get } = await makeMailedLead(app)
  const before = await app.dump()
  for (let times = 0; times < 40; times += 1) expect((await get()).status).toBe(200)
  expect(await app.dump()).toBe(before)
})

test('the six fields are saved, with an audit entry that names no one [RATE-13, RATE-15]', async () => {
  const lead = await makeMailedLead(app)
  const body = {
    progress: 1,
    rating: '5',
    company_name: 'ACME',
    notes: 'Good one',
    value: 1200.5,
    profit: 300,
  } as const
  expect(await lead.save(body)).toMatchObject(rated)
  expect(await lead.row()).toMatchObject({
    client_progress: 1,
    rating: 5,
    rating_via: 'page',
    company_name: 'ACME',
    client_notes: 'Good one',
    client_value: 1200.5,
    client_profit: 300,
    version: 2,
  })
  expect(await lead.trail()).toMatchObject([
    {
      kind: 'lead',
      user_id: null,
      username: null,
      version: 2,
      after: { rating: '5', rating_via: 'page', via: 'page' },
    },
  ])
  expect((await lead.get()).body).toMatchObject({ progress: 1, rating: '5', client_notes: 'Good one', value: 1200.5 })
})

test('missing fields stay, empty ones are cleared, unknown ones are ignored, bad ones are named [RATE-13]', async () => {
  const lead = await makeMailedLead(app, {
    company_name: 'ACME',
    client_notes: 'Old',
    notes: 'Ours',
    rating: 3,
    rating_via: 'staff',
  })
  await lead.save({ company_name: '', rating: '3', ...{ confirmed: 1, hide: 1, lead_name: 'Eve', tags: [] } })
  expect(await lead.row()).toMatchObject({
    company_name: null,
    client_notes: 'Old',
    notes: 'Ours',
    rating: 3,
    rating_via: 'staff',
    confirmed: false,
    hide: false,
  })
  const before = await app.dump()
  for (const [body, field] of [
    [{ rating: '6' }, 'rating'],
    [{ progress: 0 }, 'progress'],
    [{ value: -1 }, 'value'],
    [{ profit: 1.005 }, 'profit'],
    [{ notes: 'a\u0000b' }, 'notes'],
    [{ company_name: ['x'] }, 'company_name'],
  ] as const) {
    const answer = await lead.save(body as RatingFormInput)
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, [field]])
  }
  expect(await app.dump()).toBe(before)
})

test('a click on a star counts at once and is marked as from a link; the page’s Save makes it a person’s [RATE-15]', async () => {
  const lead = await makeMailedLead(app, { client_notes: 'Kept' })
  expect(await lead.star('4')).toMatchObject(rated)
  expect(await lead.row()).toMatchObject({ rating: 4, rating_via: 'link', client_notes: 'Kept', version: 2 })
  expect(await lead.trail()).toMatchObject([
    { before: { rating: null }, after: { rating: '4', rating_via: 'link', via: 'link' } },
  ])
  await lead.save({ rating: '4', notes: 'And said so' })
  expect(await lead.row()).toMatchObject({ rating: 4, rating_via: 'page', client_notes: 'And said so' })
})

test('the not-a-lead link sets the progress and leaves the rating', async () => {
  const lead = await makeMailedLead(app, { rating: 2, rating_via: 'page', client_progress: 1 })
  await lead.notLead()
  expect(await lead.row()).toMatchObject({ client_progress: 5, rating: 2, rating_via: 'page' })
})

test('a lead accepts 20 counted saves an hour, an address 30 a minute; then it is 429', async () => {
  const lead = await makeMailedLead(app)
  await lead.trap() // does not count
  for (let times = 1; times <= 20; times += 1) expect((await lead.save({ value: times })).status).toBe(200)
  const late = await lead.save({ value: 21 })
  expect(late).toMatchObject({ status: 429, body: { message: expect.stringContaining('too often') } })
  expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await lead.row()).toMatchObject({ client_value: 20 })
  await lead.wait(3600)
  expect((await lead.save({ value: 22 })).status).toBe(200)

  const other = await makeMailedLead(app)
  for (let times = 1; times <= 30; times += 1) expect((await other.save({ auto: true })).status).toBe(200)
  const refused = await other.save({ auto: true })
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await other.get()).status).toBe(200)
})

test('an address opens 60 leads a minute, and tries as many keys', async () => {
  const lead = await makeMailedLead(app)
  const other = await setUp(startApp())
  const open = () => fetch(`${other.url}/api/rate/${lead.id}?auth_key=${'x'.repeat(32)}`)
  for (let times = 1; times <= 60; times += 1) expect((await open()).status).toBe(404)
  const refused = await open()
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
})

test('concurrent saves all count, one after the other, and no version is lost', async () => {
  const lead = await makeMailedLead(app)
  await Promise.all(Array.from({ length: 10 }, (_, nth) => lead.save({ value: nth + 1 })))
  expect(await lead.row()).toMatchObject({ version: 11 })
  expect((await lead.trail()).map(({ version }) => version)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
})

test('after Not Lead the client says why: the dispute and the lead’s history hold it, and each reason is known by name [ACCT-07]', async () => {
  const root = await app.as(await app.make.superAdmin())
  const disputesOf = async (lead_id: number) =>
    (await root.call(disputesContract.list, { query: { lead_id } })).body.data
  for (const reason of disputeReasons) {
    const lead = await makeMailedLead(app, { confirmed: true })
    await lead.notLead()
    expect(await disputesOf(lead.id)).toMatchObject([{ state: 'open', reason: null }])
    const said = await lead.save({ progress: 5, reason })
    expect([said.status, said.body]).toMatchObject([
      200,
      { message: ratingMessages.saved, dispute: { state: 'open', reason, answer: null } },
    ])
    expect(await disputesOf(lead.id)).toMatchObject([{ state: 'open', via: 'mail', reason }])
    const history = await root.call(leadHistoryContract.read, { params: { id: lead.id } })
    expect(history.body.ratings.map((save: { reason: string | null }) => save.reason)).toEqual([reason, null])
  }
  const changed = await makeMailedLead(app, { confirmed: true })
  await changed.save({ progress: 5, reason: 'spam' })
  await changed.save({ progress: 5, reason: 'duplicate' })
  await changed.save({ progress: 5 })
  expect(await disputesOf(changed.id)).toMatchObject([{ via: 'page', reason: 'duplicate' }])
})

test('an unknown reason, or one without Not Lead, is refused and saves nothing [ACCT-07]', async () => {
  const lead = await makeMailedLead(app, { confirmed: true })
  for (const body of [
    { progress: 5, reason: 'no_money' },
    { progress: 5, reason: '' },
    { progress: 5, reason: 'Spam' },
    { progress: 5, reason: 7 },
    { progress: 5, reason: null },
    { progress: 1, reason: 'spam' },
    { reason: 'spam' },
  ]) {
    const refused = await lead.save(body as RatingFormInput)
    expect([refused.status, Object.keys(refused.body.errors)], JSON.stringify(body)).toEqual([422, ['reason']])
  }
  expect((await lead.row()).client_progress).toBe(null)
})

test('an open dispute is answered within three working days of the agency, and nothing is promised without one [ACCT-07]', async () => {
  const lead = await makeMailedLead(app, { confirmed: true })
  await lead.save({ progress: 5, reason: 'wrong_area' })
  for (const [opened_at, answer_by] of [
    ['2026-11-23T15:00:00Z', '2026-11-26'], // a Monday
    ['2026-11-24T15:00:00Z', '2026-11-27'],
    ['2026-11-25T15:00:00Z', '2026-11-30'],
    ['2026-11-26T15:00:00Z', '2026-12-01'],
    ['2026-11-27T15:00:00Z', '2026-12-02'],
    ['2026-11-28T15:00:00Z', '2026-12-02'], // a Saturday
    ['2026-11-29T15:00:00Z', '2026-12-02'],
    ['2026-11-28T04:59:59Z', '2026-12-02'], // still Friday in New York
    ['2026-11-30T04:59:59Z', '2026-12-02'], // still Sunday
    ['2026-11-30T05:00:00Z', '2026-12-03'],
  ] as const) {
    await app.context.db
      .update(disputesTable)
      .set({ opened_at: new Date(opened_at) })
      .where(eq(disputesTable.lead_id, lead.id))
    expect((await lead.get()).body.dispute, opened_at).toEqual({
      state: 'open',
      answer: null,
      reason: 'wrong_area',
      answer_by,
    })
  }
  const unverified = await makeMailedLead(app)
  expect((await unverified.save({ progress: 5, reason: 'wrong_area' })).body).toEqual({ message: ratingMessages.saved })
  expect((await unverified.get()).body).not.toHaveProperty('dispute')
  const old = await makeMailedLead(app, { confirmed: true, occurred_at: new Date('2026-01-05T12:00:00Z') })
  expect((await old.notLead()).body).toEqual({ message: ratingMessages.saved })
})
