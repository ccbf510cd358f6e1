import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { addMonths, getToday, startOfMonth } from '#contract/days.ts'
import { agencyContract } from '#domains/agency/contract.ts'
import { disputesContract } from '#domains/billing/disputes/contract.ts'
import { statementsContract } from '#domains/billing/statements/contract.ts'
import { enqueueMail } from '#domains/leads/mail/server/enqueue.ts'
import { clientReportsContract, reportScheduleContract } from '#domains/reports/client-reports/contract.ts'
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

test('names without a space, of 100 characters and more, and markup in a name break no page or email on a phone', async () => {
  const root = await app.as(await app.make.superAdmin({ email: 'root@north.example' }))
  const name = 'Donaudampfschifffahrt'.repeat(6).slice(0, 120)
  await root.call(agencyContract.update, { body: { name: name.slice(0, 100), color: '#ffeb3b' } })
  const client = await app.make.client({ name, emails: ['office@long.example'] })
  const login = await app.make.customer({ client_id: client.id })
  const start_date = startOfMonth(addMonths(getToday(zone), -1))
  const campaign = await app.make.campaign({ client_id: client.id, name, start_date, due_date: 1, service_fee: 900 })
  const values = { campaign_id: campaign.id, confirmed: true, lead_email: `${'a.long.'.repeat(8)}name@client.example` }
  const occurred_at = new Date(`${start_date}T17:05:00Z`)
  await app.make.lead({ ...values, lead_name: '<b>Bold</b> & <i>"slanted"</i>', occurred_at })
  await app.make.lead({ ...values, lead_name: name, lead_type: 'Form', message: name.repeat(3), occurred_at })
  const lead = await app.make.lead({ ...values, lead_name: name, message: name.repeat(3), occurred_at: new Date() })

  sink.letters.length = 0
  await app.context.db.transaction((tx) =>
    enqueueMail(tx, app.context, { leadId: lead.id, kind: 'notification', requestedBy: null }),
  )
  const of = { params: { id: client.id } }
  await root.call(reportScheduleContract.update, { ...of, body: { every: 'month' } })
  await root.call(reportScheduleContract.test, of)
  const { body: report } = await root.call(clientReportsContract.create, {
    ...of,
    body: { period: 'month', from: start_date },
  })
  const query = { campaign_ids: campaign.id, state: ['ended'] }
  const [due] = (await root.call(statementsContract.list, { query })).body.data
  const { body: sent } = await root.call(statementsContract.send, { params: { id: due.id }, body: { mail: 1 } })
  await until(async () => sink.letters.length === 3)

  const [link = ''] = sink.letters.flatMap(({ email }) => /[^"]*\/rate[^"]*rate=4/.exec(email.html ?? '') ?? [])
  const rate = link.replaceAll('&amp;', '&').replace(app.url, '').replace('rate=4', 'listen=1')
  const listCut = (page: Page) =>
    page.evaluate(() =>
      [...document.querySelectorAll('h1, h2, p, dt, dd, th, td, a')].flatMap((one) => {
        const { right } = one.getBoundingClientRect()
        return right > document.documentElement.clientWidth + 1 ? [`${one.textContent} ends at ${right}`] : []
      }),
    )
  for (const [who, path, text] of [
    [app.guest, `/report/${report.key}`, '<b>Bold</b>'],
    [app.guest, `/statement/${sent.key}`, '<b>Bold</b>'],
    [app.guest, rate, 'Hit Target'],
    [app.guest, '/statement/unknown', 'This statement is not available'],
    [app.guest, '/client-login', 'Password'],
    [await app.as(login), '/', 'This billing cycle'],
  ] as const) {
    const page = await visit(app, who, path, phone)
    await page.getByText(text).first().waitFor()
    expect([path, await listCut(page)]).toEqual([path, []])
  }
  // A page of its own: that of the app allows no styles in elements, which emails have.
  const page = await (await visit(app, app.guest, '/client-login', phone)).context().newPage()
  for (const { email } of sink.letters) {
    await page.setContent(email.html ?? '')
    expect([email.subject, await listCut(page)]).toEqual([email.subject, []])
  }
  await page.close()
})
