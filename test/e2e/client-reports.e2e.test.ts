import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { eq } from 'drizzle-orm'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { addDays, getToday } from '#contract/days.ts'
import { agencyContract } from '#domains/agency/contract.ts'
import { agencyTable } from '#domains/agency/schema.ts'
import { disputesContract } from '#domains/billing/disputes/contract.ts'
import { statementsContract } from '#domains/billing/statements/contract.ts'
import { clientsContract } from '#domains/clients/contract.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { clientReportsContract, reportScheduleContract } from '#domains/reports/client-reports/contract.ts'
import { setUp, startApp } from '#test/app.ts'
import { axeViolations } from '#test/axe.ts'
import { password } from '#test/factories.ts'
import { confirmDialog, isFocused, pathOf, see, visit } from '#test/visit.ts'

const zone = 'America/New_York'
const today = getToday(zone)

const app = await setUp(
  startApp({
    settings: { AGENCY_TIMEZONE: zone, AGENCY_NAME: 'North Star Leads', ALLOWED_PRIVATE_RANGES: '127.0.0.1/32' },
  }),
)
const root = await app.as(await app.make.superAdmin())
const clientId = (await app.make.client({ name: 'Acme Roofing of Colorado Springs', timezone: 'America/Denver' })).id
const everyDay = [0, 1, 2, 3, 4, 5, 6].map((day) => ({ day, enabled: true, startTime: '00:00', endTime: '24:00' }))
const campaign = await app.make.campaign({ name: 'Acme Roofing', client_id: clientId, schedule: everyDay })
const occurred_at = new Date(`${today}T17:05:00Z`)
const common = { campaign_id: campaign.id, occurred_at, lead_phone: '+13035550101', lead_type: 'Call' } as const
await app.make.lead({ ...common, lead_name: 'Verified Person', confirmed: true, source: 'Google Maps' })
await app.make.lead({ ...common, lead_name: 'Missed Person', tags: ['Missed Call'] })
await app.make.activityItem({
  campaign_id: campaign.id,
  date: today,
  note: 'New landing page',
  client_may_read: true,
})
beforeEach(() => app.context.db.delete(agencyTable)) // so that the settings apply

const createReport = async () =>
  (await root.call(clientReportsContract.create, { params: { id: clientId }, body: { period: 'month', from: today } }))
    .body

test.each([1280, 390])('the page of a report is whole at %i, without signing in [RPT-01]', async (width) => {
  const { key } = await createReport()
  const page = await visit(app, app.guest, `/report/${key}`, { viewport: { width, height: 900 } })
  await page.getByRole('heading', { name: 'Acme Roofing of Colorado Springs', level: 1 }).waitFor()
  await page.getByText('North Star Leads').waitFor()
  await page.getByRole('heading', { name: 'Missed calls in working hours' }).waitFor()
  expect(await page.getByRole('link', { name: '+1 (303) 555-0101' }).first().getAttribute('href')).toBe(
    'tel:+13035550101',
  )
  await page.getByText('New landing page').waitFor()
  // The zone is in the head.
  expect(await page.getByText(/^(10|11):05 AM$/).count()).toBeGreaterThan(0)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
  expect(await axeViolations(page)).toEqual([])
  const links = await page.locator('td a').evaluateAll((all) =>
    all.map((link) => {
      const { width, height } = link.getBoundingClientRect()
      return Math.min(width, height)
    }),
  )
  expect(links.length).toBeGreaterThan(1)
  expect(Math.min(...links), 'for a finger').toBeGreaterThanOrEqual(24)
})

test('a printed report has its tables with their headers, and no buttons [RPT-01]', async () => {
  const { key } = await createReport()
  const page = await visit(app, app.guest, `/report/${key}`)
  await page.getByText('New landing page').waitFor()
  await page.emulateMedia({ media: 'print' })
  expect(await page.getByRole('button', { name: 'Print' }).isVisible()).toBe(false)
  expect(await page.getByRole('columnheader', { name: 'Call back' }).isVisible()).toBe(true)
  const group = await page
    .locator('thead')
    .first()
    .evaluate((head) => getComputedStyle(head).display)
  expect(group).toBe('table-header-group')
})

