import { randomUUID } from 'node:crypto'
import { eq, like } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { addDays, getToday, msPerDay, startOfWeek } from '#contract/days.ts'
import { toInstant } from '#core/time/local-time.ts'
import { usersTable } from '#domains/access/schema.ts'
import { statementsContract } from '#domains/billing/statements/contract.ts'
import { computeBillingCycle } from '#domains/campaigns/public.ts'
import { termsContract } from '#domains/campaigns/terms/contract.ts'
import { clientsContract } from '#domains/clients/contract.ts'
import { clientsTable } from '#domains/clients/schema.ts'
import { messagesTable } from '#domains/messages/schema.ts'
import { reportScheduleContract } from '#domains/reports/client-reports/contract.ts'
import { reportSchedulesTable } from '#domains/reports/client-reports/schema.ts'
import { sendDueReports } from '#domains/reports/client-reports/server/send-report.ts'
import { buildUnsubscribeUrl } from '#domains/reports/client-reports/server/unsubscribe.ts'
import { startSmtpSink } from '#integrations/fakes/smtp.ts'
import { setUp, startApp } from '#test/app.ts'
import { until, waitForJobs } from '#test/until.ts'
import { type Signal, signalsContract } from '../contract.ts'
import { runSignals } from './runner.ts'

const zone = 'America/New_York'
const dueDay = 31
const current = computeBillingCycle(dueDay, getToday(zone))
const cycle = computeBillingCycle(dueDay, addDays(current.from, -1))
const monday = startOfWeek(getToday(zone))

const sink = await setUp(startSmtpSink())
const app = await setUp(startApp({ settings: { AGENCY_TIMEZONE: zone, SMTP_URL: sink.url }, work: true }))
const root = await app.as(await app.make.superAdmin())

/** The signals of a kind after all mail was delivered or refused. */
async function find(kind: string, { caller = root, state = 'open', at = new Date() } = {}): Promise<Signal[]> {
  await waitForJobs(app.context)
  await runSignals(app.context, at)
  return (await caller.call(signalsContract.list, { query: { kind, state } })).body.data
}

async function makeClient(emails: string[]) {
  const client = await app.make.client({ name: `Acme ${emails}`, emails, billing_emails: emails })
  await app.make.customer({ client_id: client.id, email: `boss@${client.id}.example` }) // without a login a client is not active
  const campaign = await app.make.campaign({
    client_id: client.id,
    start_date: cycle.from,
    due_date: dueDay,
    initial_target: 8,
  })
  return { client, campaign }
}

test('a statement that was not delivered, until it is emailed to an address that takes it [TODAY-02] [ACCT-03]', async () => {
  sink.unknown.add('gone@books.example')
  const { client, campaign } = await makeClient(['gone@books.example', 'boss@books.example'])
  const terms = [{ from: cycle.from, kind: 'flat', fee: 100 }]
  expect((await root.call(termsContract.save, { params: { id: campaign.id }, body: { terms } })).status).toBe(200)
  const listed = await root.call(statementsContract.list, { query: { campaign_ids: campaign.id, order: 'asc' } })
  const params = { id: listed.body.data[0].id }
  const { number } = (await root.call(statementsContract.send, { params, body: { mail: 1 } })).body
  const [signal] = await find('statement_refused')
  expect(signal, 'the other address has it').toMatchObject({
    severity: 'severe',
    title: `Statement ${number} of ${client.name} was not delivered`,
    campaign: { id: campaign.id },
    subject: { type: 'statement', id: params.id },
    evidence: {
      recipients: ['gone@books.example'],
      count: 1,
      says: expect.stringMatching(/^An email to gone@books\.example was not delivered: .*No such mailbox\. Check the /),
    },
  })
  const admin = await app.make.admin({ campaigns: [campaign.id], permissions: ['dashboard'] })
  expect(await find('statement_refused', { caller: await app.as(admin) }), 'it is about money').toEqual([])

  await root.call(statementsContract.mail, { params, body: { to: ['gone@books.example'] } })
  expect(await find('statement_refused')).toMatchObject([{ id: signal!.id, evidence: { count: 2 } }])
  sink.busy.add('busy@books.example')
  await root.call(statementsContract.mail, { params, body: { to: ['busy@books.example'] } })
  await until(
    async () => (await app.context.db.$count(messagesTable, like(messagesTable.error, '%Try again later%'))) > 0,
  )
  await root.call(statementsContract.newKey, { params })
  expect((await find('statement_refused'))[0]!.evidence).toMatchObject({
    count: 3,
    says: expect.stringMatching(/ was not delivered: The link was closed since\.$/),
  })
  const setRemoved = (deleted_at: Date | null) =>
    app.context.db.update(clientsTable).set({ deleted_at }).where(eq(clientsTable.id, client.id))
  await setRemoved(new Date())
  expect(await find('statement_refused'), 'nothing is emailed to a removed client').toEqual([])
  await setRemoved(null)
  await root.call(statementsContract.mail, { params, body: { to: ['new@books.example'] } })
  expect(await find('statement_refused')).toEqual([])
  expect(await find('statement_refused', { state: 'closed' })).toMatchObject([{ id: signal!.id }])
})

