import { eq } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import { addDays, getToday } from '#contract/days.ts'
import { toInstant } from '#core/time/local-time.ts'
import { activityItemsTable } from '#domains/activity/schema.ts'
import { statementsContract } from '#domains/billing/statements/contract.ts'
import { setupStepKeys } from '#domains/dashboard/labels.ts'
import { homeVisitsTable, putOffStepsTable } from '#domains/dashboard/schema.ts'
import { spamContract } from '#domains/leads/spam/contract.ts'
import { signalsTable } from '#domains/signals/schema.ts'
import { runSignals } from '#domains/signals/server/runner.ts'
import { clientSitesTable } from '#domains/sites/client/schema.ts'
import { registrationsTable } from '#domains/sites/registrations/schema.ts'
import { setUp, startApp } from '#test/app.ts'
import { axeViolations } from '#test/axe.ts'
import { callsTo, see, visit } from '#test/visit.ts'

const app = await setUp(startApp())
// Home as it is once an agency is set up.
await app.context.db.insert(putOffStepsTable).values(setupStepKeys.map((key) => ({ key })))
const bossUser = await app.make.superAdmin()
const boss = await app.as(bossUser)
const campaign = await app.make.campaign({ name: 'Roofing in Denver' })
beforeEach(() => app.context.db.delete(signalsTable))

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000)

let lastSubject = 0
/** Writes a signal as the runner would. */
async function makeSignal(values: Partial<typeof signalsTable.$inferInsert> = {}) {
  const [row] = await app.context.db
    .insert(signalsTable)
    .values({
      kind: 'source_silent',
      detected_kind: values.kind ?? 'source_silent',
      severity: 'severe',
      title: 'No calls from denver-roofs.example',
      campaign_id: campaign.id,
      subject_type: 'source',
      subject_id: `${++lastSubject}/callrail`,
      subject_label: 'denver-roofs.example (CallRail)',
      opened_at: hoursAgo(3),
      evidence: {
        says: 'No calls for 50 hours. This site normally brings about 6 in that time.',
        once_in: 450,
        last_lead_at: hoursAgo(50).toISOString(),
      },
      expected_lost: { low: 3.2, mid: 6.1, high: 9 },
      ...values,
    })
    .returning()
  return row!
}
/** The row of a signal in the list, and the chosen signal beside it. */
const row = (page: Page, title: string) => page.locator(`a[data-row][title="${title}"]`)
const card = (page: Page, title: string) => page.getByRole('article', { name: title })
const open = async (page: Page, title: string) => {
  await row(page, title).click()
  await card(page, title).waitFor()
  return card(page, title)
}
const inGroup = (page: Page, name: string, title: string) => group(page, name).locator(`a[data-row][title="${title}"]`)
const group = (page: Page, name: string) => page.getByRole('region', { name })
const silent = 'No calls from denver-roofs.example'

test('the first signal is open beside the list, with its sentence, start, estimate and one main act [TODAY-08] [DESK-01]', async () => {
  await makeSignal()
  const tasks = Promise.withResolvers<void>()
  const page = await visit(app, boss, '/', {
    before: (page) =>
      page.route('**/api/activity-log?*', async (route) => {
        await tasks.promise
        await route.continue()
      }),
  })
  const shown = card(page, silent)
  await row(page, silent).waitFor()
  expect(await page.locator('#my-tasks').isVisible(), 'what is beside the list comes together').toBe(false)
  tasks.resolve()
  await shown.waitFor()
  const text = await shown.textContent()
  for (const words of ['Urgent', 'No leads', campaign.name, '(2 days)', 'About 6 leads lost (range 3–9)'])
    expect(text).toContain(words)
  expect(text, 'odds are in a title').not.toContain('450')
  await shown.getByTitle('1 in 450 by chance').waitFor()
  expect(await shown.getByRole('button').allInnerTexts()).toEqual([
    'Check now',
    'I’ll take it',
    'Snooze',
    'Create task',
  ])
  expect(await shown.locator('[data-variant=filled]').allInnerTexts()).toEqual(['Check now'])
  expect(await row(page, silent).textContent()).toBe('No calls · Roofing in Denver2 days · about 6 leads lost')
  expect(callsTo(page, 'GET /api/signals?')).toHaveLength(1)
})

