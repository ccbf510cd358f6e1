import { extractText, getDocumentProxy } from 'unpdf'
import { beforeEach, expect, test } from 'vitest'
import { addMonths, getToday, startOfMonth } from '#contract/days.ts'
import { emailChangeContract } from '#domains/access/email-change/contract.ts'
import { passwordResetContract } from '#domains/access/password-reset/contract.ts'
import { secondFactorContract } from '#domains/access/second-factor/contract.ts'
import { agencyContract } from '#domains/agency/contract.ts'
import { disputesContract } from '#domains/billing/disputes/contract.ts'
import { statementDocumentContract, statementsContract } from '#domains/billing/statements/contract.ts'
import { clientsContract } from '#domains/clients/contract.ts'
import { enqueueMail } from '#domains/leads/mail/server/enqueue.ts'
import { clientReportsContract, reportScheduleContract } from '#domains/reports/client-reports/contract.ts'
import { startSmtpSink } from '#integrations/fakes/smtp.ts'
import { setUp, startApp } from './app.ts'
import { expectMailable } from './mailable.ts'
import { makeMailedLead } from './mailed-lead.ts'
import { until, waitForJobs } from './until.ts'

const zone = 'America/New_York'
const today = getToday(zone)
const sink = await setUp(startSmtpSink())
const app = await setUp(startApp({ settings: { AGENCY_TIMEZONE: zone, SMTP_URL: sink.url }, work: true }))
const root = await app.as(await app.make.superAdmin({ email: 'root@north.example' }))
beforeEach(async () => {
  await waitForJobs(app.context)
  sink.letters.length = 0
})

const readReport = (key: string) => app.guest.call(clientReportsContract.read, { params: { key } })
const openReport = (key: string, who = app.guest) => who.call(clientReportsContract.opened, { params: { key } })
const readStatement = (key: string) => app.guest.call(statementDocumentContract.read, { params: { key } })

/** A client with a campaign of last month, a verified lead in it, and the links that the client has. */
async function makeLinkedClient() {
  const client = await app.make.client({ name: 'Golden Gate Electrical' })
  const login = await app.make.customer({ client_id: client.id, email: `owner-${client.id}@client.example` })
  const start_date = startOfMonth(addMonths(today, -1))
  const terms = { start_date, due_date: 1, service_fee: 900 }
  const campaign = await app.make.campaign({ client_id: client.id, name: 'Golden Gate Inc.', ...terms })
  const lead = await makeMailedLead(app, { campaign_id: campaign.id, confirmed: true })
  const query = { campaign_ids: campaign.id, order: 'asc' }
  const [statement] = (await root.call(statementsContract.list, { query })).body.data
  const { body: report } = await root.call(clientReportsContract.create, {
    params: { id: client.id },
    body: { period: 'month', from: today },
  })
  return { client, login, lead, statement: statement.id as number, report: report.key as string }
}

test('each email to a client is the agency’s by its sender, its text and the address for answers [ACCT-06, ACCT-10]', async () => {
  const { client, login, lead, statement } = await makeLinkedClient()
  const me = await app.as(login)
  const send = {
    async lead() {
      await app.context.db.transaction((tx) =>
        enqueueMail(tx, app.context, { leadId: lead.id, kind: 'notification', requestedBy: null }),
      )
    },
    async missed() {
      await app.context.db.transaction((tx) =>
        enqueueMail(tx, app.context, { leadId: lead.id, kind: 'missed_call_warning', requestedBy: null }),
      )
    },
    async report() {
      const params = { id: client.id }
      await root.call(reportScheduleContract.update, { params, body: { every: 'month' } })
      expect((await root.call(reportScheduleContract.test, { params })).status).toBe(200)
    },
    async statement() {
      const sent = await root.call(statementsContract.send, { params: { id: statement }, body: { mail: 1 } })
      expect(sent.status).toBe(200)
    },
    async password() {
      expect((await app.guest.call(passwordResetContract.forgot, { body: { email: login.email } })).status).toBe(200)
    },
    async invitation() {
      const body = {
        name: 'Bay Roofing',
        timezone: 'America/Chicago',
        user: { username: 'bay-roofing', email: 'owner@bay.example' },
        emails: '',
        invite: 1,
      }
      expect((await root.call(clientsContract.create, { body })).status).toBe(200)
    },
    async address() {
      const body = { email: 'owner@golden-gate.example' }
      expect((await me.call(emailChangeContract.change, { body })).status).toBe(200)
    },
  }
  const body = { name: 'North & Star Co.', color: '#0a7d4f', email: 'hello@north.example' }
  expect((await root.call(agencyContract.update, { body })).status).toBe(200)
  for (const [name, make] of Object.entries(send)) {
    sink.letters.length = 0
    await make()
    // A new address is told to the old one, too.
    const count = name === 'address' ? 2 : 1
    await until(() => sink.letters.length === count)
    for (const { email } of sink.letters) {
      const { from, replyTo, subject = '', html = '', text = '' } = email
      expect([name, from?.name]).toEqual([name, 'North & Star Co.'])
      expect([name, replyTo?.map(({ address }) => address)]).toEqual([name, ['hello@north.example']])
      expect([name, `${subject} ${html} ${text}`.includes('Leadline')]).toEqual([name, false])
      expect([name, text.includes('..')]).toEqual([name, false])
      expectMailable({ subject, html, text }, app.url)
      // Only what comes again and again without a cause of the client's can be ended; by one click, RFC 8058.
      const headers = new Map(email.headers.map(({ key, value }) => [key, value]))
      const isOneClick = headers.get('list-unsubscribe-post') === 'List-Unsubscribe=One-Click'
      const listed = /^<http.*\/api\/report-unsubscribe\/.+>$/.test(headers.get('list-unsubscribe') ?? '') && isOneClick
      expect([name, listed]).toEqual([name, name === 'report'])
    }
  }
  expect((await me.call(secondFactorContract.beginTotp)).body.uri).toContain('issuer=North%20%26%20Star%20Co.')
  expect((await me.call(secondFactorContract.passkeyOptions)).body).toMatchObject({ rp: { name: 'North & Star Co.' } })
})

