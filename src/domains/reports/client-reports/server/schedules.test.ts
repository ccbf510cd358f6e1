import { and, eq, isNull, sql } from 'drizzle-orm'
import PostalMime from 'postal-mime'
import sharp from 'sharp'
import { beforeEach, expect, test } from 'vitest'
import { addDays, addMonths, formatDaySpan, getToday, startOfMonth, startOfWeek } from '#contract/days.ts'
import { auditTable } from '#core/db/schema.ts'
import { notArrivedHash } from '#core/secrets/passwords.ts'
import { usersTable } from '#domains/access/schema.ts'
import { disputesTable } from '#domains/billing/disputes/schema.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { clientsTable } from '#domains/clients/schema.ts'
import { messagesTable } from '#domains/messages/schema.ts'
import { messageOutbox } from '#domains/messages/server/outbox.ts'
import { startSmtpSink } from '#integrations/fakes/smtp.ts'
import { setUp, startApp } from '#test/app.ts'
import { expectMailable } from '#test/mailable.ts'
import { until, waitForJobs } from '#test/until.ts'
import { clientReportsContract, clientStartContract, reportScheduleContract } from '../contract.ts'
import { reportMessages } from '../labels.ts'
import { reportSchedulesTable, scheduledReportsTable } from '../schema.ts'
import { sendDueReports } from './send-report.ts'
import { buildUnsubscribeUrl } from './unsubscribe.ts'

const zone = 'America/New_York'
const clientZone = 'America/Denver'
const monday = startOfWeek(getToday(zone))
/** This week's Wednesday, when Monday's slots have passed in every zone. */
const wednesday = new Date(`${addDays(monday, 2)}T18:00:00Z`)
const lastWeek = { from: addDays(monday, -7), to: addDays(monday, -1) }
const days = (count: number) => new Date(Date.now() + count * 86_400_000)

let clientId: number
let customer: Awaited<ReturnType<typeof app.make.customer>>
const sink = await setUp(startSmtpSink())
const app = await setUp(startApp({ settings: { AGENCY_TIMEZONE: zone, SMTP_URL: sink.url }, work: true }))
const root = await app.as(await app.make.superAdmin())
beforeEach(async () => {
  const { db } = app.context
  await waitForJobs(app.context) // letters of an earlier test would be counted
  await db.delete(reportSchedulesTable)
  await db.delete(scheduledReportsTable)
  await db.delete(messagesTable)
  sink.letters.length = 0
  const client = await app.make.client({ name: 'Acme', emails: ['office@acme.example'], timezone: clientZone })
  clientId = client.id
  customer = await app.make.customer({ client_id: clientId, email: `owner-${clientId}@acme.example` })
  const campaign = await app.make.campaign({ client_id: clientId, initial_target: 8 })
  await app.make.lead({
    campaign_id: campaign.id,
    confirmed: true,
    occurred_at: new Date(`${addDays(lastWeek.from, 2)}T17:00:00Z`),
  })
})

const put = (body: object, who = root) => who.call(reportScheduleContract.update, { params: { id: clientId }, body })
const read = async () => (await root.call(reportScheduleContract.read, { params: { id: clientId } })).body
/** Backdates the schedule to a day before the last month, so that the slots of this week and of this month are due. */
const setLongAgo = () => app.context.db.update(reportSchedulesTable).set({ set_at: days(-60) })
const queued = () => app.context.db.select().from(messagesTable)

test('there is no schedule at first; a new one shows when it sends next; null ends it [RPT-03]', async () => {
  expect(await read()).toMatchObject({ every: null, skip_empty: 0, next_at: null })
  const { status, body } = await put({ every: 'week', day: 1, hour: 9, skip_empty: 1 })
  expect(status).toBe(200)
  expect(body).toMatchObject({ every: 'week', day: 1, hour: 9, skip_empty: 1, timezone: 'America/Denver' })
  expect(body.recipients).toEqual([`owner-${clientId}@acme.example`, 'office@acme.example'])
  expect(Date.parse(body.next_at)).toBeGreaterThan(Date.now())
  expect(new Date(body.next_at).getUTCDay()).toBe(1)
  expect(await read()).toEqual(body)
  expect((await put({ every: null })).body).toMatchObject({ every: null, next_at: null })
})

test('unknown days, hours and periods are refused on their fields [RPT-03]', async () => {
  const refused = async (body: object) => Object.keys((await put(body)).body.errors)
  expect(await refused({ every: 'week', day: 7, hour: 9 })).toEqual(['day'])
  expect(await refused({ every: 'month', day: 0, hour: 9 })).toEqual(['day'])
  expect(await refused({ every: 'month', day: 32, hour: 9 })).toEqual(['day'])
  expect(await refused({ every: 'cycle', day: 1, hour: 24 })).toEqual(['hour'])
  expect(await refused({ every: 'year', day: 1, hour: 9 })).toEqual(['every'])
})

