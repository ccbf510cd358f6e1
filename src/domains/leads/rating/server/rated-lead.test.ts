import { inspect } from 'node:util'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { createContext } from '#app/server/context.ts'
import { createApp } from '#app/server/server.ts'
import type { AppLogger } from '#core/log/log.ts'
import { setUp, startApp } from '#test/app.ts'
import { makeMailedLead } from '#test/mailed-lead.ts'
import { ratingContract } from '../contract.ts'

const app = await setUp(startApp({ settings: { TRUSTED_PROXIES: '127.0.0.1' } }))

test('an unknown lead, a wrong, foreign or expired key and a hidden lead get the same response and change nothing [RATE-14]', async () => {
  const [open, other, expired, hidden] = await Promise.all([
    makeMailedLead(app),
    makeMailedLead(app),
    makeMailedLead(app, {}, { life: -1 }),
    makeMailedLead(app, { hide: true }),
  ])
  const ask = (leadId: string | number, auth_key: string) => ({
    params: { leadId },
    query: { auth_key },
    headers: { 'x-forwarded-for': '198.51.101.1' },
  })
  const wrong = [
    ask(open.id, 'wrong'),
    ask(open.id, other.key),
    ask(open.id, `${open.key} `),
    ask(open.id, open.key.toLowerCase()),
    ask(expired.id, expired.key),
    ask(hidden.id, hidden.key),
    ask(99_999_999, open.key),
    ask('9'.repeat(60), open.key),
    ask('9999999999', open.key),
    ask('abc', open.key),
    ask('-1', open.key),
    ask(`0${open.id}`, 'wrong'),
  ]
  const before = await app.dump()
  for (const one of wrong) {
    const got = await app.guest.call(ratingContract.get, one)
    const saved = await app.guest.call(ratingContract.save, { ...one, body: { rating: '1' } })
    expect([got.status, got.body, saved.status, saved.body]).toEqual([
      404,
      { message: 'Lead Not Found' },
      404,
      { message: 'Lead Not Found' },
    ])
  }
  expect(await app.dump()).toBe(before)
})

test('a lead with a very large id opens by its key, like any other', async () => {
  await app.context.db.execute(sql`alter table leads alter column id restart with 1500000000`)
  const lead = await makeMailedLead(app, { lead_name: 'The last one' })
  expect((await lead.get()).body).toMatchObject({ name: 'The last one' })
})

test('a request without a key is Access Denied, even with a session [RATE-14]', async () => {
  const lead = await makeMailedLead(app)
  const admin = await app.as(await app.make.superAdmin())
  for (const who of [app.guest, admin])
    for (const query of [{}, { auth_key: '' }]) {
      const got = await who.call(ratingContract.get, { params: { leadId: lead.id }, query })
      const saved = await who.call(ratingContract.save, { params: { leadId: lead.id }, query, body: { rating: '1' } })
      expect([got.status, got.body.message, saved.status]).toEqual([403, 'Access Denied', 403])
    }
  const wrong = await admin.call(ratingContract.get, { params: { leadId: lead.id }, query: { auth_key: 'wrong' } })
  expect(wrong.status).toBe(404)
  await lead.save({ rating: '4' }, admin)
  expect(await lead.trail()).toMatchObject([{ user_id: null }])
})

test('each mail has its own key of 128 random bits, stored only as a hash [RATE-14]', async () => {
  const { key, keyId } = await makeMailedLead(app)
  expect(Buffer.from(key, 'base64url')).toHaveLength(16)
  const { rows } = await app.context.pool.query(
    `select row_to_json(k)::text as row from rating_keys k where id = ${keyId}`,
  )
  expect(rows[0].row).not.toContain(key)
})

test('the key of a lead is in no log line, even if the call fails [API-20]', async () => {
  const lead = await makeMailedLead(app)
  const lines: string[] = []
  const keep = (...said: unknown[]) => void lines.push(inspect(said, { depth: 8 }))
  const log: AppLogger = { debug: keep, info: keep, warn: keep, error: keep }
  const context = await createContext(app.context.settings, app.context.pool.options.connectionString!, log)
  const server = await createApp(context)
  const url = `/api/rate/${lead.id}?auth_key=${lead.key}`
  const statuses = [
    await server.inject(url),
    await server.inject({ url, method: 'POST', payload: { rating: '5' } }),
    await server.inject({ url, method: 'POST', payload: { rating: '9' } }),
    await server.inject(`/api/rate/0?auth_key=${lead.key}`),
  ].map(({ statusCode }) => statusCode)
  await context.pool.end() // every request fails from now on, with a logged error
  statuses.push((await server.inject(url)).statusCode)
  await server.close()
  await Promise.all([context.jobs.stop(), context.live.stop()])
  expect(statuses).toEqual([200, 200, 422, 404, 500])
  expect(lines.filter((line) => line.includes('auth_key=***')).length).toBeGreaterThanOrEqual(5)
  expect(lines.join('\n')).not.toContain(lead.key)
})

test('a lead has the day and time of its client’s zone, not of the agency’s', async () => {
  const client = await app.make.client({ timezone: 'Pacific/Auckland' })
  const { id: campaign_id } = await app.make.campaign({ client_id: client.id })
  const lead = await makeMailedLead(app, { campaign_id, occurred_at: new Date('2026-03-09T11:30:00Z') })
  expect((await lead.get()).body).toMatchObject({ date: '2026-03-10', time: '00:30' })
})

test('the key of one lead opens no other, of any campaign or client, and changes nothing there [RATE-14]', async () => {
  const { id: campaign_id, client_id } = await app.make.campaign()
  const sister = (await app.make.campaign({ client_id })).id
  const leads = [
    await makeMailedLead(app, { campaign_id }),
    await makeMailedLead(app, { campaign_id }),
    await makeMailedLead(app, { campaign_id: sister }),
    await makeMailedLead(app),
  ]
  const before = await Promise.all(leads.map((lead) => lead.row()))
  for (const lead of leads)
    for (const other of leads.filter((one) => one !== lead)) {
      const address = `/api/rate/${other.id}?auth_key=${lead.key}`
      const save = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"rating":1}' }
      expect((await app.guest.fetch(address)).status).toBe(404)
      expect((await app.guest.fetch(address, save)).status).toBe(404)
    }
  expect(await Promise.all(leads.map((lead) => lead.row()))).toEqual(before)
})