test('a link that is not open says so [RPT-02]', async () => {
  const page = await visit(app, app.guest, '/report/AAAAAAAAAAAAAAAAAAAAAA')
  await page.getByRole('heading', { name: 'This report is not available' }).waitFor()
  await page.getByText('The link may have expired. Please ask the sender for a new one.').waitFor()
  await page.goto(`${app.url}/report-unsubscribe/unknown`)
  await page.getByRole('button', { name: 'Unsubscribe' }).click()
  await page.getByRole('heading', { name: 'This link ends no reports. To stop them, please reply to one.' }).waitFor()
  expect(await page.getByRole('button').count()).toBe(0)
})

test('a page that could not be read is tried again, and does not say that its link has expired', async () => {
  const { key } = await createReport()
  const page = await visit(app, app.guest, '/report/unknown')
  for (const [fail, title] of [
    [{ status: 503, json: { message: 'Back in a minute' } }, 'Back in a minute'],
    [null, 'This page could not be loaded'],
  ] as const) {
    await page.route('**/api/report/**', (route) => (fail ? route.fulfill(fail) : route.abort()))
    await page.goto(`${app.url}/report/${key}`)
    await page.getByRole('heading', { name: title }).waitFor()
    expect(await page.getByText('expired').count()).toBe(0)
    await page.unroute('**/api/report/**')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'Acme Roofing of Colorado Springs' }).waitFor()
  }
})

test('a report is made, revoked and scheduled in the client’s row [RPT-02] [RPT-03]', async () => {
  const page = await visit(app, root, '/clients')
  await page
    .getByRole('row', { name: /Acme Roofing of Colorado/ })
    .getByRole('button', { name: 'Reports' })
    .click()
  const dialog = page.getByRole('dialog', { name: /^Reports: Acme/ })
  await see(() => isFocused(dialog.getByLabel('Period'))).toBe(true)
  await dialog.getByRole('button', { name: 'Create report' }).click()
  const link = dialog.getByRole('status').getByRole('link').first()
  await link.waitFor()
  expect(await link.getAttribute('href')).toMatch(/\/report\/[\w-]{22}$/)
  expect(await axeViolations(page)).toEqual([])
  await dialog
    .getByRole('button', { name: /^Revoke/ })
    .first()
    .click()
  await confirmDialog(page, 'Are you sure you want to revoke this report? Its link stops working at once.')
    .getByRole('button', { name: 'Revoke' })
    .click()
  await dialog.getByText('Revoked').first().waitFor()
  await dialog.getByRole('tab', { name: 'By email' }).click()
  await dialog.getByLabel('Send', { exact: true }).selectOption({ label: 'Every week' })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText(/^Next: Mon/).waitFor()
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await dialog
    .getByRole('region', { name: 'Preview' })
    .getByText(/^Your leads/)
    .first()
    .waitFor()
})

test('what is chosen in a schedule while its save is on the way stays, to be saved next [RPT-03]', async () => {
  const client = await app.make.client({ name: 'Pueblo Gutters' })
  const answered = Promise.withResolvers<void>()
  const page = await visit(app, root, '/clients?search=Pueblo')
  await page.route('**/report-schedule', async (route) => {
    if (route.request().method() === 'PUT') await answered.promise
    await route.continue()
  })
  await page
    .getByRole('row', { name: /Pueblo Gutters/ })
    .getByRole('button', { name: 'Reports' })
    .click()
  const dialog = page.getByRole('dialog', { name: /^Reports: Pueblo/ })
  await dialog.getByRole('tab', { name: 'By email' }).click()
  await dialog.getByLabel('Send', { exact: true }).selectOption({ label: 'Every week' })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByLabel(/^Time \(E[DS]T\)$/).selectOption({ label: '11:00 AM' })
  const again = page.waitForResponse(
    (one) => one.url().endsWith('/report-schedule') && one.request().method() === 'GET',
  )
  answered.resolve()
  await again
  await see(() => dialog.getByRole('button', { name: 'Save' }).isEnabled()).toBe(true)
  expect(await dialog.getByLabel('Time').inputValue()).toBe('11')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText(/^Next: Mon.* 11:00 AM/).waitFor()
  const { body } = await root.call(reportScheduleContract.read, { params: { id: client.id } })
  expect(body).toMatchObject({ every: 'week', hour: 11 })
})