test('a new schedule does not send reports due before it was set [RPT-03]', async () => {
  await put({ every: 'week', day: 1, hour: 0 })
  await sendDueReports(app.context)
  expect(await queued()).toEqual([])
})

test('a due report is sent once to each address, with PDF, link and one-click unsubscribe, however often the job runs [RPT-03]', async () => {
  await put({ every: 'week', day: 1, hour: 0 })
  await setLongAgo()
  // A weekly slot missed during downtime is sent late.
  await Promise.all(Array.from({ length: 4 }, () => sendDueReports(app.context, wednesday)))
  await sendDueReports(app.context, wednesday)
  await until(async () => sink.letters.length === 2)
  expect(sink.letters.flatMap(({ to }) => to).toSorted()).toEqual([
    'office@acme.example',
    `owner-${clientId}@acme.example`,
  ])
  const { raw } = sink.letters[0]!
  const letter = await PostalMime.parse(raw)
  expect(letter.attachments[0]).toMatchObject({
    filename: `report-${lastWeek.from}-${lastWeek.to}.pdf`,
    mimeType: 'application/pdf',
  })
  expect(letter.text).toContain('1 verified lead, ')
  const headers = new Map(letter.headers.map(({ key, value }) => [key, value]))
  expect(headers.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
  const key = /\/report\/([\w-]{22})/.exec(letter.text ?? '')?.[1] ?? ''
  const page = await app.guest.call(clientReportsContract.read, { params: { key } })
  expect(page.body).toMatchObject({ ...lastWeek, period: 'week', verified: 1 })

  const address = /^<(.*)>$/.exec(headers.get('list-unsubscribe') ?? '')?.[1] ?? ''
  const ask = await app.guest.fetch(address.replace(app.url, ''), { redirect: 'manual' })
  expect([ask.status, ask.headers.get('location')?.includes('/report-unsubscribe/')]).toEqual([302, true])
  expect(await read()).toMatchObject({ every: 'week' })
  const post = (path: string) =>
    app.guest.fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
    })
  expect((await post(address.replace(app.url, ''))).status).toBe(200)
  expect((await post(address.replace(app.url, ''))).status).toBe(200)
  expect(await read()).toMatchObject({ every: null, next_at: null })
  expect((await post(`/api/report-unsubscribe/${clientId}-made-up`)).status).toBe(404)
  const ended = await app.context.db
    .select({ user_id: auditTable.user_id, before: auditTable.before, after: auditTable.after })
    .from(auditTable)
    .where(and(eq(auditTable.kind, 'report schedule'), eq(auditTable.row_id, clientId), isNull(auditTable.user_id)))
  expect(ended).toEqual([{ user_id: null, before: { every: 'week' }, after: { every: null } }])
})

test('a schedule that the client has ended is not set again by who still had it open [RPT-03]', async () => {
  const schedule = { every: 'week', day: 1, hour: 9 }
  expect((await put({ ...schedule, version: 0 })).body.version).toBe(1)
  const { secrets, settings, db, pool } = app.context
  const [key = ''] = buildUnsubscribeUrl({ settings, secrets }, clientId).split('/').slice(-1)
  const unsubscribe = () => app.guest.call(reportScheduleContract.unsubscribe, { params: { key } })
  expect([(await unsubscribe()).status, (await unsubscribe()).status]).toEqual([200, 200])
  const stale = await put({ ...schedule, hour: 10, version: 1 })
  expect([stale.status, stale.body.message]).toEqual([409, 'Someone else has changed this schedule'])
  expect(stale.body.newer).toEqual(await read())
  expect(await read()).toMatchObject({ every: null, hour: 9, version: 2 })

  // Also one that ends while the save waits for it.
  await put({ ...schedule, version: 2 })
  const save = await db.transaction(async (tx) => {
    await tx.update(reportSchedulesTable).set({ every: null, version: 4 })
    const saving = put({ ...schedule, hour: 10, version: 3 })
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    await until(async () => (await pool.query(waiting)).rowCount)
    return { saving }
  })
  expect((await save.saving).status).toBe(409)
  expect(await read()).toMatchObject({ every: null, hour: 9 })
})

