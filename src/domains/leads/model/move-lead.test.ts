import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { startSmtpSink } from '#integrations/fakes/smtp.ts'
import { setUp, startApp } from '#test/app.ts'
import { makeMailedLead } from '#test/mailed-lead.ts'
import { until } from '#test/until.ts'
import { leadsContract } from '../contract.ts'
import { leadHistoryContract } from '../history/contract.ts'
import { leadMailsContract } from '../mail/contract.ts'
import { mailsTable } from '../mail/schema.ts'
import { enqueueMail } from '../mail/server/enqueue.ts'
import { mailOutbox } from '../mail/server/outbox.ts'
import { ratingKeysTable, ratingSavesTable } from '../rating/schema.ts'
import { leadsTable } from './schema.ts'

const sink = await setUp(startSmtpSink())
const app = await setUp(startApp({ settings: { SMTP_URL: sink.url } }))
const superAdmin = await app.as(await app.make.superAdmin())
const to = (await app.make.campaign()).id

const give = (id: number, body: object = {}) =>
  superAdmin.call(leadsContract.update, { params: { id }, body: { campaign_id: to, ...body } })
const find = async (id: number) => (await app.context.db.select().from(leadsTable).where(eq(leadsTable.id, id)))[0]!

test('a lead that moves to another campaign of its client keeps its emails, its rating keys and their ratings [LEAD-61, ACCT-09]', async () => {
  const { id: campaign_id, client_id } = await app.make.campaign()
  const to = (await app.make.campaign({ client_id })).id
  const lead = await makeMailedLead(app, { campaign_id })
  const recipients = ['owner@client.example']
  const mail = { lead_id: lead.id, campaign_id, kind: 'notification', recipients, state: 'sent' } as const
  const [sent] = await app.context.db.insert(mailsTable).values(mail).returning()
  await app.context.db.update(ratingKeysTable).set({ mail_id: sent!.id }).where(eq(ratingKeysTable.id, lead.keyId))
  await lead.save({ rating: '4' })
  const before = await lead.row()

  expect((await give(lead.id, { campaign_id: to })).body).toMatchObject({ id: lead.id, campaign_id: to, rating: '4' })
  const { version, ...after } = await find(lead.id)
  expect({ ...after, version: version - 1 }).toEqual({ ...before, campaign_id: to })
  for (const [table, count] of [
    [mailsTable, 1],
    [ratingKeysTable, 1],
    [ratingSavesTable, 1],
  ] as const) {
    const rows = await app.context.db.select().from(table).where(eq(table.lead_id, lead.id))
    expect(rows.map((row) => row.campaign_id)).toEqual(Array(count).fill(to))
  }
  expect((await lead.get()).status).toBe(200)
  await lead.save({ rating: '2' })
  expect(await find(lead.id)).toMatchObject({ rating: 2 })
  const { body } = await superAdmin.call(leadHistoryContract.read, { params: { id: lead.id } })
  expect([body.mails, body.ratings].map(({ length }) => length)).toEqual([1, 2])
  expect(body.ratings[0]).toMatchObject({ mail_id: sent!.id })
})

test('an email that is being sent while its lead moves ends as it would have', async () => {
  const client = await app.make.client({ emails: ['owner@client.example'] })
  const lead = await app.make.lead({ campaign_id: (await app.make.campaign({ client_id: client.id })).id })
  const enqueued = await app.context.db.transaction((tx) =>
    enqueueMail(tx, app.context, { leadId: lead.id, kind: 'notification', requestedBy: null }),
  )
  const mailId = 'mail' in enqueued ? enqueued.mail.id : 0
  sink.thinks = 500
  const delivered = mailOutbox.send(app.context, mailId)
  await until(() => sink.read === 1)
  expect((await give(lead.id)).status).toBe(200)
  expect(await delivered).toBe('sent')
  const [mail] = await app.context.db.select().from(mailsTable).where(eq(mailsTable.id, mailId))
  expect(mail).toMatchObject({ campaign_id: to, state: 'sent' })
  expect(await app.context.db.$count(ratingKeysTable, eq(ratingKeysTable.mail_id, mailId))).toBe(1)
})

