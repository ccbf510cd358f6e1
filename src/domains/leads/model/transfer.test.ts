import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Sink, startSmtpSink } from '#integrations/fakes/smtp.ts'
import { type App, type Caller, startApp } from '#test/app.ts'
import { mailed } from '#test/mailed.ts'
import { until } from '#test/until.ts'
import { leads as contract } from '../contract.ts'
import { history } from '../history/contract.ts'
import { mails } from '../mail/schema.ts'
import { deliver } from '../mail/server/deliver.ts'
import { enqueueMail } from '../mail/server/enqueue.ts'
import { ratingKeys, ratingSaves } from '../rating/schema.ts'
import { leads } from './schema.ts'

let app: App
let sink: Sink
let superAdmin: Caller
let to: number
beforeAll(async () => {
  sink = await startSmtpSink()
  app = await startApp({ settings: { SMTP_URL: sink.url } })
  superAdmin = await app.as(await app.make.superAdmin())
  to = (await app.make.campaign()).id
})
afterAll(async () => {
  await app.close()
  await sink.close()
})

const give = (id: number, body: object = {}) =>
  superAdmin.call(contract.update, { params: { id }, body: { campaign_id: to, ...body } })
const find = async (id: number) => (await app.house.db.select().from(leads).where(eq(leads.id, id)))[0]!

test('a lead that is given to another campaign takes its mails, its keys and what came through them along [LEAD-61]', async () => {
  const lead = await mailed(app)
  const { campaign_id } = await lead.row()
  const recipients = ['owner@client.example']
  const mail = { lead_id: lead.id, campaign_id, kind: 'notification', recipients, state: 'sent' } as const
  const [sent] = await app.house.db.insert(mails).values(mail).returning()
  await app.house.db.update(ratingKeys).set({ mail_id: sent!.id }).where(eq(ratingKeys.id, lead.keyId))
  await lead.save({ rating: '4' })
  const before = await lead.row()

  expect((await give(lead.id)).body).toMatchObject({ id: lead.id, campaign_id: to, rating: '4' })
  const { version, ...after } = await find(lead.id)
  expect({ ...after, version: version - 1 }).toEqual({ ...before, campaign_id: to })
  for (const [table, count] of [
    [mails, 1],
    [ratingKeys, 1],
    [ratingSaves, 1],
  ] as const) {
    const rows = await app.house.db.select().from(table).where(eq(table.lead_id, lead.id))
    expect(rows.map((row) => row.campaign_id)).toEqual(Array(count).fill(to))
  }
  expect((await lead.get()).status).toBe(200)
  await lead.save({ rating: '2' })
  expect(await find(lead.id)).toMatchObject({ rating: 2 })
  const { body } = await superAdmin.call(history.read, { params: { id: lead.id } })
  expect([body.mails, body.ratings].map(({ length }) => length)).toEqual([1, 2])
  expect(body.ratings[0]).toMatchObject({ mail_id: sent!.id })
})

test('a mail that is on its way out while its lead is given away ends as it would have', async () => {
  const client = await app.make.client({ emails: ['owner@client.example'] })
  const lead = await app.make.lead({ campaign_id: (await app.make.campaign({ client_id: client.id })).id })
  const enqueued = await app.house.db.transaction((tx) =>
    enqueueMail(tx, app.house, { leadId: lead.id, kind: 'notification', requestedBy: null }),
  )
  const mailId = 'mail' in enqueued ? enqueued.mail.id : 0
  sink.thinks = 500
  const delivered = deliver(app.house, mailId)
  await until(() => sink.read === 1)
  expect((await give(lead.id)).status).toBe(200)
  expect(await delivered).toBe('sent')
  const [mail] = await app.house.db.select().from(mails).where(eq(mails.id, mailId))
  expect(mail).toMatchObject({ campaign_id: to, state: 'sent' })
  expect(await app.house.db.$count(ratingKeys, eq(ratingKeys.mail_id, mailId))).toBe(1)
})

test('whoever changes a lead while it is given away changes it where it went', async () => {
  const made = await Promise.all(Array.from({ length: 8 }, () => app.make.lead({ lead_phone: '+16125550199' })))
  const answers = await Promise.all(
    made.flatMap(({ id }) => [
      give(id),
      superAdmin.call(contract.update, { params: { id }, body: { notes: 'kept' } }),
      superAdmin.call(contract.archive, { params: { id } }),
    ]),
  )
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  for (const { id } of made) expect(await find(id)).toMatchObject({ campaign_id: to, notes: 'kept', archived: true })
})
