import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { addDays, getToday } from '#contract/days.ts'
import { notArrivedHash } from '#core/secrets/passwords.ts'
import { hashSha256 } from '#core/secrets/secrets.ts'
import { mailsTable } from '#domains/leads/mail/schema.ts'
import { gmbLogsTable } from '#domains/listings/gmbs/schema.ts'
import { recordsContract } from '#domains/records/contract.ts'
import { clientReportsTable } from '#domains/reports/client-reports/schema.ts'
import { signalsTable } from '#domains/signals/schema.ts'
import { clientSiteLogsTable } from '#domains/sites/client/schema.ts'
import { setUp, startApp } from '#test/app.ts'
import { axeViolations } from '#test/axe.ts'
import { callsTo, pathOf, see, visit } from '#test/visit.ts'

const today = getToday('America/New_York')
const noon = (daysAgo: number) => new Date(`${addDays(today, -daysAgo)}T16:30:00Z`)

const ids = { campaign: 0, full: 0, client: 0, site: 0, network: 0, listing: 0, lead: 0 }
const app = await setUp(startApp({ settings: { AGENCY_TIMEZONE: 'America/New_York' } }))
const root = await app.as(await app.make.superAdmin({ username: 'root' }))
const { make, context } = app
const client = await make.client({ name: 'Acme Company', emails: ['office@acme.example'] })
await make.customer({ client_id: client.id, email: 'login@acme.example' })
const category = await make.category({ name: 'Roofing' })
const campaign = await make.campaign({
  name: 'North Roofing Austin',
  client_id: client.id,
  categories: [category.id],
  initial_target: 12,
  service_fee: 900,
  approved_ppc: 250,
  created_at: noon(100),
})
const site = await make.clientSite({ campaign_id: campaign.id, url: 'https://north-roofing.example', status: 1 })
const listing = await make.gmb({ campaign_id: campaign.id, title: 'North Roofing on Maps', status: 4 })
const network = await make.networkSite({ url: 'https://roof-news.example' })
Object.assign(ids, {
  campaign: campaign.id,
  client: client.id,
  site: site.id,
  network: network.id,
  listing: listing.id,
})
for (let day = 0; day < 30; day++) {
  const { id } = await make.lead({
    campaign_id: campaign.id,
    lead_name: day === 0 ? 'Ann Roofer' : null,
    source: 'Google Organic',
    confirmed: day % 2 === 0,
    occurred_at: noon(day + 1),
  })
  if (day === 0) ids.lead = id
}
const admin = await make.admin({ username: 'handy', campaigns: [campaign.id] })
await make.activityItem({ campaign_id: campaign.id, date: addDays(today, -40), note: 'Wrote three pages' })
await make.activityItem({
  campaign_id: campaign.id,
  date: addDays(today, -3),
  note: 'Call the client back',
  assignee_id: admin.id,
})
await make.outgoingLink({ network_site_id: network.id, url: 'https://north-roofing.example/' })
await context.db.insert(clientSiteLogsTable).values([
  { site_id: site.id, status: 1, created_at: noon(85) },
  { site_id: site.id, status: 0, created_at: noon(80) },
])
await context.db
  .insert(gmbLogsTable)
  .values({ gmb_id: listing.id, changed: 'Status', old: 'Live', new: 'Suspended', created_at: noon(60) })

const hours = (count: number) => new Date(Date.now() - count * 3_600_000)
const openSignal = (values: Partial<typeof signalsTable.$inferInsert>) => {
  const kind = values.kind ?? 'site_offline'
  return context.db.insert(signalsTable).values({
    kind,
    detected_kind: kind,
    severity: 'severe',
    title: 'north-roofing.example is offline',
    subject_type: 'client_site',
    subject_id: '1',
    subject_label: 'north-roofing.example',
    evidence: { says: 'HTTP 500.' },
    ...values,
  })
}
await openSignal({ campaign_id: campaign.id, opened_at: hours(50) })
await openSignal({
  campaign_id: campaign.id,
  kind: 'listing_suspended',
  subject_type: 'listing',
  subject_label: 'North Roofing on Maps',
  opened_at: hours(10.5),
})
await openSignal({ campaign_id: campaign.id, kind: 'task_overdue', severity: 'note', subject_type: 'task' })

