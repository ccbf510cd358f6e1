import { eq } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import { addDays, getToday } from '#contract/days.ts'
import { activityItemsTable } from '#domains/activity/schema.ts'
import { spamContract } from '#domains/leads/spam/contract.ts'
import { signalsTable } from '#domains/signals/schema.ts'
import { runSignals } from '#domains/signals/server/runner.ts'
import { clientSitesTable } from '#domains/sites/client/schema.ts'
import { setUp, startApp } from '#test/app.ts'
import { axeViolations } from '#test/axe.ts'
import { callsTo, see, visit } from '#test/visit.ts'

const app = await setUp(startApp())
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
      title: 'denver-roofs.example sends nothing through CallRail',
      campaign_id: campaign.id,
      subject_type: 'source',
      subject_id: `${++lastSubject}/callrail`,
      subject_label: 'denver-roofs.example (CallRail)',
      opened_at: hoursAgo(3),
      evidence: {
        says: 'Since 2026-01-02 03:04 6.1 leads would be usual; none came. By chance that happens once in 450 times.',
        last_lead_at: hoursAgo(50).toISOString(),
      },
      expected_lost: { low: 3.2, mid: 6.1, high: 9 },
      ...values,
    })
    .returning()
  return row!
}
const card = (page: Page, title: string) => page.getByRole('article', { name: title })
const group = (page: Page, name: string) => page.getByRole('region', { name })
const silent = 'denver-roofs.example sends nothing through CallRail'

test('a card has the problem, its start, the evidence and the leads probably lost with their range [TODAY-08]', async () => {
  await makeSignal()
  const page = await visit(app, boss, '/')
  const shown = group(page, 'Needs you').getByRole('article', { name: silent })
  await shown.waitFor()
  const text = await shown.textContent()
  for (const words of ['Urgent', 'No leads', campaign.name, '(2 days)', 'once in 450 times', '6.1 (3.2 to 9)'])
    expect(text).toContain(words)
  expect(await shown.getByRole('button').allInnerTexts()).toEqual(['Claim', 'Mute until…', 'Probe', 'Make task'])
  expect(callsTo(page, 'GET /api/signals?')).toHaveLength(1)
})

test('a card leads to the pages of its site and its campaign [WORK-12]', async () => {
  const site = await app.make.clientSite({ campaign_id: campaign.id })
  await makeSignal({ subject_id: `${site.id}/callrail` })
  const page = await visit(app, boss, '/')
  const to = (name: string) => card(page, silent).getByRole('link', { name }).getAttribute('href')
  await see(() => to(silent)).toBe(`/site/client/${site.id}`)
  await see(() => to(campaign.name)).toBe(`/campaign/${campaign.id}`)
  const behind = 'Roofing in Denver is behind its target'
  await makeSignal({ kind: 'behind_target', title: behind, subject_type: 'campaign', subject_id: String(campaign.id) })
  const lead = await app.make.lead({ campaign_id: campaign.id, confirmed: true })
  const refused = 'A mail to ann@example.com was refused'
  await makeSignal({ kind: 'mail_refused', title: refused, subject_type: 'mail', evidence: { mail_lead_id: lead.id } })
  await page.reload()
  const titleOf = (title: string) => card(page, title).getByRole('link', { name: title }).getAttribute('href')
  await see(() => titleOf(behind)).toBe(`/campaign/${campaign.id}`)
  await see(() => titleOf(refused)).toBe(`/lead/${lead.id}`)
})

