import { asc, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { hashSha256, randomToken } from '#core/secrets/secrets.ts'
import { setUp, startApp } from '#test/app.ts'
import { makeMailedLead } from '#test/mailed-lead.ts'
import { ratingContract } from '../contract.ts'
import { ratingKeysTable, ratingSavesTable } from '../schema.ts'

const app = await setUp(startApp({ settings: { TRUSTED_PROXIES: '127.0.0.1' } }))

test('three different stars of one mail within ten minutes are a scanner’s, however slowly: none counts [EDGE-14]', async () => {
  const lead = await makeMailedLead(app, { rating: 2, rating_via: 'staff' })
  for (const star of ['1', '2', '3', '4', '5'] as const) {
    await lead.star(star)
    await lead.wait(12)
  }
  expect(await lead.row()).toMatchObject({ rating: 2, rating_via: 'staff', unconfirmed_rating: null })
  expect((await lead.get()).body.earlier_choice).toBeNull()
  const saves = await app.context.db
    .select()
    .from(ratingSavesTable)
    .where(eq(ratingSavesTable.lead_id, lead.id))
    .orderBy(asc(ratingSavesTable.id))
  expect(saves.map(({ outcome }) => outcome)).toEqual(['undone', 'undone', 'ignored', 'ignored', 'ignored'])
  const [kept] = await app.context.db.select().from(ratingKeysTable).where(eq(ratingKeysTable.id, lead.keyId))
  expect(kept!.scanned_at).not.toBeNull()
  await lead.save({ rating: '4' })
  expect(await lead.row()).toMatchObject({ rating: 4, rating_via: 'page' })
})

test('a scanner that stays on each page, and begins with the not-a-lead link, rates nothing either [EDGE-14]', async () => {
  for (const sentSecondsAgo of [5, 3600]) {
    const lead = await makeMailedLead(app, { rating: 2, rating_via: 'staff', client_progress: 1 }, { sentSecondsAgo })
    await lead.notLead()
    for (const star of ['1', '2', '3', '4', '5'] as const) {
      await lead.wait(12)
      await lead.star(star)
      await lead.wait(10)
      await lead.idle(star)
    }
    expect(await lead.row()).toMatchObject({
      rating: 2,
      rating_via: 'staff',
      unconfirmed_rating: null,
      client_progress: 1,
    })
    // The person who opens a star soon after, and uses its page, is asked for nothing more.
    await lead.wait(60)
    await lead.star('4')
    await lead.idle('4')
    expect(await lead.row()).toMatchObject({ rating: 2, rating_via: 'staff' })
    await lead.see('3')
    expect(await lead.row()).toMatchObject({ rating: 2, rating_via: 'staff' })
    await lead.see('4')
    expect(await lead.row()).toMatchObject({ rating: 4, rating_via: 'link', unconfirmed_rating: null })
  }
})

test('an early star whose page stays open counts, until another one is opened [EDGE-14]', async () => {
  const lead = await makeMailedLead(app, {}, { sentSecondsAgo: 5 })
  await lead.star('5')
  await lead.wait(10)
  await lead.idle('5')
  expect(await lead.row()).toMatchObject({ rating: 5, rating_via: 'link', unconfirmed_rating: null })
  await lead.wait(20)
  await lead.star('1')
  await lead.idle('1')
  expect(await lead.row()).toMatchObject({ rating: null, unconfirmed_rating: 1 })
  await lead.see('1')
  expect(await lead.row()).toMatchObject({ rating: 1, rating_via: 'link', unconfirmed_rating: null })
})

test('asking what a link is, as scanners do before they open it, saves nothing [EDGE-14]', async () => {
  const lead = await makeMailedLead(app)
  const before = await app.dump()
  for (const method of ['HEAD', 'OPTIONS', 'GET'])
    for (const path of [
      `/api/rate/${lead.id}?auth_key=${lead.key}`,
      ...['1', '5'].map((star) => `/rate?lead=${lead.id}&auth_key=${lead.key}&rate=${star}`),
      `/rate/not-lead?lead=${lead.id}&auth_key=${lead.key}`,
    ])
      expect((await app.guest.fetch(path, { method })).status).toBeLessThan(500)
  expect(await app.dump()).toBe(before)
})

test.each([0, 12, 500])(
  'two different stars %i seconds apart do not count until a person confirms one [EDGE-14]',
  async (pause) => {
    const lead = await makeMailedLead(app, { rating: 3, rating_via: 'staff' })
    await lead.star('2')
    expect(await lead.row()).toMatchObject({ rating: 2, rating_via: 'link' })
    await lead.wait(pause)
    expect((await lead.get()).body.earlier_choice).toBe('2')
    await lead.star('5')
    expect(await lead.row()).toMatchObject({ rating: 3, rating_via: 'staff', unconfirmed_rating: 5 })
    expect((await lead.get()).body).toMatchObject({ rating: '5', earlier_choice: '2' })
    await lead.see('5')
    expect(await lead.row()).toMatchObject({ rating: 5, rating_via: 'link', unconfirmed_rating: null })
    expect((await lead.get()).body.earlier_choice).toBeNull()
  },
)

test('a star opened within a minute of the mail is asked about too, when another one is opened [EDGE-14]', async () => {
  const lead = await makeMailedLead(app, {}, { sentSecondsAgo: 5 })
  await lead.star('2')
  await lead.wait(20)
  expect((await lead.get()).body).toMatchObject({ rating: '2', earlier_choice: '2' })
  await lead.star('5')
  expect(await lead.row()).toMatchObject({ rating: null, unconfirmed_rating: 5 })
  expect((await lead.get()).body).toMatchObject({ rating: '5', earlier_choice: '2' })
})

test('two different stars more than ten minutes apart are a change of mind [EDGE-14]', async () => {
  const lead = await makeMailedLead(app)
  await lead.star('2')
  await lead.wait(601)
  expect((await lead.get()).body.earlier_choice).toBeNull()
  await lead.star('5')
  expect(await lead.row()).toMatchObject({ rating: 5, rating_via: 'link' })
})

test('what a person has confirmed is changed only by a person [EDGE-14]', async () => {
  const saved = await makeMailedLead(app)
  await saved.save({ rating: '5' })
  const seen = await makeMailedLead(app)
  await seen.star('5')
  await seen.see('5')
  for (const lead of [saved, seen]) {
    const before = await lead.row()
    await lead.wait(3600)
    for (const star of ['1', '2', '3'] as const) {
      await lead.star(star)
      expect(await lead.row()).toMatchObject({ rating: 5, rating_via: before.rating_via })
      await lead.wait(20)
    }
    expect(await lead.row()).toMatchObject({ rating: 5, unconfirmed_rating: null })
    await lead.wait(700)
    await lead.star('1')
    await lead.see('1')
    expect(await lead.row()).toMatchObject({ rating: 1, rating_via: 'link', unconfirmed_rating: null })
  }
})

test('the same star again is a person’s, also just after the mail [EDGE-14]', async () => {
  const lead = await makeMailedLead(app, {}, { sentSecondsAgo: 5 })
  await lead.star('4')
  expect(await lead.row()).toMatchObject({ rating: null, unconfirmed_rating: 4 })
  await lead.star('4')
  expect(await lead.row()).toMatchObject({ rating: 4, rating_via: 'link', unconfirmed_rating: null })
})

test('opening every link at the same time leaves no rating [RATE-16]', async () => {
  const lead = await makeMailedLead(app)
  await Promise.all([
    lead.star('1'),
    lead.star('2'),
    lead.star('3'),
    lead.star('4'),
    lead.star('5'),
    lead.notLead(),
    lead.trap(),
  ])
  expect(await lead.row()).toMatchObject({ rating: null, rating_via: null, client_progress: null })
})

test('the invisible link undoes a star opened before or after it [RATE-16]', async () => {
  const after = await makeMailedLead(app)
  await after.star('5')
  await after.trap()
  expect(await after.row()).toMatchObject({ rating: null, rating_via: null })
  const before = await makeMailedLead(app)
  await before.trap()
  await before.star('5')
  expect(await before.row()).toMatchObject({ rating: null, rating_via: null })
  await before.save({ trap: true })
  expect(await before.row()).toMatchObject({ rating: null, version: 1 })
})

test('a scanner’s not-a-lead is undone by the same rule [RATE-16]', async () => {
  const lead = await makeMailedLead(app, { client_progress: 2 })
  await lead.notLead()
  await lead.star('1')
  expect(await lead.row()).toMatchObject({ client_progress: 2, rating: null })
})

test('a person’s save on the page always counts, whatever a scanner does at the same time [RATE-16]', async () => {
  const lead = await makeMailedLead(app)
  await lead.star('1')
  await lead.star('2') // a scanner
  await lead.save({ rating: '5', progress: 5 })
  expect(await lead.row()).toMatchObject({ rating: 5, rating_via: 'page', client_progress: 5 })
  await lead.star('3')
  await lead.notLead()
  expect(await lead.row()).toMatchObject({ rating: 5, rating_via: 'page', client_progress: 5 })

  const same = await makeMailedLead(app)
  await same.star('4')
  await same.save({ rating: '4' })
  await same.star('2')
  expect(await same.row()).toMatchObject({ rating: 4, rating_via: 'page' })

  const between = await makeMailedLead(app)
  await between.notLead()
  await between.save({ progress: 5, notes: 'Wrong number' })
  await between.star('2')
  expect(await between.row()).toMatchObject({ client_progress: 5, client_notes: 'Wrong number', rating: null })
})

test('a repeated star is normal, a different one much later is a change of mind [RATE-16]', async () => {
  const lead = await makeMailedLead(app)
  await lead.star('4')
  await lead.star('4')
  expect(await lead.row()).toMatchObject({ rating: 4, version: 2 })
  await lead.wait(601)
  await lead.star('5')
  expect(await lead.row()).toMatchObject({ rating: 5, rating_via: 'link' })
  await lead.star('1')
  expect(await lead.row()).toMatchObject({ rating: 4, rating_via: 'link', unconfirmed_rating: 1 })
})

test('another mail of the same lead has its own burst [RATE-16]', async () => {
  const lead = await makeMailedLead(app)
  const second = randomToken(128)
  await app.context.db.insert(ratingKeysTable).values({
    lead_id: lead.id,
    campaign_id: (await lead.row())!.campaign_id,
    key_hash: hashSha256(second),
    created_at: new Date(Date.now() - 3_600_000),
    expires_at: new Date(Date.now() + 1e9),
  })
  await lead.star('4')
  await app.guest.call(ratingContract.save, {
    params: { leadId: lead.id },
    query: { auth_key: second },
    body: { rating: '5', auto: true },
  })
  expect(await lead.row()).toMatchObject({ rating: 5, rating_via: 'link' })
})
