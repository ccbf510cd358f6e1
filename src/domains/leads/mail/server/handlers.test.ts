import { asc, eq } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { auditTable } from '#core/db/schema.ts'
import { leadHistoryContract } from '#domains/leads/history/contract.ts'
import { startSmtpSink } from '#integrations/fakes/smtp.ts'
import { setUp, startApp } from '#test/app.ts'
import { causeDeadlocks } from '#test/deadlock.ts'
import { earlier } from '#test/earlier-time.ts'
import { waitForJobs } from '#test/until.ts'
import { leadMailsContract } from '../contract.ts'
import { mailsTable } from '../schema.ts'
import { enqueueMail } from './enqueue.ts'

const sink = await setUp(startSmtpSink())
const app = await setUp(startApp({ work: true, settings: { SMTP_URL: sink.url } }))
const client = await app.make.client({ emails: ['office@client.example'] })
const campaign = await app.make.campaign({ client_id: client.id, name: 'Austin Roofing' })
beforeEach(async () => {
  await waitForJobs(app.context) // a letter arrives before its mail is marked as sent
  sink.letters.length = 0
})

const mailsOf = (leadId: number) =>
  app.context.db.select().from(mailsTable).where(eq(mailsTable.lead_id, leadId)).orderBy(asc(mailsTable.id))
/** With the time, because the ids are given out again after a restore of a backup. */
const messageIdOf = (lead: { id: number; created_at: Date }, mailId: number) =>
  `lead-${lead.id}-mail-${mailId}-${lead.created_at.getTime().toString(36)}@127.0.0.1`
const arrived = (count: number) => expect.poll(() => sink.letters.length, { timeout: 40_000, interval: 20 }).toBe(count)
const linksIn = (html: string) => [...html.matchAll(/href="([^"]+)"/g)].map(([, link = '']) => link)

test('the missed-call warning is a separate mail, requested by hand; the lead is resent as it was sent [IN-17, LEAD-65, LEAD-66]', async () => {
  const lead = await app.make.lead({
    campaign_id: campaign.id,
    lead_type: 'Call',
    lead_phone: '+15125550199',
    tags: ['Missed Call'],
    duration: 30,
  })
  const me = await app.make.admin({ campaigns: [campaign.id] })
  const admin = await app.as(me)
  const warned = await admin.call(leadMailsContract.sendWarning, { params: { id: lead.id } })
  expect([warned.status, warned.body.id]).toEqual([200, lead.id])
  const resent = await admin.call(leadMailsContract.sendNotification, { params: { id: lead.id } })
  expect(resent.status).toBe(200)
  await arrived(2)
  expect(sink.letters.map(({ email }) => email.subject?.split(' from')[0]).sort()).toEqual(['Missed call', 'New call'])
  const warning = sink.letters.find(({ email }) => email.subject?.startsWith('Missed'))!
  expect(warning.email.text).toContain('Phone: +1 (512) 555-0199')
  expect(linksIn(warning.email.html ?? '')).toContain('tel:+15125550199')
  const rows = await mailsOf(lead.id)
  expect(rows).toMatchObject([
    { kind: 'missed_call_warning', requested_by: me.id },
    { kind: 'notification', requested_by: me.id },
  ])
  const trail = await app.context.db.select().from(auditTable).where(eq(auditTable.kind, 'mail'))
  expect(trail.filter(({ row_id }) => row_id === rows[0]!.id)).toMatchObject([
    { username: me.username, action: 'created', after: { lead_id: lead.id, kind: 'missed_call_warning' } },
  ])
})

test('two requests within a minute, or many at once, send one mail', async () => {
  const lead = await app.make.lead({ campaign_id: campaign.id, lead_type: 'Call', tags: ['Auto Missed Call'] })
  const admin = await app.as(await app.make.superAdmin())
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => admin.call(leadMailsContract.sendWarning, { params: { id: lead.id } })),
  )
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  expect(await mailsOf(lead.id)).toHaveLength(1)
  await app.context.pool.query(`update mails set created_at = ${earlier('created_at', 61)} where lead_id = ${lead.id}`)
  await admin.call(leadMailsContract.sendWarning, { params: { id: lead.id } })
  expect(await mailsOf(lead.id)).toHaveLength(2)
  await arrived(2)
})