test('signals stand by urgency, then by leads lost, those for information by kind; 25 fit in two screens [DESK-01]', async () => {
  const lost = (mid: number) => ({ low: 0, mid, high: 2 * mid })
  for (let index = 0; index < 12; index++)
    await makeSignal({ title: `No calls from a${index}.example`, expected_lost: lost(index) })
  for (let index = 0; index < 4; index++)
    await makeSignal({ title: `b${index}.example does not redirect`, kind: 'redirect_broken', severity: 'warning' })
  for (let index = 0; index < 9; index++)
    await makeSignal({ title: `Backlink lost: c${index}`, kind: 'link_lost', severity: 'note', expected_lost: null })
  await makeSignal({ title: 'Task overdue: Call', kind: 'task_overdue', severity: 'note', subject_type: 'task' })
  const page = await visit(app, boss, '/', { viewport: { width: 1440, height: 900 } })
  await row(page, 'No calls from a11.example').waitFor()
  expect(await page.locator('a[data-row]').first().getAttribute('title')).toBe('No calls from a11.example')
  const urgent = group(page, 'Needs you').getByRole('region', { name: 'Urgent' })
  expect(await urgent.locator('a[data-row]').count()).toBe(12)
  expect((await row(page, 'No calls from a11.example').boundingBox())!.height).toBe(52)
  expect(await page.getByText('Task overdue: Call').count(), 'it is among the tasks of its assignee').toBe(0)
  expect(await row(page, 'Backlink lost: c1').count(), 'folded').toBe(0)
  const list = (await group(page, 'Needs you').boundingBox())!
  expect(list.y + list.height).toBeLessThan(1800)
  await page.getByRole('button', { name: '9 backlinks lost' }).click()
  await row(page, 'Backlink lost: c1').waitFor()
  const needs = page.getByRole('heading', { name: 'Needs you' })
  expect(await needs.textContent()).toBe('Needs you 25')
  await page
    .getByRole('link', { name: /^Urgent/ })
    .getByText('12')
    .waitFor()
})

test('j and k choose, t takes, s snoozes until tomorrow morning [DESK-01]', async () => {
  const [first, second] = ['No calls from one.example', 'No calls from two.example']
  await makeSignal({ title: first, expected_lost: { low: 1, mid: 9, high: 20 } })
  const { id } = await makeSignal({ title: second })
  const page = await visit(app, boss, '/')
  await card(page, first).waitFor()
  await page.keyboard.press('j')
  await card(page, second).waitFor()
  await see(() => page.url()).toContain(`signal=${id}`)
  await page.keyboard.press('k')
  await card(page, first).waitFor()
  await page.keyboard.press('t')
  await inGroup(page, 'Being handled', first).waitFor()
  await page.keyboard.press('Control+Shift+Home')
  await row(page, second).click()
  await card(page, second).waitFor()
  await page.keyboard.press('s')
  await page.getByRole('menuitem', { name: 'Tomorrow 8:00' }).click()
  await inGroup(page, 'Being handled', second).waitFor()
  const [muted] = await app.context.db.select().from(signalsTable).where(eq(signalsTable.id, id))
  const zone = app.context.settings.AGENCY_TIMEZONE
  expect(muted!.muted_until).toEqual(toInstant(addDays(getToday(zone), 1), '08:00', zone))
})

test('what opened since my last visit is new; the pane has 28 days of leads, the checks, and what was before [DESK-01]', async () => {
  const user = await app.make.superAdmin()
  await app.context.db.insert(homeVisitsTable).values({ user_id: user.id, seen_at: hoursAgo(5) })
  const site = await app.make.clientSite({ campaign_id: campaign.id })
  const subject_id = `${site.id}/callrail`
  const old = 'No calls from old.example'
  await makeSignal({ title: old, opened_at: hoursAgo(9) })
  await makeSignal({
    subject_id,
    evidence: {
      says: 'No calls for 50 hours.',
      last_lead_at: hoursAgo(50).toISOString(),
      probe: {
        at: hoursAgo(1).toISOString(),
        calls: { listed: 0, brought_in: 0, error: 'it answered 503' },
        site: 'live',
        listings: [{ title: 'North Roofing', suspended: true, changed: false }],
      },
    },
  })
  const earlier = 'Three weeks before'
  await makeSignal({ subject_id, title: earlier, opened_at: hoursAgo(600), closed_at: hoursAgo(550) })
  await app.make.lead({
    ...{ clientsite_id: site.id, campaign_id: campaign.id, lead_s: 'Callrail', occurred_at: hoursAgo(24 * 9) },
  })
  const page = await visit(app, await app.as(user), '/')
  await row(page, silent).getByText('New').waitFor()
  expect(await row(page, old).getByText('New').count()).toBe(0)
  const shown = await open(page, silent)
  await shown.getByRole('img', { name: /^1 lead from/ }).waitFor()
  expect(await shown.locator('rect[data-gap]').count()).toBe(1)
  await shown.getByRole('region', { name: 'History' }).getByText(`${earlier}, for 2 days`).waitFor()
  const checks = shown.getByRole('list', { name: 'Checks' }).getByRole('listitem')
  expect(
    await checks.evaluateAll((all) => all.map((one) => [one.querySelector('svg')!.ariaLabel, one.textContent])),
  ).toEqual([
    ['Unknown', 'Couldn’t reach CallRail: it answered 503'],
    ['Fine', 'The website is up.'],
    ['Wrong', 'Google suspended North Roofing.'],
  ])
})