test('closing asks before it loses a schedule that is chosen and not saved [SHELL-30]', async () => {
  await app.make.client({ name: 'Lamar Lawns' })
  const page = await visit(app, root, '/clients?search=Lamar')
  await page
    .getByRole('row', { name: /Lamar Lawns/ })
    .getByRole('button', { name: 'Reports' })
    .click()
  const dialog = page.getByRole('dialog', { name: /^Reports: Lamar/ })
  await dialog.getByRole('tab', { name: 'By email' }).click()
  await dialog.getByLabel('Send', { exact: true }).selectOption({ label: 'Every week' })
  await dialog.getByRole('tab', { name: 'Links' }).click()
  await dialog.getByRole('button', { name: 'Create report' }).waitFor()
  await page.keyboard.press('Escape')
  const asked = confirmDialog(page, 'Are you sure to close this dialog?')
  await asked.getByRole('button', { name: 'Cancel' }).click()
  await asked.waitFor({ state: 'hidden' })
  await dialog.getByRole('tab', { name: 'By email' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText(/^Next: Mon/).waitFor()
  await page.keyboard.press('Escape')
  await see(() => dialog.count()).toBe(0)
})

test('a schedule that someone else has changed since is shown as it is now, and is not replaced [RPT-03]', async () => {
  const client = await app.make.client({ name: 'Salida Sheds' })
  const update = (body: { every: 'month' | null; day: number; hour: number; skip_empty: 0 }) =>
    root.call(reportScheduleContract.update, { params: { id: client.id }, body })
  await update({ every: 'month', day: 2, hour: 8, skip_empty: 0 })
  const page = await visit(app, root, '/clients?search=Salida')
  await page
    .getByRole('row', { name: /Salida Sheds/ })
    .getByRole('button', { name: 'Reports' })
    .click()
  const dialog = page.getByRole('dialog', { name: /^Reports: Salida/ })
  await dialog.getByRole('tab', { name: 'By email' }).click()
  await dialog.getByLabel('Time').selectOption({ label: '11:00 AM' })
  await update({ every: null, day: 2, hour: 8, skip_empty: 0 })
  const refusal = page.getByText('Someone else has changed this schedule').waitFor()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await refusal
  await see(() => dialog.getByLabel('Send', { exact: true }).inputValue()).toBe('')
  await see(() => dialog.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
  await dialog.getByLabel('Send', { exact: true }).selectOption({ label: 'Every week' })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText(/^Next: Mon/).waitFor()
})

test('a schedule says when it reaches no one, and that it is paused while the client is switched off [RPT-03]', async () => {
  const client = await app.make.client({ name: 'Boulder Fences' })
  const params = { id: client.id }
  const body = { every: 'week' as const, day: 1, hour: 8, skip_empty: 0 as const }
  expect((await root.call(reportScheduleContract.update, { params, body })).status).toBe(200)
  const open = async () => {
    const page = await visit(app, root, `/clients?search=Boulder`)
    await page
      .getByRole('row', { name: /Boulder Fences/ })
      .getByRole('button', { name: 'Reports' })
      .click()
    const dialog = page.getByRole('dialog', { name: /^Reports: Boulder/ })
    await dialog.getByRole('tab', { name: 'By email' }).click()
    return { dialog, ofClient: await visit(app, root, `/client/${client.id}`) }
  }
  const without = await open()
  await without.dialog.getByText(/^Next: Mon.* to no one: notifications are off, or no address is known\.$/).waitFor()
  await without.ofClient
    .getByText(/^Every week, next Mon, .* (AM|PM) E[DS]T, to no one: notifications are off, or no address is known$/)
    .waitFor()
  await app.make.customer({ client_id: client.id })
  await root.call(clientsContract.status, { body: { id: client.id, is_active: 0 } })
  const off = await open()
  await off.dialog.getByText('Next: paused while the client is switched off.').waitFor()
  await off.ofClient.getByText('Every week, paused while the client is switched off').waitFor()
})

test('a client starts at its own numbers, with calls to return and leads to rate, in its own time zone [RPT-05]', async () => {
  const me = await app.as(await app.make.customer({ client_id: clientId }))
  const page = await visit(app, me, '/', { viewport: { width: 390, height: 844 } })
  await page.getByRole('heading', { name: 'This billing cycle', level: 2 }).waitFor()
  expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1)
  await page.getByRole('heading', { name: 'Not rated yet (1)' }).waitFor()
  await page.getByText('Missed Person').first().waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  // Only the content scrolls: below the window itself is nothing.
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBe(844)
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('link', { name: 'Open' }).first().click()
  await page.getByRole('heading', { name: 'Missed Person', level: 1 }).waitFor()
  await page.goBack()
  await page.getByRole('link', { name: 'Open' }).nth(1).click()
  await page.getByRole('heading', { name: 'Verified Person', level: 1 }).waitFor()
  await page.getByText(/ \d\d:05 M[SD]T$/).waitFor()
  expect(await page.getByText('for the client').count()).toBe(0)
  await page.goBack()
  await page.getByRole('link', { name: 'All leads' }).click()
  await page.getByRole('heading', { name: 'Leads', level: 1 }).waitFor()
  await page
    .getByText(/\d\d:05 M[SD]T/)
    .first()
    .waitFor()
})

test('a client rates a lead on their start page, says that it is none, and reads the answer there [ACCT-10]', async () => {
  const client = await app.make.client({ name: 'Golden Gate Electrical' })
  const campaign = await app.make.campaign({ client_id: client.id, start_date: addDays(today, -9), service_fee: 90 })
  const values = { campaign_id: campaign.id, confirmed: true, occurred_at: new Date() }
  const lead = await app.make.lead({ ...values, lead_name: 'Ann Lee' })
  const me = await app.as(await app.make.customer({ client_id: client.id, campaigns: [campaign.id] }))
  const page = await visit(app, me, '/')
  await page.getByRole('heading', { name: 'Hello, Golden Gate Electrical!' }).waitFor()
  await page.getByRole('group', { name: 'Rating of Ann Lee' }).first().getByRole('button', { name: '4 stars' }).click()
  await page.getByLabel('Progress of Ann Lee').first().selectOption({ label: 'In Progress' })
  const stored = async () => (await app.context.db.select().from(leadsTable).where(eq(leadsTable.id, lead.id)))[0]
  await see(stored).toMatchObject({ rating: 4, client_progress: 2 })
  expect(await axeViolations(page)).toEqual([])
  const detail = await visit(app, me, `/lead/${lead.id}`)
  await detail.getByText('signed in', { exact: true }).waitFor()
  expect(await detail.getByText('by staff').count(), 'they have rated it themselves').toBe(0)

  await page.getByLabel('Progress of Ann Lee').first().selectOption({ label: 'Not Lead' })
  const readDisputes = async () => (await root.call(disputesContract.list, { query: { lead_id: lead.id } })).body.data
  await see(readDisputes).toMatchObject([{ state: 'open' }])
  await page.reload()
  await page.getByRole('heading', { name: 'You marked these Not a lead' }).waitFor()
  const [dispute] = await readDisputes()
  const body = { accept: false, answer: 'She asked for a price.' }
  expect((await root.call(disputesContract.decide, { params: { id: dispute.id }, body })).status).toBe(200)
  await page.reload()
  await page.getByRole('heading', { name: 'Disputed leads' }).waitFor()
  await page.getByText('She asked for a price.').waitFor()
  expect(await page.getByText('You marked these Not a lead').count()).toBe(0)
})

test('a rating that cannot be saved takes back itself, not the progress that was chosen since [ACCT-10]', async () => {
  const campaign = await app.make.campaign({ client_id: (await app.make.client()).id })
  const lead = await app.make.lead({ campaign_id: campaign.id, confirmed: true, lead_name: 'Bo Kim' })
  const me = await app.as(await app.make.customer({ client_id: campaign.client_id!, campaigns: [campaign.id] }))
  const page = await visit(app, me, '/')
  const failed = Promise.withResolvers<void>()
  await page.route(`**/api/lead/${lead.id}`, async (route) => {
    if (route.request().postDataJSON().rating === undefined) return route.continue()
    await failed.promise
    return route.fulfill({ status: 500, json: { message: 'Busy' } })
  })
  const fourStars = page
    .getByRole('group', { name: 'Rating of Bo Kim' })
    .first()
    .getByRole('button', { name: '4 stars' })
  const progress = page.getByLabel('Progress of Bo Kim').first()
  await fourStars.click()
  await progress.selectOption({ label: 'In Progress' })
  const stored = async () => (await app.context.db.select().from(leadsTable).where(eq(leadsTable.id, lead.id)))[0]
  await see(stored).toMatchObject({ rating: null, client_progress: 2 })
  failed.resolve()
  await see(() => fourStars.getAttribute('aria-pressed')).toBe('false')
  expect(await progress.inputValue()).toBe('2')
})

test('stars that are clicked one after the other are saved so, and a failed one gives way to the last saved [ACCT-10]', async () => {
  const campaign = await app.make.campaign({ client_id: (await app.make.client()).id })
  const lead = await app.make.lead({ campaign_id: campaign.id, confirmed: true, lead_name: 'Di Fox' })
  const me = await app.as(await app.make.customer({ client_id: campaign.client_id!, campaigns: [campaign.id] }))
  const page = await visit(app, me, '/')
  const star = (name: string, options = {}) =>
    page
      .getByRole('group', { name: 'Rating of Di Fox' })
      .first()
      .getByRole('button', { name, ...options })
  const held = Promise.withResolvers<void>()
  const sent: string[] = []
  await page.route(`**/api/lead/${lead.id}`, async (route) => {
    const { rating } = route.request().postDataJSON()
    sent.push(rating)
    if (rating === '3') await held.promise
    if (rating === '2') return route.fulfill({ status: 500, json: { message: 'Busy' } })
    return route.fallback()
  })
  for (const name of ['3 stars', '5 stars', '2 stars']) await star(name).click()
  await star('2 stars', { pressed: true }).waitFor()
  await see(() => sent).toEqual(['3'])
  held.resolve()
  await star('5 stars', { pressed: true }).waitFor()
  expect(sent).toEqual(['3', '5', '2'])
  const stored = async () => (await app.context.db.select().from(leadsTable).where(eq(leadsTable.id, lead.id)))[0]
  expect(await stored()).toMatchObject({ rating: 5 })
})

test('a lead in two tables of the start page has the rating and progress that it was given in both [ACCT-10]', async () => {
  const campaign = await app.make.campaign({ client_id: (await app.make.client()).id })
  await app.make.lead({ campaign_id: campaign.id, confirmed: true, lead_name: 'Cy Day', occurred_at: new Date() })
  const me = await app.as(await app.make.customer({ client_id: campaign.client_id!, campaigns: [campaign.id] }))
  const page = await visit(app, me, '/')
  const stars = page.getByRole('group', { name: 'Rating of Cy Day' })
  const progress = page.getByLabel('Progress of Cy Day')
  await see(() => stars.count()).toBe(2)
  await stars.first().getByRole('button', { name: '4 stars' }).click()
  await see(() => stars.getByRole('button', { name: '4 stars', pressed: true }).count()).toBe(2)
  await progress.last().selectOption({ label: 'Won' })
  await see(() => progress.evaluateAll((both) => both.map((one) => (one as HTMLSelectElement).value))).toEqual([
    '1',
    '1',
  ])
})

test('a client opens their statements and reports from their start page [ACCT-10]', async () => {
  const client = await app.make.client({ name: 'Prairie Heating' })
  const values = { name: 'Prairie Tulsa', start_date: addDays(today, -70), due_date: 31, service_fee: 250 }
  const { id } = await app.make.campaign({ client_id: client.id, ...values })
  const { body: ended } = await root.call(statementsContract.list, { query: { campaign_ids: id, state: 'ended' } })
  const { body: sent } = await root.call(statementsContract.send, { params: { id: ended.data[0].id } })
  const made = { params: { id: client.id }, body: { period: 'month', from: today } }
  const report = (await root.call(clientReportsContract.create, made)).body
  const me = await app.as(await app.make.customer({ client_id: client.id }))
  const page = await visit(app, me, '/', { viewport: { width: 390, height: 844 } })
  await page.getByRole('link', { name: sent.number }).click()
  await page.getByRole('heading', { name: `Statement ${sent.number}`, level: 1 }).waitFor()
  await page.goBack()
  await page.getByRole('link', { name: 'Month', exact: true }).click()
  await page.getByRole('heading', { name: 'Prairie Heating', level: 1 }).waitFor()
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'PDF' }).click()
  const pdf = await (await saving).createReadStream()
  expect((await pdf.take(1).toArray())[0]?.subarray(0, 5).toString()).toBe('%PDF-')
  await page.goBack()
  await page.getByRole('heading', { name: 'Your reports' }).waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  expect(await axeViolations(page)).toEqual([])
  const guest = await visit(app, app.guest, `/report/own/${report.id}`)
  await guest.getByRole('heading', { name: 'Please log in to read this report' }).waitFor()
})