test('a card without a page leads to the list in which its subject is changed; a rule is undone on the card [TODAY-08]', async () => {
  const lost = 'news.example no longer links to https://shop.example/'
  const subject = { subject_type: 'link', subject_id: '7', subject_label: 'https://shop.example/' } as const
  await makeSignal({ kind: 'link_lost', title: lost, ...subject })
  const waits = '3 leads without a campaign'
  await makeSignal({ kind: 'leads_unassigned', title: waits, subject_type: 'agency', subject_id: '0' })
  await boss.call(spamContract.addSpammer, { body: { name: 'Spam Sam', email: 'sam@spam.example' } })
  const [rule] = (await boss.call(spamContract.rules)).body
  const hides = 'The spammer Spam Sam hides good leads'
  await makeSignal({ kind: 'rule_hides_good_leads', title: hides, subject_type: 'rule', subject_id: String(rule!.id) })
  const page = await visit(app, boss, '/')
  const linkOf = (title: string) => card(page, title).getByRole('link', { name: title }).getAttribute('href')
  await see(() => linkOf(lost)).toBe('/network-sites/outgoing-links?q=https%3A%2F%2Fshop.example%2F')
  await see(() => linkOf(waits)).toBe('/leads')
  await card(page, hides).getByRole('button', { name: 'Undo the rule' }).click()
  await page.getByRole('dialog', { name: /^Undo “/ }).waitFor()
  // A handler has none of these lists.
  const handler = await app.make.handler({ campaigns: [campaign.id] })
  const theirs = await visit(app, await app.as(handler), '/')
  await card(theirs, lost).waitFor()
  expect(await card(theirs, lost).getByRole('link', { name: lost }).count()).toBe(0)
})

test('a claimed signal is being handled, and can be given back by keyboard [TODAY-08]', async () => {
  const { id } = await makeSignal()
  const page = await visit(app, boss, '/')
  await page.getByRole('link', { name: 'Signals: 1 needs you' }).waitFor()
  await card(page, silent).getByRole('button', { name: 'Claim' }).focus()
  await page.keyboard.press('Enter')
  const handled = group(page, 'Being handled').getByRole('article', { name: silent })
  await handled.getByText(bossUser.username).waitFor()
  await page.getByRole('link', { name: 'Signals', exact: true }).waitFor()
  // The button is gone; its card has the focus.
  await see(() => page.evaluate(() => document.activeElement?.id)).toBe(`signal-${id}`)
  for (const on of [campaign.name, silent, 'Give back']) {
    await page.keyboard.press('Tab')
    await see(() => page.evaluate(() => document.activeElement?.textContent)).toBe(on)
  }
  await page.keyboard.press('Enter')
  await group(page, 'Needs you').getByRole('article', { name: silent }).waitFor()
})

test('a signal is muted until a day, and the mute is ended [TODAY-08]', async () => {
  const { id } = await makeSignal()
  const page = await visit(app, boss, '/')
  await card(page, silent).getByRole('button', { name: 'Mute until…' }).click()
  const dialog = page.getByRole('dialog', { name: `Mute: ${silent}` })
  await dialog.getByLabel('Until', { exact: true }).click()
  await page.getByRole('option', { name: /90 days/ }).click()
  await page.keyboard.press('Control+Enter')
  const handled = group(page, 'Being handled').getByRole('article', { name: silent })
  await handled.getByText('Muted until').waitFor()
  const [row] = await app.context.db.select().from(signalsTable).where(eq(signalsTable.id, id))
  expect(Math.round((row!.muted_until!.getTime() - Date.now()) / 86_400_000)).toBe(90)
  await handled.getByRole('button', { name: 'End mute' }).click()
  await page.getByText('Mute was ended').waitFor()
  await group(page, 'Needs you').getByRole('article', { name: silent }).waitFor()
})

test('a signal can be turned into a task, which is listed among one’s tasks [TODAY-08]', async () => {
  await makeSignal()
  const page = await visit(app, boss, '/')
  await card(page, silent).getByRole('button', { name: 'Make task' }).click()
  await group(page, 'Being handled').getByRole('article', { name: silent }).waitFor()
  const task = page.getByRole('list', { name: 'Today', exact: true }).getByRole('listitem').filter({ hasText: silent })
  await task.waitFor()
  // Done by hand, the signal is still open and needs attention again.
  await task.getByRole('checkbox').click()
  await page.getByText('Done (1)').waitFor()
  await page.reload()
  await group(page, 'Needs you').getByRole('article', { name: silent }).waitFor()
})