test('the email of a report is its sentence, a picture of the weeks with their numbers as text, and one button [ACCT-06]', async () => {
  await put({ every: 'month', day: 1, hour: 0 })
  await setLongAgo()
  const month = addMonths(startOfMonth(getToday(zone)), -1)
  const [{ id: campaign_id }] = (await app.context.db
    .select({ id: campaignsTable.id })
    .from(campaignsTable)
    .where(eq(campaignsTable.client_id, clientId))) as [{ id: number }]
  for (const day of [2, 2, 20])
    await app.make.lead({ campaign_id, confirmed: true, occurred_at: new Date(`${addDays(month, day)}T17:00:00Z`) })
  await sendDueReports(app.context, new Date(`${addDays(addMonths(month, 1), 3)}T18:00:00Z`))
  await until(async () => sink.letters.length === 2)
  const letter = await PostalMime.parse(sink.letters[0]!.raw)
  const { html = '', text = '', attachments } = letter
  expectMailable({ subject: letter.subject ?? '', html, text })
  const key = /\/report\/([\w-]{22})/.exec(text)?.[1] ?? ''
  const { body: report } = await app.guest.call(clientReportsContract.read, { params: { key } })
  expect(text).toContain(report.says)
  expect(html).toContain(report.says)
  expect(html.match(new RegExp(`${app.url}/report/${key}`, 'g'))).toHaveLength(1)
  const picture = attachments.find(({ contentId }) => contentId === '<weeks>')!
  expect(html).toContain('src="cid:weeks"')
  const { data, info } = await sharp(Buffer.from(picture.content as ArrayBuffer))
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  // The height of each bar, measured in the middle of its week.
  const heights = report.weeks.map((_: unknown, index: number) => {
    const x = Math.round(((index + 0.5) * info.width) / report.weeks.length)
    return Array.from({ length: info.height }, (_, y) => data[(y * info.width + x) * info.channels]!).filter(
      (red) => red < 200,
    ).length
  })
  const most = Math.max(...report.weeks.map(({ verified }: { verified: number }) => verified))
  expect(heights).toEqual(
    report.weeks.map(({ verified }: { verified: number }) => Math.max(4, Math.round((verified / most) * info.height))),
  )
  for (const { from, to, verified } of report.weeks)
    expect(text).toContain(`${formatDaySpan({ from, to })}: ${verified}`)
})

test('a report is not sent to the account of a client who has not accepted the invitation [MOVE-12]', async () => {
  const { db } = app.context
  await db.update(usersTable).set({ password_hash: notArrivedHash }).where(eq(usersTable.client_id, clientId))
  expect((await put({ every: 'week', day: 1, hour: 9 })).body.recipients).toEqual(['office@acme.example'])
  await setLongAgo()
  await sendDueReports(app.context, wednesday)
  await until(() => sink.letters.length > 0)
  await waitForJobs(app.context)
  expect(sink.letters.flatMap(({ to }) => to)).toEqual(['office@acme.example'])
})

test.each([
  ['its client was switched off', 'The client was switched off since'],
  ['its client was removed', 'The client was removed since'],
  ['its link was closed', 'The link was closed since'],
  ['its client has unsubscribed', 'The client has unsubscribed since'],
  ['its schedule was ended', 'The schedule was ended since'],
])('an email that waits for the mail server is not sent once %s, and says why [RPT-03]', async (what, error) => {
  const { db } = app.context
  await put({ every: 'week', day: 1, hour: 0 })
  await setLongAgo()
  sink.busy.add('office@acme.example')
  await sendDueReports(app.context, wednesday)
  const find = async () => (await queued()).find(({ recipient }) => recipient === 'office@acme.example')
  await until(async () => Boolean((await find())?.error))
  await until(() => sink.letters.length === 1) // the other address has its email
  if (what === 'its client was switched off')
    await db.update(usersTable).set({ is_active: false }).where(eq(usersTable.client_id, clientId))
  else if (what === 'its client was removed')
    await db.update(clientsTable).set({ deleted_at: new Date() }).where(eq(clientsTable.id, clientId))
  else if (what === 'its client has unsubscribed') {
    const key = /\/report-unsubscribe\/([\w-]+)/.exec(sink.letters[0]!.email.text ?? '')?.[1] ?? ''
    expect((await app.guest.call(reportScheduleContract.unsubscribe, { params: { key } })).status).toBe(200)
  } else if (what === 'its schedule was ended') await put({ every: null, day: 1, hour: 0 })
  else {
    const { body } = await root.call(clientReportsContract.list, { params: { id: clientId } })
    await root.call(clientReportsContract.revoke, { params: { id: body.data[0].id } })
  }
  sink.busy.clear()
  await messageOutbox.send(app.context, (await find())!.id)
  expect(await find()).toMatchObject({ state: 'refused', content: null, error })
  expect(sink.letters.flatMap(({ to }) => to)).toEqual([`owner-${clientId}@acme.example`])
})