test('a mail is requested and sent again although its campaign is being given to another client', async () => {
  const lead = await app.make.lead({ campaign_id: campaign.id, lead_type: 'Call', tags: ['Missed Call'] })
  const admin = await app.as(await app.make.superAdmin())
  await causeDeadlocks(app, 'insert on mails')
  const params = { id: lead.id }
  expect((await admin.call(leadMailsContract.sendWarning, { params })).status).toBe(200)
  const [mail] = await mailsOf(lead.id)
  await arrived(1)
  await waitForJobs(app.context)
  await app.context.db.update(mailsTable).set({ state: 'refused' }).where(eq(mailsTable.id, mail!.id))
  const again = await admin.call(leadMailsContract.sendAgain, { params: { ...params, mailId: mail!.id } })
  expect([again.status, (await mailsOf(lead.id)).length]).toEqual([200, 2])
  await arrived(2)
})

test('a lead that cannot be mailed says why, and nothing is enqueued', async () => {
  const tags = ['Missed Call' as const]
  const admin = await app.as(await app.make.superAdmin())
  const narrow = await app.as(await app.make.admin({ campaigns: [] }))
  const handler = await app.as(await app.make.handler({ campaigns: [campaign.id] }))
  const silent = await app.make.campaign({ client_id: (await app.make.client({ disable_notifications: true })).id })
  const nobody = await app.make.campaign()
  const leadIn = async (campaign_id: number | null, more = {}) =>
    (await app.make.lead({ campaign_id, lead_type: 'Call', tags, ...more })).id
  const [untagged, muted, alone, homeless, hidden, foreign] = await Promise.all([
    leadIn(campaign.id, { tags: ['Voicemail'] }),
    leadIn(silent.id),
    leadIn(nobody.id),
    leadIn(null),
    leadIn(campaign.id, { hide: true }),
    leadIn(campaign.id),
  ])
  const before = await app.dump()
  const ask = async (id: number, who = admin) => {
    const { status, body } = await who.call(leadMailsContract.sendWarning, { params: { id } })
    return [status, body.message]
  }
  expect(await ask(untagged)).toEqual([422, 'Only a lead tagged Missed Call or Auto Missed Call can be emailed'])
  expect(await ask(muted)).toEqual([422, 'Notifications are disabled for this client'])
  expect(await ask(alone)).toEqual([422, 'This client has no email address'])
  expect(await ask(homeless)).toEqual([422, 'This lead has no client'])
  expect(await ask(hidden)).toEqual([422, 'This lead is hidden'])
  expect(await ask(foreign, narrow)).toEqual([404, 'This no longer exists, or you don’t have access to it'])
  expect(await ask(999_999)).toEqual([404, 'This no longer exists, or you don’t have access to it'])
  expect(await ask(foreign, handler)).toEqual([403, 'You are not allowed to do this'])
  expect(await app.dump()).toBe(before)
  expect(sink.letters).toEqual([])
})

test('without a mail server a mail waits and says so, and requests by hand are refused', async () => {
  const offline = await startApp({ work: true })
  try {
    const { id } = await offline.make.client({ emails: ['owner@client.example'] })
    const { id: campaign_id } = await offline.make.campaign({ client_id: id })
    const lead = await offline.make.lead({ campaign_id, tags: ['Missed Call'] })
    await offline.context.db.transaction((tx) =>
      enqueueMail(tx, offline.context, { leadId: lead.id, kind: 'notification', requestedBy: null }),
    )
    const first = async () => (await offline.context.db.select().from(mailsTable))[0]
    await expect
      .poll(async () => (await first())?.error, { timeout: 40_000 })
      .toBe('No mail server is connected: a super admin connects one under Connections')
    expect((await first())?.state).toBe('queued')
    const admin = await offline.as(await offline.make.superAdmin())
    const { status, body } = await admin.call(leadMailsContract.sendWarning, { params: { id: lead.id } })
    expect([status, body.message]).toEqual([
      409,
      'No mail server is connected: a super admin connects one under Connections',
    ])
  } finally {
    await offline.close()
  }
})