/** As full as a campaign gets: a year of leads, an event of every day, and signals of every kind that keeps leads away. */
const full = await make.campaign({
  name: 'Full Roofing and Sons of Greater Oklahoma City',
  client_id: client.id,
  categories: [category.id],
  initial_target: 40,
  service_fee: 4900,
  created_at: noon(400),
})
ids.full = full.id
for (let week = 0; week < 50; week++) {
  await make.lead({ campaign_id: full.id, confirmed: true, occurred_at: noon(week * 7 + 1) })
  await make.activityItem({ campaign_id: full.id, date: addDays(today, -week), note: `Wrote the page ${week}` })
}
for (const [index, kind] of (
  [
    'source_silent',
    'hooks_lost',
    'site_offline',
    'listing_suspended',
    'listing_changed',
    'redirect_broken',
    'link_lost',
    'domain_expiring',
    'behind_target',
  ] as const
).entries())
  await openSignal({ campaign_id: full.id, kind, subject_id: `full ${index}`, opened_at: hours(30 + index) })

const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const clean = async (page: Page) => expect(await axeViolations(page)).toEqual([])
async function fitsPhone(page: Page) {
  await page.setViewportSize({ width: 390, height: 844 })
  await see(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await clean(page)
}

const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true })

test('a campaign’s page shows where its cycle is heading, its money, what needs attention, and its parts in tabs [WORK-12] [WORK-13] [DESK-08]', async () => {
  const computed = Promise.withResolvers<void>()
  const page = await visit(app, root, `/campaign/${ids.campaign}`, {
    before: (page) =>
      page.route(/\/api\/.*\/(forecast$|chart\/)/, (route) => computed.promise.then(() => route.continue())),
  })
  await page.getByRole('heading', { name: 'Campaign North Roofing Austin', level: 1 }).waitFor()
  await part(page, 'This cycle').getByRole('status', { name: 'Loading the forecast' }).waitFor()
  const target = part(page, 'This cycle')
    .locator('dl > div')
    .filter({ hasText: /^Target/ })
  expect(await target.textContent(), 'no one reads that there is no target').toBe('Target')
  const place = await target.boundingBox()
  const weeks = part(page, 'Leads by week')
  await weeks.getByRole('status').waitFor()
  const { height } = (await weeks.boundingBox())!
  computed.resolve()
  await see(() => target.textContent()).toBe('Target12')
  expect(await target.boundingBox()).toEqual(place)
  await weeks.getByRole('group', { name: 'What happened' }).waitFor()
  expect((await weeks.boundingBox())!.height).toBe(height)
  for (const fact of ['Target', 'Verified', 'Missed', 'Forecast', 'To review', 'Needed per workday', 'Days left'])
    await part(page, 'This cycle').getByText(fact, { exact: true }).waitFor()
  await see(() => part(page, 'Money').locator('dl > div').allInnerTexts()).toEqual([
    'Fee\n$900.00',
    'Billed so far\n$900.00',
    'Net\n$650.00',
    expect.stringMatching(/^Start date/),
    expect.stringMatching(/^Due date/),
  ])
  const attention = part(page, 'Needs attention')
  await see(() => attention.getByRole('listitem').count()).toBe(2)
  await part(page, 'This cycle')
    .getByText('Not in this forecast yet: listing suspended 10 hours ago, site offline 2 days ago.')
    .waitFor()
  await attention.getByRole('button', { name: 'Show all 3' }).click()
  await see(() => page.getByRole('dialog').getByRole('article').count()).toBe(3)
  await page.keyboard.press('Escape')
  await part(page, 'Leads by week').getByRole('group', { name: 'North Roofing Austin, by week' }).waitFor()
  await part(page, 'Leads by week')
    .getByText(/ leads? (short )?in 30 days/)
    .waitFor()
  const timeline = part(page, 'Timeline')
  for (const title of ['Wrote three pages', 'Task: Call the client back', 'Listing suspended: North Roofing on Maps'])
    await timeline.getByText(title).waitFor()
  await timeline
    .getByText(/\d+ verified, \d+ missed/)
    .first()
    .waitFor()
  await clean(page)

  await timeline.getByLabel('Who').selectOption('Automatic')
  await see(() => timeline.getByText('Wrote three pages').count()).toBe(0)
  await timeline.getByText('Site offline: https://north-roofing.example').waitFor()
  await timeline.getByLabel('Type').selectOption('Link lost')
  await timeline.getByText('No events of this type.').waitFor()

  await tab(page, 'Sources').click()
  await part(page, 'Sources').getByText('15 verified of 30 in 90 days').waitFor()
  await tab(page, 'Team and hours').click()
  await part(page, 'Open tasks').getByText('Call the client back').waitFor()
  await part(page, 'People').getByText('handy').waitFor()
  await part(page, 'Hours').getByText('Monday').waitFor()
  await tab(page, 'Area').click()
  await part(page, 'Area').getByText('No area was drawn.').waitFor()
  await tab(page, 'Sites and listings').click()
  await part(page, 'Sites').getByText('Live').waitFor()
  await part(page, 'Listings').getByText('Suspended').waitFor()
  await clean(page)

  await part(page, 'Listings').getByRole('link', { name: 'North Roofing on Maps' }).click()
  await see(() => pathOf(page)).toBe(`/listing/${ids.listing}`)
  await page.goBack()
  await part(page, 'Listings').getByText('Suspended').waitFor() // the tab is in the address
  await page.getByRole('link', { name: 'Acme Company' }).click()
  await see(() => pathOf(page)).toBe(`/client/${ids.client}`)
  await page.goBack()
  await part(page, 'Sites').waitFor()
  await fitsPhone(page)
})

