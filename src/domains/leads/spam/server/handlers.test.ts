import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { setUp, startApp } from '#test/app.ts'
import { spamContract } from '../contract.ts'

const app = await setUp(startApp())
const admin = await app.as(await app.make.admin({ permissions: ['leads'] }))

const words = (body: { keywords: { keyword: string }[] }) => body.keywords.map((item) => item.keyword)

test('saved keywords are returned without blank lines and repeats [SPAM-09, SPAM-10]', async () => {
  await admin.call(spamContract.saveKeywords, { body: { keywords: ' seo \r\n\nBacklinks\nSEO\ncrypto' } })
  const { body } = await admin.call(spamContract.keywords)
  expect(words(body)).toEqual(['seo', 'Backlinks', 'crypto'])
})

test('saving over a newer list returns that list and changes nothing', async () => {
  const { body: seen } = await admin.call(spamContract.keywords)
  await admin.call(spamContract.saveKeywords, { body: { keywords: 'newer', version: seen.version } })
  const before = await app.dump()
  const { status, body } = await admin.call(spamContract.saveKeywords, {
    body: { keywords: 'older', version: seen.version },
  })
  expect([status, words(body.newer)]).toEqual([409, ['newer']])
  expect(await app.dump()).toBe(before)
})

test('saving the same list again does not raise the version and writes no audit entry', async () => {
  const { body: once } = await admin.call(spamContract.saveKeywords, { body: { keywords: 'same' } })
  const { body: twice } = await admin.call(spamContract.saveKeywords, { body: { keywords: 'same\n' } })
  expect(twice.version).toBe(once.version)
})

test('more than 100 kB of keywords is refused', async () => {
  for (const keywords of ['x'.repeat(100_001), 'é'.repeat(60_000)])
    expect((await admin.call(spamContract.saveKeywords, { body: { keywords } })).status).toBe(422)
})

test('a list of many short keywords is saved and removed as a whole', async () => {
  const keywords = Array.from({ length: 24_000 }, (_, nth) => (nth + 36 ** 2).toString(36)).join('\n')
  const saved = await admin.call(spamContract.saveKeywords, { body: { keywords, confirmed: true } })
  expect([saved.status, saved.body.keywords.length]).toEqual([200, 24_000])
  const removed = await admin.call(spamContract.saveKeywords, { body: { keywords: '' } })
  expect([removed.status, removed.body.keywords]).toEqual([200, []])
})

test('a spammer has a name and a phone or an email, and is listed until removed [SPAM-11, SPAM-12, SPAM-13]', async () => {
  const { body: made } = await admin.call(spamContract.addSpammer, {
    body: { name: 'Robo', phone: '+1 512-555-0144', email: '' },
  })
  expect(made).toEqual({ id: made.id, name: 'Robo', phone: '+1 512-555-0144', email: null })
  expect((await admin.call(spamContract.spammers)).body).toEqual([made])
  const { rows } = await app.context.db.execute(sql`select phone_key from spammers where id = ${made.id}`)
  expect(rows).toEqual([{ phone_key: '+15125550144' }])
  expect((await admin.call(spamContract.removeSpammer, { params: { id: made.id } })).status).toBe(204)
  expect((await admin.call(spamContract.spammers)).body).toEqual([])
  expect((await admin.call(spamContract.removeSpammer, { params: { id: made.id } })).status).toBe(404)
})

test.each([
  ['no name', { email: 'a@b.example' }, { name: ['Please input name'] }],
  ['an empty name [SPAM-04]', { name: '', email: 'a@b.example' }, { name: ['Please input name'] }],
  ['one letter', { name: 'R', email: 'a@b.example' }, { name: ['Length should be at least 2 characters'] }],
  [
    'a name that cannot be stored',
    { name: 'Ro\0bo', email: 'a@b.example' },
    { name: ['This text holds a character that cannot be stored'] },
  ],
  ['another phone format', { name: 'Robo', phone: '5125550144' }, { phone: ['Wrong phone format'] }],
  ['an email that is none', { name: 'Robo', email: 'a@' }, { email: ['Email is not valid'] }],
  [
    'neither phone nor email',
    { name: 'Robo', phone: ' ', email: null },
    { phone: ['Either Phone or Email is required'] },
  ],
])('a spammer with %s is refused on its field', async (_, body, errors) => {
  const before = await app.dump()
  const answer = await admin.call(spamContract.addSpammer, { body })
  expect([answer.status, answer.body.errors]).toEqual([422, errors])
  expect(await app.dump()).toBe(before)
})

test('only admins manage the blacklist and spammers [PERM-11]', async () => {
  const handler = await app.as(await app.make.handler())
  for (const endpoint of Object.values(spamContract))
    expect(
      (await handler.call(endpoint, { params: { id: 1 }, ...('body' in endpoint ? { body: {} } : {}) })).status,
    ).toBe(403)
})
