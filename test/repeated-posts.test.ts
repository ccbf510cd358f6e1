import { eq } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { idempotencyTable } from '#core/db/schema.ts'
import { answerOnce } from '#core/http/idempotency.ts'
import { apiKeysContract } from '#domains/access/keys/contract.ts'
import { sessionCleanupJob } from '#domains/access/sessions/server/jobs.ts'
import { toolLinksContract } from '#domains/access/tool-links/contract.ts'
import { toolLinksTable } from '#domains/access/tool-links/schema.ts'
import { clientsContract } from '#domains/clients/contract.ts'
import { setUp, startApp } from '#test/app.ts'

const app = await setUp(startApp())
const keeper = await app.as(await app.make.superAdmin())
const { db } = app.context

const link = (label: string) => ({ label, url: 'https://ranks.example/' })
const post = (key: string, body: object, by = keeper) =>
  by.call(toolLinksContract.create, { body, headers: { 'idempotency-key': key } })
const countLinks = (label: string) => db.$count(toolLinksTable, eq(toolLinksTable.label, label))

test('a post that is sent again with its key is made once, and has the same answer', async () => {
  const first = await post('first', link('Ranks'))
  expect(first.status).toBe(200)
  const again = await post('"first"', link('Ranks')) // as the draft of the header spells it
  expect([again.status, again.body]).toEqual([200, first.body])
  expect(again.headers.get('content-type')).toBe(first.headers.get('content-type'))
  expect(await countLinks('Ranks')).toBe(1)
})

test('of two at once one is made; the other has its answer, or is told to wait', async () => {
  const answers = await Promise.all(Array.from({ length: 6 }, () => post('at-once', link('At once'))))
  expect(await countLinks('At once')).toBe(1)
  for (const { status, body } of answers.filter((answer) => answer.status !== 200))
    expect([status, body]).toEqual([409, { message: 'This is still being saved. Please try again in a few minutes.' }])
})

test('a key stands for one request of one person', async () => {
  await post('mine', link('Mine'))
  const other = await post('mine', link('Another'))
  expect([other.status, other.body]).toEqual([
    422,
    { message: 'This Idempotency-Key was sent with another request. Please use a new one.' },
  ])
  const colleague = await app.as(await app.make.superAdmin())
  expect((await post('mine', link('Theirs'), colleague)).status).toBe(200)
  expect([await countLinks('Another'), await countLinks('Theirs')]).toEqual([0, 1])
})

test('what was refused can be sent again with its key', async () => {
  const taken = { ...link('Refused'), url: 'not an address' }
  expect((await post('refused', taken)).status).toBe(422)
  expect((await post('refused', link('Refused'))).status).toBe(200)
})

test('a post whose process ended in the middle can be made after five minutes', async () => {
  const first = await post('ended', link('Ended'))
  const row = eq(idempotencyTable.key, 'ended')
  await db.delete(toolLinksTable).where(eq(toolLinksTable.id, first.body.id))
  await db.update(idempotencyTable).set({ answer: null }).where(row)
  expect((await post('ended', link('Ended'))).status).toBe(409)
  await db
    .update(idempotencyTable)
    .set({ at: new Date(Date.now() - 301_000) })
    .where(row)
  expect((await post('ended', link('Ended'))).status).toBe(200)
  expect(await countLinks('Ended')).toBe(1)
})

test('a post whose connection was lost may have been made, and is not made again with its key', async () => {
  const me = await app.make.superAdmin()
  const keyed = { me, key: 'lost', request: { method: 'POST', url: '/x', body: {} } as FastifyRequest }
  const lost = () => Promise.reject(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }))
  await expect(answerOnce(app.context, keyed, lost)).rejects.toThrow('ECONNRESET')
  await expect(answerOnce(app.context, keyed, lost)).rejects.toThrow('This is still being saved')
})

test('an answer with a secret is kept encrypted, for the caller who got it', async () => {
  const expires_at = new Date(Date.now() + 3_600_000).toISOString()
  const body = { name: 'Sheet', pages: { clients: 1 }, access: 'write', expires_at }
  const create = () => keeper.call(apiKeysContract.create, { body, headers: { 'idempotency-key': 'secret' } })
  const [one, two] = [await create(), await create()]
  expect(two.body).toEqual(one.body)
  const [row] = await db.select().from(idempotencyTable).where(eq(idempotencyTable.key, 'secret'))
  expect(row?.answer?.toString('latin1')).not.toContain(one.body.key)
})

test('an API key and the session of its creator have keys of their own', async () => {
  const expires_at = new Date(Date.now() + 3_600_000).toISOString()
  const made = await keeper.call(apiKeysContract.create, {
    body: { name: 'Writer', pages: { clients: 1 }, access: 'write', expires_at },
  })
  const create = (token: string | null) =>
    app.guest.call(clientsContract.create, {
      body: { name: 'Keyed', user: { username: 'keyed', email: 'keyed@a.example' }, password: 'correct horse battery' },
      headers: { 'idempotency-key': 'shared', authorization: `Bearer ${token}` },
    })
  expect((await create(keeper.token)).status).toBe(200)
  expect((await create(made.body.key)).status).toBe(422)
})

test('a key that cannot be kept is refused', async () => {
  const long = await post('k'.repeat(101), link('Long'))
  expect(long.status).toBe(400)
  expect(long.body.message).toMatch(/^An Idempotency-Key has 1 to 100 letters/)
})

test('answers are kept for a day', async () => {
  await post('old', link('Old'))
  await post('new', link('New'))
  const yesterday = new Date(Date.now() - 25 * 3_600_000)
  await db.update(idempotencyTable).set({ at: yesterday }).where(eq(idempotencyTable.key, 'old'))
  await sessionCleanupJob.run(app.context, {} as never)
  expect(await db.$count(idempotencyTable, eq(idempotencyTable.key, 'old'))).toBe(0)
  expect(await db.$count(idempotencyTable, eq(idempotencyTable.key, 'new'))).toBe(1)
})