test('a campaign is edited from its page: status, PPC, and every dialog that other screens have of it [DESK-08]', async () => {
  const page = await visit(app, root, `/campaign/${ids.campaign}`)
  const dialog = page.getByRole('dialog')
  for (const [button, title] of [
    ['Edit', 'Edit Campaign'],
    ['Working hours', 'Working hours: North Roofing Austin'],
    ['Map', /North Roofing Austin/],
    ['Terms', 'Terms: North Roofing Austin'],
    ['Statement', /Statement/],
  ] as const) {
    await page.getByRole('button', { name: button, exact: true }).click()
    await page.getByRole('dialog', { name: title }).waitFor()
    const close = dialog.getByRole('button', { name: /^(Close|Cancel)$/ }).first()
    await close.click()
    await see(() => dialog.count(), button).toBe(0)
    await see(() => page.evaluate(() => document.activeElement?.textContent), 'what has the focus').toBe(button)
  }
  const status = page.getByRole('combobox', { name: 'Status of North Roofing Austin' })
  await status.selectOption('Troubled')
  await page.getByText('State changed successfully').waitFor()
  await page.getByRole('button', { name: 'Undo' }).first().click()
  await see(() => status.inputValue()).toBe('2')
  // Of two changes in a row, the message of the first takes back to what was before it.
  const undos = page.getByRole('button', { name: 'Undo' })
  await see(() => undos.count()).toBe(0)
  for (const [index, choice] of ['Troubled', 'Monitor'].entries()) {
    await status.selectOption(choice)
    await see(() => undos.count()).toBe(index + 1)
    if (index === 0) await undos.hover() // no message closes under the pointer
  }
  await undos.first().click()
  await see(() => status.inputValue()).toBe('2')
  await page.mouse.move(0, 0) // messages may cover the switch for as long as the pointer is on them
  const ppc = page.getByRole('switch', { name: 'PPC of North Roofing Austin' })
  const before = await ppc.isChecked()
  await ppc.click()
  await see(
    async () => (await root.call(recordsContract.campaign, { params: { id: ids.campaign } })).body.state?.is_ppc,
  ).toBe(before ? 0 : 1)
  await see(() => page.getByRole('link', { name: 'Leads', exact: true }).last().getAttribute('href')).toBe(
    `/leads?campaign_ids=${ids.campaign}`,
  )
})