test('a mail that waits while its lead goes to another client is not sent to the old one; staff can send it to the new one [LEAD-61]', async () => {
  const [old, next] = [
    await app.make.client({ emails: ['old@client.example'] }),
    await app.make.client({ emails: ['next@client.example'] }),
  ]
  const [from, sister, away] = [
    await app.make.campaign({ client_id: old.id }),
    await app.make.campaign({ client_id: old.id }),
    await app.make.campaign({ client_id: next.id }),
  ]
  const waitingMail = async () => {
    const lead = await app.make.lead({ campaign_id: from.id })
    const enqueued = await app.context.db.transaction((tx) =>
      enqueueMail(tx, app.context, { leadId: lead.id, kind: 'notification', requestedBy: null }),
    )
    return { lead, mailId: 'mail' in enqueued ? enqueued.mail.id : 0 }
  }
  sink.letters.length = 0
  const [stays, moves] = [await waitingMail(), await waitingMail()]
  await give(stays.lead.id, { campaign_id: sister.id })
  await give(moves.lead.id, { campaign_id: away.id })
  expect(await mailOutbox.send(app.context, stays.mailId)).toBe('sent')
  expect(await mailOutbox.send(app.context, moves.mailId)).toBe('failed')
  expect(sink.letters.map((letter) => letter.to)).toEqual([['old@client.example']])
  const mailsOf = () => app.context.db.select().from(mailsTable).where(eq(mailsTable.lead_id, moves.lead.id))
  const refused = { state: 'refused', error: 'The lead went to another client before the email was sent' }
  expect(await mailsOf()).toMatchObject([refused])

  const params = { id: moves.lead.id, mailId: moves.mailId }
  expect((await superAdmin.call(leadMailsContract.sendAgain, { params })).status).toBe(200)
  expect(await mailsOf()).toMatchObject([refused, { recipients: ['next@client.example'] }])
})

test('a mail whose lead moves while the mail server is reached waits, to be checked again', async () => {
  const client = await app.make.client({ emails: ['owner@client.example'] })
  const lead = await app.make.lead({ campaign_id: (await app.make.campaign({ client_id: client.id })).id })
  const enqueued = await app.context.db.transaction((tx) =>
    enqueueMail(tx, app.context, { leadId: lead.id, kind: 'notification', requestedBy: null }),
  )
  const mailId = 'mail' in enqueued ? enqueued.mail.id : 0
  const { mailer } = app.context
  const moving = {
    ...mailer,
    send: async (...sent: Parameters<typeof mailer.send>) => {
      await give(lead.id)
      return mailer.send(...sent)
    },
  }
  sink.letters.length = 0
  expect(await mailOutbox.send({ ...app.context, mailer: moving }, mailId)).toBe('withdrawn')
  expect(await mailOutbox.send(app.context, mailId)).toBe('failed')
  expect(sink.letters).toEqual([])
})

test('a change during a transfer applies to the lead in its new campaign', async () => {
  const made = await Promise.all(Array.from({ length: 8 }, () => app.make.lead({ lead_phone: '+16125550199' })))
  const answers = await Promise.all(
    made.flatMap(({ id }) => [
      give(id),
      superAdmin.call(leadsContract.update, { params: { id }, body: { notes: 'kept' } }),
      superAdmin.call(leadsContract.archive, { params: { id } }),
    ]),
  )
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  for (const { id } of made) expect(await find(id)).toMatchObject({ campaign_id: to, notes: 'kept', archived: true })
})