test('each page and file that a client opens is the agency’s, down to the properties of a PDF [ACCT-10]', async () => {
  const body = { name: 'North & Star', color: '#fff04d', email: 'hello@north.example' }
  expect((await root.call(agencyContract.update, { body })).status).toBe(200)
  const { lead, report, statement } = await makeLinkedClient()
  const { key } = (await root.call(statementsContract.send, { params: { id: statement } })).body
  for (const path of [`/api/report/${report}.pdf`, `/api/statement/${key}.pdf`]) {
    const answer = await app.guest.fetch(path)
    const file = await getDocumentProxy(new Uint8Array(await answer.arrayBuffer()))
    const { info, metadata } = await file.getMetadata()
    const { text } = await extractText(file, { mergePages: true })
    const all = `${answer.headers.get('content-disposition')} ${JSON.stringify(info)} ${metadata?.getRaw()} ${text}`
    expect([path, all.includes('North & Star'), all.includes('Leadline')]).toEqual([path, true, false])
  }
  expect(await (await app.guest.fetch('/favicon.svg')).text()).not.toContain('Leadline')
  const closed = [
    await readReport('unknown'),
    await readStatement('unknown'),
    await lead.save({ rating: '9' as never }),
  ]
  expect(JSON.stringify(closed.map((one) => one.body))).not.toContain('Leadline')
  const answers = [await readReport(report), await readStatement(key), await lead.get()]
  expect(JSON.stringify(answers.map((one) => one.body))).not.toContain('Leadline')
  expect(answers.map((one) => one.body.agency.name)).toEqual(answers.map(() => 'North & Star'))
})

test('links to reports and ratings of a client who is switched off are closed until they are on again; statements stay [ACCT-12]', async () => {
  const { client, lead, report, statement } = await makeLinkedClient()
  const { key } = (await root.call(statementsContract.send, { params: { id: statement } })).body
  const ask = async () => ({
    report: (await readReport(report)).status,
    file: (await app.guest.fetch(`/api/report/${report}.pdf`)).status,
    opened: (await openReport(report)).status,
    rating: (await lead.get()).status,
    saved: (await lead.save({ rating: '4' })).status,
    statement: (await readStatement(key)).status,
    bill: (await app.guest.fetch(`/api/statement/${key}.pdf`)).status,
  })
  const open = { report: 200, file: 200, opened: 204, rating: 200, saved: 200, statement: 200, bill: 200 }
  const closed = { report: 404, file: 404, opened: 404, rating: 404, saved: 404 }
  const setActive = (is_active: 0 | 1) => root.call(clientsContract.status, { body: { id: client.id, is_active } })
  expect(await ask()).toEqual(open)
  await setActive(0)
  expect(await ask()).toEqual({ ...open, ...closed })
  await setActive(1)
  expect(await ask()).toEqual(open)
  const params = { id: client.id }
  await app.context.pool.query('update campaigns set archived = true where client_id = $1', [client.id])
  expect((await root.call(clientsContract.remove, { params })).status).toBe(204)
  expect(await ask()).toEqual({ ...closed, statement: 404, bill: 404 })
})

test('a report was opened when a guest or its client first reads it, not by a look of the agency [ACCT-01]', async () => {
  const { client, login, report } = await makeLinkedClient()
  const readOpened = async () =>
    (await root.call(clientReportsContract.list, { params: { id: client.id } })).body.data[0].opened_at
  expect((await readReport(report)).status).toBe(200) // a mail scanner reads the page, and runs nothing
  expect((await openReport(report, root)).status).toBe(204)
  expect(await readOpened()).toBeNull()
  expect((await openReport(report, await app.as(login))).status).toBe(204)
  const first = await readOpened()
  expect(Date.parse(first)).toBeGreaterThan(Date.now() - 60_000)
  await openReport(report)
  expect(await readOpened()).toBe(first)
  expect((await openReport('unknown')).status).toBe(404)
})

test('a lead that goes to its right client with notify is mailed to that client, and to none without [ACCT-08]', async () => {
  const [wrong, right] = [await makeLinkedClient(), await makeLinkedClient()]
  const { campaign_id } = await right.lead.row()
  const decide = async (lead: { id: number }, notify: 0 | 1) => {
    const [dispute] = (await root.call(disputesContract.list, { query: { lead_id: lead.id } })).body.data
    const body = { move_to: campaign_id, answer: 'It was meant for another company.', notify }
    expect((await root.call(disputesContract.decide, { params: { id: dispute.id }, body })).status).toBe(200)
    await waitForJobs(app.context)
  }
  const second = await makeMailedLead(app, { campaign_id: (await wrong.lead.row()).campaign_id, confirmed: true })
  for (const lead of [wrong.lead, second]) expect((await lead.notLead()).status).toBe(200)
  await decide(second, 0)
  expect(sink.letters).toEqual([])
  await decide(wrong.lead, 1)
  await until(() => sink.letters.length > 0)
  expect(sink.letters.map(({ to }) => to)).toEqual([[right.login.email]])
  expect(sink.letters[0]!.email.subject).toMatch(/^New (form|call) from /)
})