test('a scheduled report that was not delivered, for two weeks, or until the next one arrives [TODAY-02] [RPT-03]', async () => {
  sink.unknown.add('gone@reports.example')
  const { client, campaign } = await makeClient(['gone@reports.example'])
  await app.make.lead({
    campaign_id: campaign.id,
    confirmed: true,
    occurred_at: toInstant(addDays(monday, -3), '12:00', zone),
  })
  const schedule = { every: 'week', day: 1, hour: 9, skip_empty: 0 }
  await root.call(reportScheduleContract.update, { params: { id: client.id }, body: schedule })
  const sendIn = async (weeks: number) => {
    await app.context.db.update(reportSchedulesTable).set({ set_at: new Date(Date.now() - 30 * msPerDay) })
    await sendDueReports(app.context, new Date(`${addDays(monday, 2 + 7 * weeks)}T18:00:00Z`))
  }
  await sendIn(0)
  const found = [
    {
      severity: 'severe',
      title: `The report of ${client.name} was not delivered`,
      campaign: { id: campaign.id },
      subject: { type: 'client', id: client.id, label: client.name },
      evidence: { recipients: ['gone@reports.example'], says: expect.stringContaining('No such mailbox') },
    },
  ]
  const admin = await app.as(await app.make.admin({ campaigns: [campaign.id] }))
  expect(await find('report_refused', { caller: admin })).toMatchObject(found)
  expect(await find('report_refused', { at: new Date(Date.now() + 14.1 * msPerDay) })).toEqual([])
  expect(await find('report_refused')).toMatchObject(found)
  const setActive = (is_active: boolean) =>
    app.context.db.update(usersTable).set({ is_active }).where(eq(usersTable.client_id, client.id))
  await setActive(false)
  expect(await find('report_refused'), 'a client who is switched off gets no next report').toEqual([])
  const [closed] = await find('report_refused', { state: 'closed' })
  expect(closed!.evidence.says).toMatch(/^The client was removed or switched off\. /)
  await setActive(true)
  expect(await find('report_refused')).toMatchObject(found)
  const emails = 'office@reports.example'
  expect((await root.call(clientsContract.update, { params: { id: client.id }, body: { emails } })).status).toBe(200)
  await sendIn(1)
  expect(await find('report_refused')).toEqual([])
  const [mended] = await find('report_refused', { state: 'closed' })
  expect(mended!.evidence.says).toMatch(/^Emailed again since, or more than two weeks ago\. /)
})

test.each(['a client who has unsubscribed', 'a schedule that was ended'])(
  '%s while a report waited is no signal [TODAY-02] [RPT-03]',
  async (what) => {
    const recipient = `${randomUUID()}@reports.example`
    const { client } = await makeClient([recipient])
    sink.busy.add(recipient)
    const schedule = { every: 'week', day: 1, hour: 9, skip_empty: 0 }
    await root.call(reportScheduleContract.update, { params: { id: client.id }, body: schedule })
    await app.context.db.update(reportSchedulesTable).set({ set_at: new Date(Date.now() - 30 * msPerDay) })
    await sendDueReports(app.context, new Date(`${addDays(monday, 2)}T18:00:00Z`))
    const waiting = eq(messagesTable.recipient, recipient)
    const read = async () => (await app.context.db.select().from(messagesTable).where(waiting))[0]
    await until(async () => Boolean((await read())?.error))
    const key = /\/report-unsubscribe\/([\w-]+)/.exec(buildUnsubscribeUrl(app.context, client.id))?.[1] ?? ''
    if (what === 'a client who has unsubscribed')
      await root.call(reportScheduleContract.unsubscribe, { params: { key } })
    else
      await root.call(reportScheduleContract.update, {
        params: { id: client.id },
        body: { ...schedule, every: null },
      })
    expect(await read()).toMatchObject({ state: 'refused' })
    expect(await find('report_refused')).toEqual([])
  },
)