test('while Home stays open, the visit goes on: what opens in front of me is not new the next time [DESK-01]', async () => {
  const user = await app.as(await app.make.superAdmin())
  const page = await visit(app, user, '/', { alone: true, before: (page) => page.clock.install() })
  const looks = () => callsTo(page, 'POST /api/home/visit').length
  await see(looks).toBe(1)
  await page.clock.runFor(600_000)
  await see(looks).toBe(2)
})

test('what needs me first is mended in two clicks, and why a campaign is behind is two clicks away [DESK-01]', async () => {
  const behind = 'Roofing in Denver is behind its target'
  await makeSignal({ title: silent, expected_lost: { low: 5, mid: 14, high: 20 } })
  const page = await visit(app, boss, '/')
  await row(page, silent).click()
  await card(page, silent).getByRole('button', { name: 'Check now' }).click()
  await page.getByText('Fixed, closed.').waitFor()
  const subject = { subject_type: 'campaign', subject_id: String(campaign.id) } as const
  await makeSignal({ kind: 'behind_target', severity: 'warning', title: behind, expected_lost: null, ...subject })
  await page.goto(app.url)
  await row(page, behind).click()
  await card(page, behind).getByRole('link', { name: 'See why' }).click()
  await see(() => new URL(page.url()).pathname).toBe(`/campaign/${campaign.id}`)
})

test('on a phone a signal is a page, and Back leads to the list [DESK-01]', async () => {
  const { id } = await makeSignal()
  const phone = await visit(app, boss, '/', { viewport: { width: 390, height: 844 } })
  await row(phone, silent).waitFor()
  expect(await card(phone, silent).count()).toBe(0)
  await row(phone, silent).click()
  await card(phone, silent).waitFor()
  expect(await row(phone, silent).count()).toBe(0)
  await phone.goBack()
  await row(phone, silent).waitFor()
  await phone.goto(`${app.url}/?signal=${id}`)
  await card(phone, silent).waitFor()
  await phone.getByRole('button', { name: 'All signals' }).click()
  await row(phone, silent).waitFor()
})

test('a card leads to the pages of its site, its campaign and its client, and opens its statement [WORK-12]', async () => {
  const site = await app.make.clientSite({ campaign_id: campaign.id })
  await makeSignal({ subject_id: `${site.id}/callrail` })
  const page = await visit(app, boss, '/')
  await open(page, silent)
  const to = (name: string) => card(page, silent).getByRole('link', { name }).getAttribute('href')
  await see(() => to(silent)).toBe(`/site/client/${site.id}`)
  await see(() => to(campaign.name)).toBe(`/campaign/${campaign.id}`)
  const behind = 'Roofing in Denver is behind its target'
  await makeSignal({ kind: 'behind_target', title: behind, subject_type: 'campaign', subject_id: String(campaign.id) })
  const lead = await app.make.lead({ campaign_id: campaign.id, confirmed: true })
  const refused = 'A mail to ann@example.com was refused'
  await makeSignal({ kind: 'mail_refused', title: refused, subject_type: 'mail', evidence: { mail_lead_id: lead.id } })
  const [lostReport, lostStatement] = [
    'The report of Acme was not delivered',
    'Statement 2026-11-0001 was not delivered',
  ]
  const client = { subject_type: 'client', subject_id: String(campaign.client_id) } as const
  await makeSignal({ kind: 'report_refused', title: lostReport, ...client })
  const [statement] = (await boss.call(statementsContract.list, { query: { campaign_ids: campaign.id } })).body.data
  const subject = { subject_type: 'statement', subject_id: String(statement.id) } as const
  await makeSignal({ kind: 'statement_refused', title: lostStatement, ...subject })
  await page.reload()
  const titleOf = (title: string) => card(page, title).getByRole('link', { name: title }).getAttribute('href')
  await open(page, behind)
  await see(() => titleOf(behind)).toBe(`/campaign/${campaign.id}`)
  await open(page, refused)
  await see(() => titleOf(refused)).toBe(`/lead/${lead.id}`)
  await open(page, lostReport)
  await see(() => titleOf(lostReport)).toBe(`/client/${campaign.client_id}`)
  await open(page, lostStatement)
  await card(page, lostStatement).getByRole('button', { name: 'Open the statement' }).click()
  await page.getByRole('dialog', { name: `Statement of ${campaign.name}` }).waitFor()
})

