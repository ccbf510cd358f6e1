import { asc, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { hashSha256, randomToken } from '#core/secrets/secrets.ts'
import { setUp, startApp } from '#test/app.ts'
import { makeMailedLead } from '#test/mailed-lead.ts'
import { ratingContract } from '../contract.ts'
import { ratingKeysTable, ratingSavesTable } from '../schema.ts'

const app = await setUp(startApp({ settings: { TRUSTED_PROXIES: '127.0.0.1' } }))

test('two star links of one mail within ten seconds leave the rating as it was before [RATE-16]', async () => {
  const lead = await makeMailedLead(app, { rating: 2, rating_via: 'page' })
  await lead.star('1')
  expect(await lead.row()).toMatchObject({ rating: 1, rating_via: 'link' })
  await lead.wait(9)
  await lead.star('2')
  expect(await lead.row()).toMatchObject({ rating: 2, rating_via: 'page' })
  await lead.star('3')
  await lead.star('5')
  await lead.notLead()
  expect(await lead.row()).toMatchObject({ rating: 2, rating_via: 'page', client_progress: null })
  expect(
    await app.context.db
      .select()
      .from(ratingSavesTable)
      .where(eq(ratingSavesTable.lead_id, lead.id))
      .orderBy(asc(ratingSavesTable.id)),
  ).toMatchObject([
    { choice: '1', outcome: 'undone' },
    { choice: '2', outcome: 'ignored' },
    { choice: '3', outcome: 'ignored' },
    { choice: '5', outcome: 'ignored' },
    { choice: 'not_lead', outcome: 'ignored' },
  ])
  const [kept] = await app.context.db.select().from(ratingKeysTable).where(eq(ratingKeysTable.id, lead.keyId))
  expect(kept!.scanned_at).not.toBeNull()
  expect((await lead.trail()).map(({ after }) => after?.via)).toEqual(['link', 'scanner, undone'])
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

test('a repeated star is normal, a different one later is a change of mind, even after a scanner [RATE-16]', async () => {
  const lead = await makeMailedLead(app)
  await lead.star('4')
  await lead.star('4')
  expect(await lead.row()).toMatchObject({ rating: 4, version: 2 })
  await lead.wait(11)
  await lead.star('5')
  expect(await lead.row()).toMatchObject({ rating: 5, rating_via: 'link' })
  await lead.star('1')
  expect(await lead.row()).toMatchObject({ rating: 4, rating_via: 'link' }) // back to before that burst
  await lead.wait(11)
  await lead.star('3')
  expect(await lead.row()).toMatchObject({ rating: 3 })
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