test('a lead may move without a site, its origin stays, and the new client is mailed on request [WORK-16]', async () => {
  const client = await app.make.client({ emails: ['new@client.example'] })
  const campaign = await app.make.campaign({ client_id: client.id })
  const from = await app.make.campaign()
  const site = await app.make.clientSite({ campaign_id: from.id })
  const make = (values: object = {}) =>
    app.make.lead({ campaign_id: from.id, clientsite_id: site.id, source: 'Google Maps', notify: false, ...values })
  const move = (id: number, body: object) =>
    superAdmin.call(leadsContract.update, {
      params: { id },
      body: { campaign_id: campaign.id, clientsite_id: null, ...body },
    })
  const mailsOf = (id: number) => app.context.db.select().from(mailsTable).where(eq(mailsTable.lead_id, id))

  const told = await make()
  expect((await move(told.id, { notify: 1 })).body).toMatchObject({ campaign_id: campaign.id, clientsite_id: null })
  expect(await find(told.id)).toMatchObject({ source: 'Google Maps', clientsite_id: null })
  expect(await mailsOf(told.id)).toMatchObject([
    { kind: 'notification', campaign_id: campaign.id, recipients: expect.arrayContaining(['new@client.example']) },
  ])
  await move(told.id, { notify: 1 }) // already there
  const { id: sameClient } = await app.make.campaign({ client_id: client.id })
  await move(told.id, { notify: 1, campaign_id: sameClient }) // who has had the email
  expect(await mailsOf(told.id)).toHaveLength(1)
  for (const [values, body] of [
    [{}, {}],
    [{}, { notify: 0 }],
    [{ hide: true }, { notify: 1 }],
  ]) {
    const untold = await make(values)
    expect((await move(untold.id, body!)).status).toBe(200)
    expect(await mailsOf(untold.id)).toEqual([])
  }
})

test('restoring the campaign restores its site as well [WORK-16]', async () => {
  const from = await app.make.campaign()
  const site = await app.make.clientSite({ campaign_id: from.id })
  const lead = await app.make.lead({ campaign_id: from.id, clientsite_id: site.id })
  await give(lead.id, { clientsite_id: (await app.make.clientSite({ campaign_id: to })).id })
  const { body } = await superAdmin.call(leadHistoryContract.read, { params: { id: lead.id } })
  const answer = await superAdmin.call(leadHistoryContract.restore, {
    params: { id: lead.id },
    body: { audit_id: body.changes[0].audit_id, field: 'campaign_id' },
  })
  expect([answer.status, answer.body]).toMatchObject([200, { campaign_id: from.id, clientsite_id: site.id }])
})

test('a lead that had no site is put back without the one that it was given since [WORK-16]', async () => {
  const from = await app.make.campaign()
  const lead = await app.make.lead({ campaign_id: from.id })
  await give(lead.id)
  const params = { id: lead.id }
  const { body: moved } = await superAdmin.call(leadHistoryContract.read, { params })
  const clientsite_id = (await app.make.clientSite({ campaign_id: to })).id
  expect((await superAdmin.call(leadsContract.update, { params, body: { clientsite_id } })).status).toBe(200)
  const body = { audit_id: moved.changes[0].audit_id, field: 'campaign_id' }
  const answer = await superAdmin.call(leadHistoryContract.restore, { params, body })
  expect([answer.status, answer.body]).toMatchObject([200, { campaign_id: from.id, clientsite_id: null }])
})

test('a notification by hand goes to the new client, also within a minute of the old one’s', async () => {
  const of = async (email: string) =>
    (await app.make.campaign({ client_id: (await app.make.client({ emails: [email] })).id })).id
  const { id } = await app.make.lead({ campaign_id: await of('old@client.example'), tags: ['Missed Call'] })
  const notify = () => superAdmin.call(leadMailsContract.sendNotification, { params: { id } })
  expect((await notify()).status).toBe(200)
  await give(id, { campaign_id: await of('new@client.example') })
  expect((await notify()).status).toBe(200)
  expect((await notify()).status).toBe(200) // the second within a minute
  const mails = await app.context.db.select().from(mailsTable).where(eq(mailsTable.lead_id, id))
  expect(new Set(mails.map(({ client_id }) => client_id)).size).toBe(2)
  expect(mails).toHaveLength(2)
})