test('a campaign’s page is at most 1,600 pixels tall, with a year of leads and fifty events [DESK-08]', async () => {
  const page = await visit(app, root, `/campaign/${ids.full}`)
  await part(page, 'Timeline').getByRole('button', { name: 'Show all 50' }).waitFor()
  await part(page, 'Needs attention').getByRole('button', { name: 'Show all 9' }).waitFor()
  await part(page, 'This cycle').getByText('Not in this forecast yet').waitFor()
  await page.getByRole('group', { name: /, by week$/ }).waitFor()
  for (const width of [1440, 1280]) {
    await page.setViewportSize({ width, height: 900 })
    await see(() => page.locator('main').evaluate((main) => main.scrollHeight)).toBeLessThanOrEqual(1600)
  }
})

test('a mark under the chart is a button named by its title, people and machines apart, and opens the leads before and after [WHY-02]', async () => {
  for (const address of [`/campaign/${ids.campaign}`, `/leads/chart?campaign_id=${ids.campaign}`]) {
    const page = await visit(app, root, address)
    const lane = page.getByRole('group', { name: 'What happened' })
    const people = lane.getByRole('group', { name: 'People' })
    const machines = lane.getByRole('group', { name: 'Automatic' })
    await machines.getByRole('button', { name: 'Listing suspended: North Roofing on Maps' }).waitFor()
    expect(await people.getByRole('button', { name: 'Listing suspended' }).count()).toBe(0)
    await people.getByRole('button', { name: 'Wrote three pages' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Wrote three pages').waitFor()
    await dialog.getByText(/leads\/week before\.$|^Leads a week: /).waitFor()
    await clean(page)
    await page.keyboard.press('Escape')
    await see(() => dialog.count()).toBe(0)
  }
})

test('a client who has not accepted the invitation is not said to get emails about leads', async () => {
  const invited = async (emails: string[]) => {
    const { id } = await make.client({ emails })
    await make.customer({ client_id: id, password_hash: notArrivedHash })
    return visit(app, root, `/client/${id}`)
  }
  const page = await invited(['office@acme.example'])
  const says = part(page, 'Contacts').getByText('Only to the additional emails until the invitation is accepted')
  await says.waitFor()
  await part(page, 'Logins').getByText('The invitation has not been accepted yet').waitFor()
  const alone = await invited([])
  await part(alone, 'Contacts').getByText('None until the invitation is accepted', { exact: true }).waitFor()
})

test('a client’s page is the account: figures, campaigns, statements, reports, emails, contacts, notes and logins [ACCT-01, WORK-13]', async () => {
  const schedule = Promise.withResolvers<void>()
  const page = await visit(app, root, `/client/${ids.client}`, {
    before: (page) => page.route('**/report-schedule', (route) => schedule.promise.then(() => route.continue())),
  })
  await page.getByRole('heading', { name: 'Client Acme Company', level: 1 }).waitFor()
  const emails = page.getByText('No emails yet')
  await emails.waitFor({ state: 'attached' })
  expect(await emails.isVisible(), 'what reads more comes together').toBe(false)
  schedule.resolve()
  const figure = (label: string) => page.locator('dl > div', { has: page.getByText(label, { exact: true }) }).first()
  await see(() => figure('Not rated').locator('b').textContent()).toMatch(/^[1-9]\d*$/)
  await see(() => figure('Open disputes').locator('b').textContent()).toBe('0')
  await see(() => figure('Open statement').locator('b').textContent()).toMatch(/^\$[\d,]+\.\d\d$/)
  await page.getByText('Leads this month').waitFor()
  await part(page, 'Campaigns').getByText('Morgan').first().waitFor()
  await part(page, 'Statements').getByText('Open', { exact: true }).first().waitFor()
  await part(page, 'Reports').getByText('Not sent on a schedule').waitFor()
  await part(page, 'Reports').getByText('No reports yet').waitFor()
  await part(page, 'Contacts').getByText('office@acme.example').waitFor()
  await part(page, 'Contacts').getByText('login@acme.example').waitFor()
  await part(page, 'Notes').getByText('No notes yet').waitFor()
  await part(page, 'Logins').getByText('Never signed in or no active session').waitFor()
  await clean(page)
  const mailed = {
    lead_id: ids.lead,
    campaign_id: ids.campaign,
    kind: 'notification' as const,
    recipients: ['a@b.example'],
  }
  await context.db.insert(mailsTable).values([
    { ...mailed, state: 'sent' },
    { ...mailed, state: 'sent' },
    { ...mailed, state: 'refused', error: '550 No such mailbox' },
  ])
  await page.reload()
  await part(page, 'Emails')
    .getByText(/^3 lead emails: 1 refused, 2 sent, the last \d?\d:\d\d/)
    .click()
  await part(page, 'Emails')
    .getByRole('link', { name: `Lead No. ${ids.lead}` })
    .first()
    .waitFor()
  expect(await page.getByRole('link', { name: 'Email', exact: true }).getAttribute('href')).toBe(
    'mailto:login@acme.example,office@acme.example',
  )
  await page.getByRole('button', { name: 'See as' }).waitFor()
  await page.getByRole('button', { name: 'Edit' }).click()
  const form = page.getByRole('dialog', { name: 'Edit Client' })
  await form.getByLabel('Phone').fill('512-555-0142')
  await form.getByLabel('Notes').fill('Prefers calls before noon.')
  await form.getByRole('button', { name: /Save|Update/ }).click()
  await part(page, 'Notes').getByText('Prefers calls before noon.').waitFor()
  await part(page, 'Contacts').getByRole('link', { name: /512/ }).waitFor()
  await page.getByRole('button', { name: 'New report' }).click()
  const reports = page.getByRole('dialog', { name: 'Reports: Acme Company' })
  await reports.getByRole('button', { name: 'Create report' }).click()
  await reports.getByText('The link is only shown now.').waitFor()
  const link = await reports.getByRole('status').getByRole('link').first().getAttribute('href')
  await page.keyboard.press('Escape')
  await part(page, 'Reports').getByText('Not opened').waitFor()
  const reader = await visit(app, app.guest, new URL(link!).pathname)
  await reader
    .getByRole('heading', { name: /^Leads/ })
    .first()
    .click() // a person, no scanner
  await see(() => callsTo(reader, 'POST')).toHaveLength(1)
  await page.reload()
  await part(page, 'Reports')
    .getByText(/^Opened \d/)
    .waitFor()
  const active = page.getByRole('switch', { name: 'Acme Company is active' })
  await active.click()
  await page.getByText('Client was updated successfully').first().waitFor()
  await see(() => active.isChecked()).toBe(false)
  expect(await page.getByRole('button', { name: 'Undo' }).count(), 'it would not bring back the sign-in link').toBe(0)
  await active.click()
  await see(() => active.isChecked()).toBe(true)
  await part(page, 'Campaigns').getByRole('link', { name: 'North Roofing Austin' }).click()
  await see(() => pathOf(page)).toBe(`/campaign/${ids.campaign}`)
  await page.goBack()
  await part(page, 'Emails').waitFor()
  await fitsPhone(page)
})

test('a client’s page has every statement of five years, and says when it leaves reports out [ACCT-01]', async () => {
  const long = await make.client({ name: 'Long Company' })
  await make.campaign({ client_id: long.id, start_date: addDays(today, -5 * 365), service_fee: 100 })
  const report = { client_id: long.id, period: 'week' as const, day: today, from: today, to: today }
  await context.db.insert(clientReportsTable).values(
    Array.from({ length: 201 }, (_, index) => ({
      ...report,
      key_hash: hashSha256(`report ${index}`),
      expires_at: noon(-1),
    })),
  )
  const page = await visit(app, root, `/client/${long.id}`)
  await part(page, 'Statements')
    .getByRole('button', { name: /^Show all 6\d statements$/ })
    .click()
  await see(() => part(page, 'Statements').getByRole('listitem').count()).toBeGreaterThan(59)
  expect(await part(page, 'Statements').getByText('are shown').count()).toBe(0)
  await part(page, 'Reports').getByText('The latest 200 are shown.').waitFor()
})

test('sites and listings have pages, linked from their tables; a site’s URL still opens the site [WORK-12]', async () => {
  const page = await visit(app, root, '/client-sites')
  expect(await page.getByRole('link', { name: 'north-roofing.example', exact: true }).getAttribute('target')).toBe(
    '_blank',
  )
  await page
    .getByRole('row')
    .filter({ hasText: 'north-roofing.example' })
    .getByRole('link', { name: 'Site page' })
    .click()
  await see(() => pathOf(page)).toBe(`/site/client/${ids.site}`)
  await page.getByRole('heading', { name: 'Client site https://north-roofing.example', level: 1 }).waitFor()
  await page.getByText('Offline').first().waitFor()
  await page.getByText(/^Online [\d.]+% of the time that we checked, last 90 days$/).waitFor()
  await page.getByRole('button', { name: 'Check now' }).waitFor()
  await see(() => page.getByRole('link', { name: 'Backlinks' }).getAttribute('href')).toBe(
    '/network-sites/outgoing-links?url=north-roofing.example',
  )
  await page.getByRole('link', { name: 'Lead sources' }).waitFor()
  await page.getByRole('button', { name: 'Hooks' }).click()
  await page.getByRole('textbox', { name: 'Formidable' }).waitFor()
  await page.keyboard.press('Escape')
  await clean(page)
  await fitsPhone(page)
  for (const [path, name] of [
    [`/site/network/${ids.network}`, 'Network site https://roof-news.example'],
    [`/listing/${ids.listing}`, 'Listing North Roofing on Maps'],
  ] as const) {
    const other = await visit(app, root, path)
    await other.getByRole('heading', { name, level: 1 }).waitFor()
    await clean(other)
    await fitsPhone(other)
  }
})

test('a listing that Google no longer shows is not called live on its page and its campaign’s [WORK-12]', async () => {
  const { id: campaign_id } = await make.campaign({ name: 'Hidden Roofing' })
  const gone = await make.gmb({ campaign_id, title: 'Gone from Maps', status: 1, gone_at: noon(2) })
  await make.gmb({ campaign_id, title: 'Closed for good', status: 5 })
  const page = await visit(app, root, `/campaign/${campaign_id}`)
  await tab(page, 'Sites and listings').click()
  const listings = page.getByRole('list', { name: 'Listings' }).getByRole('listitem')
  await see(() => listings.filter({ hasText: 'Gone from Maps' }).textContent()).toMatch(/Not found.*Set as Live$/)
  expect(await listings.getByText('Live', { exact: true }).count()).toBe(0)
  await clean(page)
  await page.goto(`${app.url}/listing/${gone.id}`)
  await page.getByText('Not found', { exact: true }).waitFor()
  expect(await page.getByText('Live', { exact: true }).count()).toBe(0)
  await fitsPhone(page)
})

test('a listing’s change is accepted on its own page, to which its signal leads [WORK-12] [TODAY-08]', async () => {
  const { id } = await make.gmb({ campaign_id: ids.campaign, changed: true, changed_fields: ['Phone'] })
  const page = await visit(app, root, `/listing/${id}`)
  await page.getByText('Changed: Phone').waitFor()
  await clean(page)
  await fitsPhone(page)
  await page.getByRole('button', { name: 'Accept as the new state' }).click()
  await page.getByRole('button', { name: 'Accept as the new state' }).waitFor({ state: 'detached' })
  expect(await page.getByText('Changed: Phone').count()).toBe(0)
})

test('a site that no check has reached is called so on its page and its campaign’s, not offline or not checked', async () => {
  const checked = { checked_at: noon(1), problem: 'This website could not be found' }
  const started = await make.campaign({ name: 'Fresh Roofing' })
  const at = { campaign_id: started.id, ...checked }
  const coming = await make.clientSite({ ...at, url: 'https://coming.example', status: 0 })
  const missed = await make.clientSite({ ...at, url: 'https://missed-once.example', status: null })
  await context.db.insert(clientSiteLogsTable).values({ site_id: coming.id, status: 0 })
  const page = await visit(app, root, `/site/client/${coming.id}`)
  await see(() => page.getByText('Not reached yet').count()).toBe(2) // its state, and the entry of its log
  await page.getByText('No check has reached the site, last 90 days', { exact: true }).waitFor()
  await page.goto(`${app.url}/site/client/${missed.id}`)
  await page.getByText('This website could not be found').waitFor()
  expect(await page.getByText('Not checked').count()).toBe(0)
  await page.goto(`${app.url}/campaign/${started.id}`)
  await tab(page, 'Sites and listings').click()
  const sites = page.getByRole('list', { name: 'Sites' }).getByRole('listitem')
  await see(() => sites.allTextContents()).toEqual([
    'https://coming.exampleNot reached yetThis website could not be found',
    'https://missed-once.exampleThis website could not be found',
  ])
})

test('links lead only to pages that the reader may open', async () => {
  const narrow = await app.as(await app.make.admin({ permissions: ['clientSites'], campaigns: [ids.campaign] }))
  const page = await visit(app, narrow, '/client-sites')
  await page.getByText('Domains', { exact: true }).nth(1).waitFor() // after the column's title
  for (const name of ['Domains', 'Links', "301's"]) expect(await page.getByRole('link', { name }).count()).toBe(0)
  await page.getByRole('link', { name: 'Site page' }).click()
  await see(() => page.getByRole('list', { name: 'See also' }).getByRole('link').allTextContents()).toEqual([
    'Edit in Client Sites',
    'Lead sources',
  ])
  const own = await visit(app, root, `/site/network/${ids.network}`)
  await own.getByRole('link', { name: 'Outgoing links', exact: true }).last().click()
  await own.getByText('north-roofing.example').first().waitFor()
})

test('names in tables link to pages, and so does Find [WORK-12]', async () => {
  const campaignPage = `/campaign/${ids.campaign}`
  const clientPage = `/client/${ids.client}`
  for (const [list, links] of Object.entries({
    '/campaigns': { 'North Roofing Austin': campaignPage, 'Acme Company': clientPage },
    '/clients': { 'Acme Company': clientPage, 'North Roofing Austin': campaignPage },
    '/campaign-gmbs': { 'North Roofing on Maps': `/listing/${ids.listing}` },
    '/leads': { 'North Roofing Austin': campaignPage, 'Ann Roofer': `/lead/${ids.lead}` },
    '/activity-log': { 'North Roofing Austin': campaignPage },
    '/campaigns-changelog': { 'North Roofing Austin': campaignPage },
    '/leads/table': {
      'North Roofing Austin': campaignPage,
      'Acme Company': clientPage,
      'Chart of North Roofing Austin': `/leads/chart?campaign_id=${ids.campaign}`,
    },
    '/network-sites/outgoing-links': { 'Site page': `/site/network/${ids.network}` },
  })) {
    const page = await visit(app, root, list)
    const link = (name: string) => page.getByRole('link', { name, exact: true }).first()
    await link(Object.keys(links)[0]!).waitFor()
    for (const [name, path] of Object.entries(links)) expect(await link(name).getAttribute('href')).toBe(path)
    const [name, path] = Object.entries(links).at(-1)!
    await link(name).click()
    await see(() => pathOf(page)).toBe(path)
  }
  const page = await visit(app, root, '/')
  await page.getByRole('heading', { name: 'Needs you' }).waitFor() // the page listens to keys before it reads signals
  for (const [words, path] of [
    ['roof-news', `/site/network/${ids.network}`],
    ['north-roofing.example', `/site/client/${ids.site}`],
    ['roofing on maps', `/listing/${ids.listing}`],
  ] as const) {
    await page.getByRole('heading').first().waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: /^Find/ }).fill(words)
    await page.getByRole('option').filter({ hasText: words }).first().click()
    await see(() => pathOf(page)).toBe(path)
  }
})