test('changing the day does not send the same period again [RPT-03]', async () => {
  await put({ every: 'week', day: 1, hour: 0 })
  await setLongAgo()
  await sendDueReports(app.context, wednesday)
  expect(await queued()).toHaveLength(2)
  await put({ every: 'week', day: 1, hour: 1 })
  await setLongAgo()
  await sendDueReports(app.context, wednesday)
  expect(await queued()).toHaveLength(2)
  await sendDueReports(app.context, new Date(wednesday.getTime() + 7 * 86_400_000))
  expect(await queued()).toHaveLength(4)
})

test('a due day that moves back does not send the days of a report again [RPT-03]', async () => {
  await put({ every: 'cycle', day: 1, hour: 0 })
  await setLongAgo()
  const setDueDay = (due_date: number) =>
    app.context.db.update(campaignsTable).set({ due_date }).where(eq(campaignsTable.client_id, clientId))
  const noon = (day: string) => new Date(`${day}T18:00:00Z`)
  const month = startOfMonth(getToday(zone))
  await setDueDay(15)
  await sendDueReports(app.context, noon(addDays(month, 15)))
  expect(await queued()).toHaveLength(2)
  await setDueDay(14)
  await sendDueReports(app.context, noon(addDays(month, 15)))
  expect(await queued()).toHaveLength(2)
})

test('a client who is switched off gets no report until they are on again [RPT-03, ACCT-12]', async () => {
  await put({ every: 'week', day: 1, hour: 0 })
  await setLongAgo()
  const setActive = (is_active: boolean) =>
    app.context.db.update(usersTable).set({ is_active }).where(eq(usersTable.client_id, clientId))
  await setActive(false)
  await sendDueReports(app.context, wednesday)
  expect(await queued()).toEqual([])
  expect(await read()).toMatchObject({ every: 'week', next_at: null })
  await setActive(true)
  expect(await read()).toMatchObject({ next_at: expect.any(String) })
  await sendDueReports(app.context, wednesday)
  expect(await queued()).toHaveLength(2)
})

test('a report of another length that began on the same day is another report [RPT-03]', async () => {
  await put({ every: 'week', day: 1, hour: 0 })
  await setLongAgo()
  await app.context.db
    .insert(scheduledReportsTable)
    .values({ client_id: clientId, every: 'month', from: lastWeek.from })
  await sendDueReports(app.context, wednesday)
  expect(await queued()).toHaveLength(2)
})

test('a client whose report fails does not hold up the others, and is tried again [RPT-03]', async () => {
  const { db } = app.context
  await put({ every: 'week', day: 1, hour: 9 })
  const other = await app.make.client({ name: 'Beta' })
  await app.make.campaign({ client_id: other.id })
  await app.make.customer({ client_id: other.id, email: `owner-${other.id}@beta.example` })
  const body = { every: 'week', day: 1, hour: 9 }
  await root.call(reportScheduleContract.update, { params: { id: other.id }, body })
  await setLongAgo()
  await db.execute(sql`create function refuse_first() returns trigger language plpgsql as $$
    begin raise exception 'this report cannot be made'; end $$`)
  await db.execute(
    sql.raw(`create trigger refuses before insert on scheduled_reports for each row
      when (new.client_id = ${clientId}) execute function refuse_first()`),
  )
  await sendDueReports(app.context, wednesday)
  expect((await queued()).map(({ recipient }) => recipient)).toEqual([`owner-${other.id}@beta.example`])
  await db.execute(sql`drop trigger refuses on scheduled_reports`)
  await sendDueReports(app.context, wednesday)
  expect(await queued()).toHaveLength(3)
})

test('a client without leads gets an empty report, unless empty ones are skipped or notifications are disabled [RPT-03]', async () => {
  const send = async (skip_empty: 0 | 1, disable_notifications = false) => {
    const client = await app.make.client({ disable_notifications })
    await app.make.customer({ client_id: client.id })
    await app.make.campaign({ client_id: client.id, initial_target: 0 })
    await root.call(reportScheduleContract.update, {
      params: { id: client.id },
      body: { every: 'month', day: 1, hour: 0, skip_empty },
    })
    await app.context.db
      .update(reportSchedulesTable)
      .set({ set_at: days(-60) })
      .where(eq(reportSchedulesTable.client_id, client.id))
    const before = (await queued()).length
    await sendDueReports(app.context) // by this week’s Wednesday a month may be due that is not over
    return (await queued()).length - before
  }
  expect([await send(0), await send(1), await send(0, true)]).toEqual([1, 0, 0])
  await until(async () => sink.letters.length === 1)
  expect((await PostalMime.parse(sink.letters[0]!.raw)).text).toContain('There were no verified leads in this period.')
})