test('who logs in to read their own report is led to that report [ACCT-10]', async () => {
  const client = await app.make.client({ name: 'Valley Heating' })
  const made = { params: { id: client.id }, body: { period: 'month', from: today } }
  const report = (await root.call(clientReportsContract.create, made)).body
  const customer = await app.make.customer({ client_id: client.id })
  const page = await visit(app, await app.as(customer), '/', { alone: true })
  await page.getByRole('heading', { name: 'Your reports' }).waitFor()
  await page.context().clearCookies()
  await page.goto(`${app.url}/report/own/${report.id}`)
  await page.getByRole('link', { name: 'Log in' }).click()
  await page.getByRole('heading', { name: 'Client Login' }).waitFor()
  await page.getByLabel('Username').fill(customer.username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Log in' }).click()
  await see(() => pathOf(page)).toBe(`/report/own/${report.id}`)
  await page.getByRole('heading', { name: 'Valley Heating', level: 1 }).waitFor()
})

const dot =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
test('pages without sign-in and the menu have the agency’s name, logo and color, in titles that the server writes [ACCT-10]', async () => {
  await root.call(agencyContract.update, { body: { name: 'Summit & <Leads>', color: '#0a7d4f', logo: dot } })
  // Each as a guest meets it whose link is closed, expired or unknown.
  const paths = [
    '/report/unknown',
    '/report/own/1',
    '/report-unsubscribe/unknown',
    '/rate?lead=1&auth_key=x',
    '/rate?test=1',
    '/rate/not-lead',
    '/statement/unknown',
    '/login',
    '/login/oidc',
    '/client-login',
    '/forgot',
    '/reset?key=x',
    '/email?key=x',
  ]
  for (const path of [...paths, '/']) {
    const html = await (await app.guest.fetch(path)).text()
    const [, title] = /<title>(.*)<\/title>/.exec(html) ?? []
    expect([path, title]).toEqual([
      path,
      expect.stringMatching(path === '/' ? /^Summit &amp; &lt;Leads>$/ : /. · Summit &amp; &lt;Leads>$/),
    ])
    expect([path, html.includes('Leadline')]).toEqual([path, false])
  }
  for (const path of paths) {
    const page = await visit(app, app.guest, path)
    await see(() => page.title()).toMatch(/. · Summit & <Leads>$/)
    await page.locator('[data-agency] img[data-logo]').waitFor()
    const readColor = () =>
      page.locator('[data-agency]').evaluate((look) => getComputedStyle(look).getPropertyValue('--agency'))
    await see(async () => [path, await readColor()]).toEqual([path, '#0a7d4f'])
    expect(await page.locator('body').textContent()).not.toContain('Leadline')
  }
  const me = await app.as(await app.make.customer({ client_id: (await app.make.client()).id }))
  const page = await visit(app, me, '/')
  await page.getByText('This billing cycle').waitFor()
  expect(await page.title()).toContain('Summit & <Leads>')
  expect(await page.locator('body').textContent()).not.toContain('Leadline')
})

test('super admins set the agency’s name, color and logo on Home [RPT-01]', async () => {
  await root.call(agencyContract.update, { body: { name: 'Leadline', color: '#2a5bd7', logo: dot } })
  const page = await visit(app, root, '/')
  await page.getByRole('button', { name: 'Agency' }).click()
  const dialog = page.getByRole('dialog', { name: 'Agency' })
  await dialog.getByLabel('Name').fill('Summit Leads')
  await root.call(agencyContract.update, { body: { name: 'Summit', color: '#0a7d4f' } })
  await dialog.getByRole('button', { name: /Save|Update/ }).click()
  await dialog.getByText('Someone changed this to Summit').waitFor()
  // Stored by a call of its own: the form, which read the old logo, does not bring it back.
  await root.call(agencyContract.removeLogo)
  await dialog.getByRole('button', { name: 'Keep mine' }).click()
  await dialog.getByRole('button', { name: /Save|Update/ }).click()
  await page.getByText('Agency was updated successfully').waitFor()
  await page.getByText('Summit Leads', { exact: true }).waitFor() // above the menu
  await see(() => page.title()).toContain('Summit Leads')
  expect((await root.call(agencyContract.read)).body).toMatchObject({ name: 'Summit Leads', logo: null })
})

test('a logo is removed at once, and closing the Agency form asks nothing [RPT-01] [SHELL-30]', async () => {
  await root.call(agencyContract.update, { body: { name: 'Leadline', color: '#2a5bd7', logo: dot } })
  const page = await visit(app, root, '/')
  await page.getByRole('button', { name: 'Agency' }).click()
  const dialog = page.getByRole('dialog', { name: 'Agency' })
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await see(() => dialog.locator('img').count()).toBe(0)
  await see(() => isFocused(dialog.getByRole('button', { name: /^Upload a logo/ }))).toBe(true)
  await page.keyboard.press('Escape')
  await see(() => dialog.count()).toBe(0)
})

test('the Agency form shows a logo that is at a web address [ACCT-11]', async () => {
  const drawing = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><rect width="9" height="9"/></svg>'
  const server = createServer((_, response) => response.end(drawing))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo // it listens on a port
  await root.call(agencyContract.update, {
    body: { name: 'Summit', color: '#2a5bd7', logo: `http://127.0.0.1:${port}/logo?small=1` },
  })
  const page = await visit(app, root, '/')
  await page.getByRole('button', { name: 'Agency' }).click()
  const logos = page.getByRole('dialog', { name: 'Agency' }).locator('img[data-logo]')
  const readWidths = () =>
    logos.evaluateAll((images) => images.map((image) => (image as HTMLImageElement).naturalWidth))
  await see(async () => (await readWidths()).map((width) => width > 0)).toEqual([true, true, true])
})