test('a page that a person may not see is not found, and each reader gets their own parts of a campaign [WORK-12] [WORK-13]', async () => {
  const admin = await app.as(await app.make.admin({ campaigns: [ids.campaign], permissions: ['changelog'] }))
  const stranger = await app.as(await app.make.admin())
  const customer = await app.as(await app.make.customer())
  for (const [who, path] of [
    [root, '/campaign/9999999'],
    [root, '/client/none'],
    [root, '/site/network/9999999'],
    [stranger, `/campaign/${ids.campaign}`],
    [stranger, `/client/${ids.client}`],
    [stranger, `/site/client/${ids.site}`],
    [stranger, `/listing/${ids.listing}`],
    [admin, `/client/${ids.client}`],
    [admin, `/listing/${ids.listing}`],
    [customer, `/campaign/${ids.campaign}`],
  ] as const) {
    const page = await visit(app, who, path)
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
  }
  const noted = await visit(app, admin, `/campaign/${ids.campaign}`)
  const note = part(noted, 'Timeline').getByRole('link', { name: 'Wrote three pages' })
  await note.waitFor()
  expect(await noted.getByText('Listing suspended').count()).toBe(0)
  for (const hidden of ['This cycle', 'Money', 'Needs attention', 'Leads by week'])
    expect(await part(noted, hidden).count()).toBe(0)
  expect(await noted.getByRole('tab').allInnerTexts()).toEqual(['Timeline', 'Team and hours'])
  const task = new URL((await part(noted, 'Timeline').getByText('Task: Call').getAttribute('href'))!, app.url)
  const day = addDays(today, -3)
  expect([task.pathname, Object.fromEntries(task.searchParams)]).toEqual([
    '/activity-log',
    { from: day, to: day, campaign_ids: String(ids.campaign) },
  ])
  await note.click()
  await see(() => pathOf(noted)).toContain('/campaigns-changelog')
  await noted.getByText('Wrote three pages').waitFor()
  for (const hidden of ['Edit', 'Working hours', 'Map', 'Terms', 'Statement'])
    expect(await noted.getByRole('button', { name: hidden, exact: true }).count()).toBe(0)
  const handler = await app.as(await app.make.handler({ campaigns: [ids.campaign] }))
  const seen = await visit(app, handler, `/campaign/${ids.campaign}`)
  await part(seen, 'This cycle').getByText('Verified', { exact: true }).waitFor()
  expect(await seen.getByRole('tab').count(), 'sources are for admins').toBe(0)
  expect(await seen.getByText('Acme Company').count()).toBe(0)
  expect(await seen.getByText('Target', { exact: true }).count()).toBe(0)
  await clean(seen)
})

test('a campaign of which a client sees nothing but its leads says so [WORK-13]', async () => {
  const campaign = await app.make.campaign({ name: 'Their Roofs', client_id: (await app.make.client()).id })
  const customer = await app.as(await app.make.customer({ client_id: campaign.client_id! }))
  const page = await visit(app, customer, `/campaign/${campaign.id}`)
  await page.getByText('With your access there is nothing more to see of this campaign.').waitFor()
  await page.getByRole('link', { name: 'Leads', exact: true }).last().click()
  await see(() => pathOf(page)).toBe(`/leads?campaign_ids=${campaign.id}`)
})