test('a client whose only campaign went to another client gets no empty reports [RPT-03]', async () => {
  await put({ every: 'week', day: 1, hour: 0, skip_empty: 0 })
  await setLongAgo()
  const other = await app.make.client()
  await app.context.db.update(campaignsTable).set({ client_id: other.id }).where(eq(campaignsTable.client_id, clientId))
  await sendDueReports(app.context, wednesday)
  expect(await queued()).toEqual([])
})

test('a client whose campaigns are all archived gets the report of their last leads, and no empty ones after [RPT-03]', async () => {
  await put({ every: 'week', day: 1, hour: 0, skip_empty: 0 })
  await setLongAgo()
  await app.context.db.update(campaignsTable).set({ archived: true }).where(eq(campaignsTable.client_id, clientId))
  await sendDueReports(app.context, wednesday)
  expect(await queued()).toHaveLength(2)
  await sendDueReports(app.context, new Date(wednesday.getTime() + 7 * 86_400_000))
  expect(await queued()).toHaveLength(2)
})

test('a report without leads is not skipped if it answers a dispute [RPT-03] [RPT-06]', async () => {
  const client = await app.make.client()
  await app.make.customer({ client_id: client.id })
  const campaign = await app.make.campaign({ client_id: client.id })
  const decided_at = new Date(`${addDays(lastWeek.from, 2)}T17:00:00Z`)
  // Accepted: the lead is no longer verified.
  const lead = await app.make.lead({ campaign_id: campaign.id, occurred_at: decided_at })
  const dispute = { lead_id: lead.id, campaign_id: campaign.id, via: 'portal', state: 'accepted' } as const
  await app.context.db.insert(disputesTable).values({ ...dispute, answer: 'You were right', decided_at })
  const body = { every: 'week', day: 1, hour: 0, skip_empty: 1 }
  await root.call(reportScheduleContract.update, { params: { id: client.id }, body })
  await setLongAgo()
  await sendDueReports(app.context, wednesday)
  expect(await queued()).toHaveLength(1)
})

test('the preview is the email as it would be sent; a test goes to the requester, never to the client [RPT-03]', async () => {
  const ask = (call: typeof reportScheduleContract.preview | typeof reportScheduleContract.test) =>
    root.call(call, { params: { id: clientId } })
  expect([(await ask(reportScheduleContract.preview)).status, (await ask(reportScheduleContract.test)).status]).toEqual(
    [409, 409],
  )
  await put({ every: 'week', day: 1, hour: 9 })
  const preview = await ask(reportScheduleContract.preview)
  expect(preview.status).toBe(200)
  expect(preview.body.email.html).toContain('Your leads')
  expect(preview.body.report.client.name).toBe('Acme')
  expect(await queued()).toEqual([])
  expect((await ask(reportScheduleContract.test)).status).toBe(200)
  await until(async () => sink.letters.length === 1)
  expect(sink.letters[0]!.to.join()).toMatch(/^super_admin/)
  expect(sink.letters[0]!.raw).toContain('List-Unsubscribe=One-Click')
  // Staff see it with the others; the client's own start page does not show what they were not sent.
  const listed = await root.call(clientReportsContract.list, { params: { id: clientId } })
  const own = await (await app.as(customer)).call(clientStartContract.read)
  expect([listed.body.total, own.status, own.body.reports]).toEqual([1, 200, []])

  // Its button looks as in the client's email, but a test never ends the client's reports.
  const { text = '' } = await PostalMime.parse(sink.letters[0]!.raw)
  const key = /\/report-unsubscribe\/([\w-]+)/.exec(text)?.[1] ?? ''
  const pressed = await app.guest.call(reportScheduleContract.unsubscribe, { params: { key } })
  expect([pressed.status, pressed.body.message]).toEqual([200, reportMessages.testUnsubscribed])
  expect(await read()).toMatchObject({ every: 'week' })
})

test('schedules need the page and all campaigns of the client [RPT-03]', async () => {
  const admin = await app.as(
    await app.make.admin({ campaigns: [(await app.make.campaign()).id], permissions: ['clients'] }),
  )
  const before = await app.dump()
  expect((await put({ every: 'week', day: 1, hour: 9 }, admin)).status).toBe(404)
  expect((await put({ every: 'week', day: 1, hour: 9 }, app.guest)).status).toBe(401)
  expect(await app.dump()).toBe(before)
})