test('a card without a page leads to the list in which its subject is changed; a rule is undone on the card [TODAY-08]', async () => {
  const lost = 'Backlink lost: news.example → shop.example'
  const subject = { subject_type: 'link', subject_id: '7', subject_label: 'https://shop.example/' } as const
  await makeSignal({ kind: 'link_lost', title: lost, ...subject })
  const waits = '3 leads without a campaign'
  const since = '2026-02-03T04:00:00.000Z'
  const agency = { subject_type: 'agency', subject_id: '0' } as const
  await makeSignal({ kind: 'leads_unassigned', title: waits, ...agency, evidence: { says: 'Assign them.', since } })
  await app.make.lead({ campaign_id: null, lead_name: 'Nowhere Nora', hide: true, occurred_at: new Date(since) })
  await app.make.lead({ campaign_id: (await app.make.campaign()).id, lead_name: 'Assigned Ann' })
  await boss.call(spamContract.addSpammer, { body: { name: 'Spam Sam', email: 'sam@spam.example' } })
  const [rule] = (await boss.call(spamContract.rules)).body
  const hides = 'The spammer Spam Sam hides good leads'
  await makeSignal({ kind: 'rule_hides_good_leads', title: hides, subject_type: 'rule', subject_id: String(rule!.id) })
  const page = await visit(app, boss, '/')
  const linkOf = (title: string) => card(page, title).getByRole('link', { name: title }).getAttribute('href')
  await open(page, lost)
  await see(() => linkOf(lost)).toBe('/network-sites/outgoing-links?q=https%3A%2F%2Fshop.example%2F')
  await open(page, waits)
  await see(() => linkOf(waits)).toBe('/leads?date_from=2026-02-02&no_campaign=1')
  await card(page, waits).getByRole('link', { name: 'Assign the leads' }).click()
  await page.getByText('Nowhere Nora').first().waitFor()
  expect(await page.getByText('Assigned Ann').count()).toBe(0)
  await page.getByText('Without a campaign', { exact: true }).click()
  await page.getByText('Assigned Ann').first().waitFor()
  await page.goto(app.url)
  await open(page, hides)
  await card(page, hides).getByRole('button', { name: 'Undo the rule' }).click()
  await page.getByRole('dialog', { name: /^Undo “/ }).waitFor()
  // A handler has none of these lists.
  const handler = await app.make.handler({ campaigns: [campaign.id] })
  const theirs = await visit(app, await app.as(handler), '/')
  await open(theirs, lost)
  expect(await card(theirs, lost).getByRole('link', { name: lost }).count()).toBe(0)
})

test('a signal that I take is being handled, and can be handed back by keyboard [TODAY-08]', async () => {
  await makeSignal()
  const page = await visit(app, boss, '/')
  await page.getByRole('link', { name: 'Signals: 1 needs you' }).waitFor()
  await card(page, silent).getByRole('button', { name: 'I’ll take it' }).focus()
  await page.keyboard.press('Enter')
  await inGroup(page, 'Being handled', silent).getByText(bossUser.username).waitFor()
  await page.getByRole('link', { name: 'Signals', exact: true }).waitFor()
  await card(page, silent).getByRole('button', { name: 'Hand back' }).focus()
  await page.keyboard.press('Enter')
  await inGroup(page, 'Needs you', silent).waitFor()
})