test('a successful probe moves the signal to Closed today [TODAY-08]', async () => {
  await makeSignal() // for a source that no detector reports
  const page = await visit(app, boss, '/')
  await card(page, silent).getByRole('button', { name: 'Probe' }).click()
  await page.getByText(`Checked and closed: ${silent}`).waitFor()
  const closed = group(page, 'Closed today').getByRole('article', { name: silent })
  await closed.getByText(/Lasted 3 hours/).waitFor()
  expect(await closed.getByRole('button').count()).toBe(0)
})

test('a probe that finds the problem again says so, and the card has the time of the check [TODAY-08]', async () => {
  await app.make.lead({ campaign_id: null })
  const title = '1 lead without a campaign'
  await makeSignal({ title, kind: 'leads_unassigned', campaign_id: null, subject_type: 'agency', subject_id: '0' })
  const page = await visit(app, boss, '/')
  await card(page, title).waitFor()
  expect(await card(page, title).getByText('Checked').count()).toBe(0)
  await card(page, title).getByRole('button', { name: 'Probe' }).click()
  await page.getByText(`Checked, still open: ${title}`).waitFor()
  await card(page, title).getByText('Checked', { exact: true }).waitFor()
})

test('an open Home follows when a site is back, without moving the card under the pointer [TODAY-08]', async () => {
  const site = await app.make.clientSite({ campaign_id: campaign.id, url: 'https://back.example', status: 0 })
  await runSignals(app.context)
  const page = await visit(app, boss, '/')
  const shown = card(page, 'back.example is offline')
  const inGroup = (name: string) => group(page, name).getByRole('article', { name: 'back.example is offline' })
  const setStatus = async (status: number) => {
    await app.context.db.update(clientSitesTable).set({ status }).where(eq(clientSitesTable.id, site.id))
    await runSignals(app.context)
  }
  await inGroup('Needs you').waitFor()
  await setStatus(1)
  await inGroup('Closed today').waitFor({ timeout: 5000 })
  await setStatus(0)
  await inGroup('Needs you').waitFor({ timeout: 5000 })
  await shown.hover()
  await setStatus(1)
  await inGroup('Needs you').getByText('The site is back up.').waitFor({ timeout: 5000 })
  await page.mouse.move(0, 0)
  await inGroup('Closed today').waitFor()
})

test('an overdue task is not turned into another task [TODAY-08]', async () => {
  const title = 'Task overdue: Call the registrar'
  await makeSignal({ title, kind: 'task_overdue', severity: 'note', subject_type: 'task', subject_id: '7' })
  const page = await visit(app, boss, '/')
  await card(page, title).waitFor()
  expect(await card(page, title).getByRole('button').allInnerTexts()).toEqual(['Claim', 'Mute until…', 'Probe'])
})

test('claiming a card leaves the page where it is, so that the next card is in sight [TODAY-08]', async () => {
  const titles = Array.from({ length: 9 }, (_, index) => `site-${index}.example is offline`)
  for (const title of titles.toReversed()) await makeSignal({ title, kind: 'site_offline' })
  const page = await visit(app, boss, '/')
  await card(page, titles[0]!).getByRole('button', { name: 'Claim' }).click()
  const handled = group(page, 'Being handled').getByRole('article', { name: titles[0]! })
  await see(() => handled.evaluate((shown) => shown === document.activeElement)).toBe(true)
  expect((await card(page, titles[1]!).boundingBox())!.y).toBeGreaterThan(0)
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
  const shown = card(page, '3 sites on 192.0.2.7 are offline')
  await shown.getByText('Explains 3 others').click()
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
  const theirs = card(admin, '3 sites on 192.0.2.7 are offline')
  await theirs.getByText('Explains 3 others').click()
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
  await card(page, 'c.example is back').waitFor()
  expect(await axeViolations(page)).toEqual([])
  const phone = await visit(app, boss, '/', { viewport: { width: 390, height: 844 } })
  await card(phone, 'c.example is back').waitFor()
  expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  const wide = await phone.evaluate(() => document.querySelector('main')!.scrollWidth)
  expect(wide).toBeLessThanOrEqual(390)
})