test('a mail that was refused or may be lost is sent again, once, with its Message-ID', async () => {
  const lead = await app.make.lead({ campaign_id: campaign.id, lead_type: 'Form', tags: [] })
  const lost = {
    lead_id: lead.id,
    campaign_id: campaign.id,
    kind: 'notification' as const,
    recipients: ['x@y.example'],
  }
  const [mail] = await app.context.db
    .insert(mailsTable)
    .values({ ...lost, state: 'uncertain' })
    .returning()
  const admin = await app.as(await app.make.admin({ campaigns: [campaign.id] }))
  const params = { id: lead.id, mailId: mail!.id }
  const canRepeat = async () =>
    (await admin.call(leadHistoryContract.read, { params })).body.mails.map(
      ({ can_repeat }: { can_repeat: boolean }) => can_repeat,
    )
  expect(await canRepeat()).toEqual([true])
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => admin.call(leadMailsContract.sendAgain, { params })),
  )
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  await arrived(1)
  await expect.poll(async () => (await mailsOf(lead.id)).at(-1)!.state, { timeout: 40_000, interval: 20 }).toBe('sent')
  expect(sink.letters[0]!.raw).toContain(messageIdOf(lead, mail!.id))
  expect(sink.letters[0]!.to).toEqual(['office@client.example'])
  const [first, again, ...more] = await mailsOf(lead.id)
  expect([first!.state, again!.again_of, more]).toEqual(['uncertain', mail!.id, []])
  expect(again!.relay_answer).toMatch(/^250/)
  expect(await canRepeat()).toEqual([false, false])
  const entries = await app.context.db.select().from(auditTable).where(eq(auditTable.row_id, again!.id))
  expect(entries.filter(({ kind }) => kind === 'mail')).toMatchObject([{ after: { again_of: mail!.id } }])
})

test('a mail to the client who had the lead before is sent again, to the one who has it now, unless that client has one already', async () => {
  const former = await app.make.client({ emails: ['former@client.example'] })
  const lead = await app.make.lead({ campaign_id: campaign.id })
  const mail = { lead_id: lead.id, campaign_id: campaign.id, kind: 'notification' as const, client_id: former.id }
  const [refused] = await app.context.db
    .insert(mailsTable)
    .values({ ...mail, recipients: ['former@client.example'], state: 'refused' })
    .returning()
  const admin = await app.as(await app.make.superAdmin())
  const params = { id: lead.id, mailId: refused!.id }
  const canRepeat = async () => (await admin.call(leadHistoryContract.read, { params })).body.mails.at(-1).can_repeat
  expect(await canRepeat()).toBe(true)
  await app.context.db.insert(mailsTable).values({
    ...mail,
    client_id: client.id,
    recipients: ['office@client.example'],
    state: 'sent',
  })
  expect(await canRepeat()).toBe(false)
  expect(await admin.call(leadMailsContract.sendAgain, { params })).toMatchObject({
    status: 422,
    body: { message: 'This email was for another client, and the client who has the lead now was emailed already' },
  })
  expect(await mailsOf(lead.id)).toHaveLength(2)
})

test('a sent mail, one of another lead and one of a hidden lead are not sent again', async () => {
  const lead = await app.make.lead({ campaign_id: campaign.id })
  const hidden = await app.make.lead({ campaign_id: campaign.id, hide: true })
  const foreign = await app.make.lead()
  const mail = { campaign_id: campaign.id, kind: 'notification' as const, recipients: ['x@y.example'] }
  const [sent, refused, ofHidden] = await app.context.db
    .insert(mailsTable)
    .values([
      { ...mail, lead_id: lead.id, state: 'sent' },
      { ...mail, lead_id: lead.id, state: 'refused' },
      { ...mail, lead_id: hidden.id, state: 'refused' },
    ])
    .returning()
  const admin = await app.as(await app.make.admin({ campaigns: [campaign.id] }))
  const ask = async (id: number, mailId: number) =>
    (await admin.call(leadMailsContract.sendAgain, { params: { id, mailId } })).status
  expect(await ask(lead.id, sent!.id)).toBe(422)
  expect(await ask(hidden.id, ofHidden!.id)).toBe(422)
  expect(await ask(hidden.id, refused!.id)).toBe(404)
  expect(await ask(foreign.id, refused!.id)).toBe(404)
  expect(sink.letters).toEqual([])
})

test('a mail server that supports delivery reports is asked to report failure and delay', async () => {
  const lead = await app.make.lead({ campaign_id: campaign.id, tags: ['Missed Call'] })
  const admin = await app.as(await app.make.admin({ campaigns: [campaign.id] }))
  await admin.call(leadMailsContract.sendNotification, { params: { id: lead.id } })
  await arrived(1)
  const [mail] = await mailsOf(lead.id)
  expect(sink.letters[0]!.dsn).toEqual({
    ret: 'HDRS',
    envid: messageIdOf(lead, mail!.id),
    notify: [['FAILURE', 'DELAY']],
  })
})