test('the bell shows the newest five on each other screen, and one of them opens on Home [TODAY-08]', async () => {
  for (let index = 0; index < 7; index++)
    await makeSignal({ title: `No calls from n${index}.example`, opened_at: hoursAgo(9 - index) })
  const page = await visit(app, boss, '/clients')
  const bell = page.getByRole('link', { name: 'Signals: 7 need you' })
  await bell.click()
  const newest = page.getByRole('dialog', { name: 'Newest signals' })
  const titles = () => newest.locator('a[data-row]').evaluateAll((all) => all.map((one) => one.getAttribute('title')))
  await see(titles).toEqual([6, 5, 4, 3, 2].map((index) => `No calls from n${index}.example`))
  expect(await axeViolations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await see(() => newest.count()).toBe(0)
  expect(await bell.evaluate((one) => one === document.activeElement)).toBe(true)
  await bell.press('Enter')
  await newest.getByRole('link', { name: 'All 7 on Home' }).waitFor()
  await newest.locator('a[data-row][title="No calls from n4.example"]').click()
  await card(page, 'No calls from n4.example').waitFor()
  await see(() => newest.count()).toBe(0)
})

test('a signal is snoozed until a day, and the snooze is ended [TODAY-08] [DESK-09]', async () => {
  const { id } = await makeSignal()
  const page = await visit(app, boss, '/')
  const shown = card(page, silent)
  await shown.getByRole('button', { name: 'Snooze' }).click()
  await page.getByRole('menuitem', { name: 'Other…' }).click()
  const dialog = page.getByRole('dialog', { name: `Snooze: ${silent}` })
  await dialog.getByLabel('Until', { exact: true }).click()
  await page.getByRole('option', { name: /90 days/ }).click()
  await page.keyboard.press('Control+Enter')
  await inGroup(page, 'Being handled', silent).waitFor()
  await shown.getByText('Snoozed until').waitFor()
  // Dates on Home are short, and whole in their titles.
  const until = shown.getByText('Snoozed until').locator('xpath=..').locator('time')
  expect(await until.textContent()).toMatch(/^\w{3} \d+(, \d{4})?$/)
  expect(await until.getAttribute('title')).toMatch(/^\d\d\/\d\d\/\d{4} \d\d:\d\d$/)
  const [stored] = await app.context.db.select().from(signalsTable).where(eq(signalsTable.id, id))
  expect(Math.round((stored!.muted_until!.getTime() - Date.now()) / 86_400_000)).toBe(90)
  await shown.getByRole('button', { name: 'End snooze' }).click()
  await page.getByText('Snooze was ended').waitFor()
  await inGroup(page, 'Needs you', silent).waitFor()
})

test('a button that goes leaves the focus with the first one beside it [TODAY-08]', async () => {
  await makeSignal()
  const page = await visit(app, boss, '/')
  await card(page, silent).getByRole('button', { name: 'Snooze' }).press('Enter')
  await page.getByRole('menuitem').first().press('Enter')
  await card(page, silent).getByRole('button', { name: 'End snooze' }).waitFor()
  await see(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Check now')
})

test('a signal can be turned into a task, which is listed among one’s tasks [TODAY-08]', async () => {
  await makeSignal()
  const page = await visit(app, boss, '/')
  await card(page, silent).getByRole('button', { name: 'Create task' }).click()
  await inGroup(page, 'Being handled', silent).waitFor()
  const task = page.getByRole('list', { name: 'Today', exact: true }).getByRole('listitem').filter({ hasText: silent })
  await task.waitFor()
  // Done by hand, the signal is still open and needs attention again.
  await task.getByRole('checkbox').click()
  await page.getByText('Done (1)').waitFor()
  await page.reload()
  await inGroup(page, 'Needs you', silent).waitFor()
})

test('a check that finds nothing wrong moves the signal to Closed today [TODAY-08]', async () => {
  await makeSignal() // for a source that no detector reports
  const page = await visit(app, boss, '/')
  await card(page, silent).getByRole('button', { name: 'Check now' }).click()
  await page.getByText('Fixed, closed.').waitFor()
  await inGroup(page, 'Closed today', silent).waitFor()
  await card(page, silent)
    .getByText(/Lasted 3 hours/)
    .waitFor()
  expect(await card(page, silent).getByRole('button').count()).toBe(0)
})

test('a check that finds the problem again says so, and the signal has the time of the check [TODAY-08]', async () => {
  await app.make.lead({ campaign_id: null })
  const title = '1 lead without a campaign'
  await makeSignal({ title, kind: 'leads_unassigned', campaign_id: null, subject_type: 'agency', subject_id: '0' })
  const page = await visit(app, boss, '/')
  await card(page, title).waitFor()
  expect(await card(page, title).getByText('Checked').count()).toBe(0)
  await card(page, title).getByRole('button', { name: 'Check now' }).click()
  await page.getByText('Still failing.').waitFor()
  await card(page, title).getByText('Checked', { exact: true }).waitFor()
})

test('a check that got no answer says so, and the signal stays as unchecked as it was [TODAY-08]', async () => {
  const domain = 'unanswered.example'
  const [row] = await app.context.db
    .insert(registrationsTable)
    .values({ domain, expires_on: addDays(getToday(app.context.settings.AGENCY_TIMEZONE), 3) })
    .returning()
  await app.make.clientSite({ domain, campaign_id: campaign.id })
  const title = `${domain} expires in 3 days`
  await makeSignal({
    ...{ title, kind: 'domain_expiring', detected_kind: 'domain_expiring' },
    ...{ subject_type: 'domain', subject_id: String(row!.id), subject_label: domain },
  })
  const page = await visit(app, boss, '/')
  await card(page, title).getByRole('button', { name: 'Check now' }).click()
  await page.getByText(`Not checked: the registry of ${domain} did not answer.`).waitFor()
  expect(await card(page, title).getByText('Checked').count()).toBe(0)
  expect(await page.getByText('Still failing.').count()).toBe(0)
})

test('what a signal cannot have checked at once is not offered to be checked [TODAY-08]', async () => {
  const subject = {
    campaign_id: null,
    subject_type: 'redirect_domain',
    subject_id: '1',
    subject_label: 'old.example',
  } as const
  const title = 'old.example does not redirect'
  const { id } = await makeSignal({ title, kind: 'redirect_broken', ...subject })
  const page = await visit(app, boss, '/')
  await card(page, title).getByRole('button', { name: 'Snooze' }).waitFor()
  expect(await card(page, title).getByRole('button', { name: 'Check now' }).count()).toBe(0)
  await app.context.db.delete(signalsTable).where(eq(signalsTable.id, id))
})

test('an open Home follows when a site is back, without moving the card under the pointer [TODAY-08]', async () => {
  const site = await app.make.clientSite({ campaign_id: campaign.id, url: 'https://back.example', status: 0 })
  await runSignals(app.context)
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const holdStream = (page: Page) =>
    page.route('**/api/leads/events*', async (route) => {
      await released
      await route.continue()
    })
  const page = await visit(app, boss, '/', { before: holdStream })
  const title = 'back.example is offline'
  const setStatus = async (status: number) => {
    await app.context.db.update(clientSitesTable).set({ status }).where(eq(clientSitesTable.id, site.id))
    await runSignals(app.context)
  }
  await inGroup(page, 'Needs you', title).waitFor()
  await setStatus(1)
  release() // the page is told of changes only now, and by itself asks a minute after it was opened
  await inGroup(page, 'Closed today', title).waitFor()
  await setStatus(0)
  await inGroup(page, 'Needs you', title).waitFor()
  await row(page, title).hover()
  await setStatus(1)
  await inGroup(page, 'Needs you', title)
    .getByText(/closed /)
    .waitFor()
  await page.mouse.move(0, 0)
  await inGroup(page, 'Closed today', title).waitFor()
})

test('signals explained by one fault are collapsed into its card and count once [TODAY-08]', async () => {
  const parent = await makeSignal({
    kind: 'site_offline',
    subject_type: 'ip',
    subject_id: '192.0.2.7',
    campaign_id: null,
    subject_label: '192.0.2.7',
    title: '3 sites on 192.0.2.7 are offline',
  })
  const elsewhere = (await app.make.campaign({ initial_target: 0 })).id
  for (const host of ['a.example', 'b.example', 'c.example'])
    await makeSignal({ kind: 'site_offline', title: `${host} is offline`, parent_id: parent.id })
  const page = await visit(app, boss, '/')
  await page.getByRole('link', { name: 'Signals: 1 needs you' }).waitFor()
  const shown = await open(page, '3 sites on 192.0.2.7 are offline')
  await shown.getByText('Also causes 3 more alerts').click()
  await shown.getByText('b.example is offline').waitFor()
  // An admin sees it with those of its sites that are theirs.
  await makeSignal({
    kind: 'site_offline',
    title: 'd.example is offline',
    parent_id: parent.id,
    campaign_id: elsewhere,
  })
  const admin = await visit(app, await app.as(await app.make.admin({ campaigns: [campaign.id] })), '/')
  await admin.getByRole('link', { name: 'Signals: 1 needs you' }).waitFor()
  const theirs = await open(admin, '3 sites on 192.0.2.7 are offline')
  await theirs.getByText('Also causes 3 more alerts').click()
  await theirs.getByText('b.example is offline').waitFor()
})

test('tasks are overdue, today’s or open, and done ones are collapsed [TODAY-08]', async () => {
  const user = await app.make.superAdmin()
  const today = getToday(app.context.settings.AGENCY_TIMEZONE)
  const base = { user_id: user.id, assignee_id: user.id, campaign_id: campaign.id, is_task: true }
  await app.context.db.insert(activityItemsTable).values([
    { ...base, date: addDays(today, -3), note: 'Call the registrar' },
    { ...base, date: today, note: 'Check the form' },
    { ...base, date: addDays(today, 4), note: 'Order photos' },
    { ...base, date: addDays(today, -1), note: 'Renew the certificate', is_done: true },
  ])
  const page = await visit(app, await app.as(user), '/')
  for (const [list, note] of [
    ['Overdue', 'Call the registrar'],
    ['Today', 'Check the form'],
    ['Open', 'Order photos'],
  ] as const)
    await page.getByRole('list', { name: list }).getByText(note).waitFor()
  expect(await page.getByText('Renew the certificate').isVisible()).toBe(false)
  await page.getByText('Done (1)').click()
  await page.getByText('Renew the certificate').waitFor()
  await page.getByRole('button', { name: 'Edit: Check the form' }).click()
  await page.getByRole('dialog', { name: 'Edit Item' }).waitFor()
})

test('Home says that nothing is wrong, and that it could not be read [TODAY-08]', async () => {
  const page = await visit(app, boss, '/')
  await page.getByText('Nothing needs you now.').waitFor()
  await page.route('**/api/signals?*', (route) => route.fulfill({ status: 500, json: { message: 'Server Error' } }))
  await page.reload()
  await page.getByText(/Signals could not be loaded/).waitFor()
  await page.unroute('**/api/signals?*')
  await page.getByRole('button', { name: 'Retry' }).click()
  await page.getByText('Nothing needs you now.').waitFor()
})

test('a handler starts with the new leads of their campaigns [TODAY-08]', async () => {
  const other = await app.make.campaign()
  await app.make.lead({ campaign_id: campaign.id, lead_name: 'Nora New', occurred_at: new Date() })
  await app.make.lead({ campaign_id: campaign.id, lead_name: 'Mark Marked', occurred_at: new Date(), confirmed: true })
  await app.make.lead({ campaign_id: other.id, lead_name: 'Olga Other', occurred_at: new Date() })
  const handler = await app.make.handler({ campaigns: [campaign.id], time_format: '12h' })
  const page = await visit(app, await app.as(handler), '/')
  const list = page.getByRole('list', { name: 'New leads' })
  await list.getByText('Nora New').waitFor()
  await list.getByText(/^\d\d\/\d\d\/\d{4} \d\d:\d\d [AP]M$/).waitFor()
  expect(await list.getByRole('listitem').count()).toBe(1)
})

test('axe finds nothing on Home, and on a phone nothing runs off the page [TODAY-08]', async () => {
  await makeSignal()
  await makeSignal({ title: 'b.example is offline', kind: 'site_offline', claimed_by: bossUser.id })
  await makeSignal({ title: 'c.example is back', closed_at: new Date(), closing_evidence: { says: 'It is back.' } })
  const page = await visit(app, boss, '/')
  await row(page, 'c.example is back').waitFor()
  await card(page, silent).waitFor()
  expect(await axeViolations(page)).toEqual([])
  const phone = await visit(app, boss, '/', { viewport: { width: 390, height: 844 } })
  await row(phone, 'c.example is back').waitFor()
  expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  const wide = await phone.evaluate(() => document.querySelector('main')!.scrollWidth)
  expect(wide).toBeLessThanOrEqual(390)
})
