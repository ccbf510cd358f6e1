import { expect, test } from 'vitest'
import { addMonths, getToday, startOfMonth } from '#contract/days.ts'
import { disputesContract } from '#domains/billing/disputes/contract.ts'
import { statementsContract } from '#domains/billing/statements/contract.ts'
import { enqueueMail } from '#domains/leads/mail/server/enqueue.ts'
import { clientReportsContract } from '#domains/reports/client-reports/contract.ts'
import { startSmtpSink } from '#integrations/fakes/smtp.ts'
import { setUp, startApp } from '#test/app.ts'
import { axeViolations } from '#test/axe.ts'
import { until } from '#test/until.ts'
import { callsTo, see, visit } from '#test/visit.ts'

const zone = 'America/New_York'
const sink = await setUp(startSmtpSink())
const app = await setUp(
  startApp({ work: true, settings: { AGENCY_TIMEZONE: zone, AGENCY_NAME: 'North Star Leads', SMTP_URL: sink.url } }),
)
const phone = { viewport: { width: 390, height: 844 } }

test('a client gets an email, listens, rates, says that a lead is none, reads the answer, a report and a statement, without signing in [ACCT-02, ACCT-06, ACCT-07]', async () => {
  const root = await app.as(await app.make.superAdmin())
  const client = await app.make.client({ name: 'Golden Gate Electrical', emails: ['office@client.example'] })
  const campaign = await app.make.campaign({
    client_id: client.id,
    name: 'Golden Gate Electrical',
    start_date: startOfMonth(addMonths(getToday(zone), -1)),
    due_date: 1,
    service_fee: 900,
  })
  const lead = await app.make.lead({
    campaign_id: campaign.id,
    confirmed: true,
    lead_type: 'Call',
    lead_name: 'Linda Howard',
    lead_phone: '+13035550101',
    recording_url: 'https://calls.example/1',
    occurred_at: new Date(),
  })
  await app.context.db.transaction((tx) =>
    enqueueMail(tx, app.context, { leadId: lead.id, kind: 'notification', requestedBy: null }),
  )
  await until(async () => sink.letters.length === 1)
  const { html = '' } = sink.letters[0]!.email
  const links = [...html.matchAll(/href="([^"]+)"/g)].map(([, link = '']) => link.replaceAll('&amp;', '&'))
  const linkWith = (part: string) => links.find((link) => link.includes(part))!.replace(app.url, '')

  const listening = await visit(app, app.guest, linkWith('listen=1'), phone)
  await listening.getByRole('button', { name: /^Play the recording/ }).waitFor()
  expect(callsTo(listening, 'POST')).toEqual([])

  const rating = await visit(app, app.guest, linkWith('rate=4'), phone)
  await rating.getByText('Saved: 4 stars').waitFor()
  // Not by the other link: one that is opened a moment after a star is a scanner's.
  await rating.getByRole('group', { name: 'Progress' }).getByText('Not Lead').click()
  await rating.getByRole('button', { name: 'Save Lead' }).click()
  await rating.getByText('North Star Leads will look at it and answer here within three working days').waitFor()
  await rating.getByText('Meant for another company').click()
  await rating.getByText('Saved: Not Lead · Meant for another company').waitFor()
  expect(await axeViolations(rating)).toEqual([])

  const [dispute] = (await root.call(disputesContract.list, { query: { lead_id: lead.id } })).body.data
  expect(dispute).toMatchObject({ state: 'open', reason: 'not_my_company' })
  const { body: made } = await root.call(clientReportsContract.create, {
    params: { id: client.id },
    body: { period: 'month', from: getToday(zone) },
  })
  const open = await visit(app, app.guest, `/report/${made.key}`, phone)
  await open.getByRole('heading', { name: 'Under review (1)' }).waitFor()
  await open.getByText('You marked this Not a lead').waitFor()
  await see(() => open.title()).toBe('Report · North Star Leads')

  await root.call(disputesContract.decide, {
    params: { id: dispute.id },
    body: { accept: false, answer: 'She asked for your company by name.' },
  })
  const answered = await visit(app, app.guest, linkWith('listen=1'), phone)
  await answered.getByText('She asked for your company by name.').waitFor()
  const report = await visit(app, app.guest, `/report/${made.key}`, phone)
  await report.getByText('She asked for your company by name.').waitFor()
  expect(await report.getByText('under review').count()).toBe(0)
  expect(await report.evaluate(() => document.documentElement.scrollWidth)).toBe(390)

  const [due] = (await root.call(statementsContract.list, { query: { campaign_ids: campaign.id, state: ['ended'] } }))
    .body.data
  sink.letters.length = 0
  const sent = await root.call(statementsContract.send, {
    params: { id: due.id },
    body: { mail: 1, to: ['books@client.example'] },
  })
  await until(async () => sink.letters.length === 1)
  const mailed = /href="([^"]*\/statement\/[^"]+)"/.exec(sink.letters[0]!.email.html ?? '')![1]!
  const statement = await visit(app, app.guest, mailed.replace(app.url, ''), phone)
  await statement.getByRole('heading', { name: `Statement ${sent.body.number}` }).waitFor()
  await statement.getByText('Golden Gate Electrical').first().waitFor()
  await statement.getByText('$900.00').first().waitFor()
  await see(() => statement.title()).toBe(`Statement ${sent.body.number} · North Star Leads`)
  expect(await axeViolations(statement)).toEqual([])
  expect(await statement.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
})
