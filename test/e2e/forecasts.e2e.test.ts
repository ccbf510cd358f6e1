import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { addDays, getToday } from '#contract/days.ts'
import { auditTable } from '#core/db/schema.ts'
import { insightsContract } from '#domains/insights/contract.ts'
import { clientSiteLogsTable } from '#domains/sites/client/schema.ts'
import { setUp, startApp } from '#test/app.ts'
import { axeViolations } from '#test/axe.ts'
import { callsTo, pathOf, see, visit } from '#test/visit.ts'

const now = getToday('UTC')
const noon = (daysAgo: number, minute = 0) =>
  new Date(Date.parse(`${addDays(now, -daysAgo)}T12:00:00Z`) + minute * 60_000)
const siteUrl = 'https://behind.example'

/** In days: the run rate ignores this delay, so it has always called every campaign behind. */
const judgedAfter = 6

const app = await setUp(startApp({ settings: { AGENCY_TIMEZONE: 'UTC' } }))
const { make } = app
const reviewer = await make.superAdmin()
const root = await app.as(reviewer)
const category = (await make.category({ name: 'Roofing' })).id
const acme = (await make.client({ name: 'Acme' })).id
const zeta = (await make.client({ name: 'Zeta' })).id
/** In the middle of the cycle: on its last day no other number of leads is likely, and a forecast has no range. */
const due_date = Number(addDays(now, -15).slice(-2))
const of = (name: string, values: Parameters<typeof make.campaign>[0]) =>
  make.campaign({ name, categories: [category], start_date: addDays(now, -120), due_date, ...values })
const behind = await of('Behind', { trouble_state: 2, initial_target: 300, client_id: acme, manager: 'Dana' })
const steady = await of('Steady', { trouble_state: 2, initial_target: 45, client_id: zeta, manager: 'Morgan' })
const waiting = await of('Waiting', { trouble_state: 10, initial_target: 0, client_id: zeta, manager: 'Morgan' })
const site = await make.clientSite({ campaign_id: behind.id, url: siteUrl })
const leads = async (campaign_id: number, from: number, to: number, fields: object = {}) => {
  for (let day = from; day > to; day--)
    for (const minute of [0, 30]) {
      const lead = await make.lead({ campaign_id, confirmed: true, occurred_at: noon(day, minute), ...fields })
      if (!lead.confirmed) continue
      const verdict = { kind: 'lead', row_id: lead.id, action: 'changed' as const, user_id: reviewer.id }
      const at = noon(day - judgedAfter, minute)
      await app.context.db
        .insert(auditTable)
        .values({ ...verdict, at, before: { confirmed: 0 }, after: { confirmed: 1 } })
    }
}
await leads(behind.id, 120, 20, { clientsite_id: site.id, lead_s: 'Formidable', lead_type: 'Form' })
await app.context.db.insert(clientSiteLogsTable).values([{ site_id: site.id, status: 0, created_at: noon(20, -120) }])
await leads(steady.id, 120, 0)
await leads(waiting.id, 120, 4)
await leads(waiting.id, 4, 0, { confirmed: false })
const noteId = (await make.activityItem({ campaign_id: steady.id, date: addDays(now, -5), note: 'New landing page' }))
  .id

const openTable = async (query = '', options = {}) => {
  const page = await visit(app, root, `/leads/table${query}`, options)
  const list = page.getByRole('list', { name: 'Leads Table' }) // on a phone
  await page.getByRole('table', { name: 'Leads Table' }).or(list).waitFor()
  return page
}
const rowOf = (page: Page, name: string) => page.locator('[data-index]').filter({ hasText: name })
const shown = (page: Page) => page.locator('tr[data-index] th').allInnerTexts()
const chip = (page: Page, name: RegExp) =>
  page.getByRole('list', { name: 'Campaigns by health' }).getByRole('button', { name })
const openWhy = async (page: Page, campaign: string) => {
  await rowOf(page, campaign)
    .getByRole('button', { name: /^Chance of/ })
    .first()
    .click()
  await page.getByRole('button', { name: 'Why?' }).click()
  return page.getByRole('dialog', { name: `Why: ${campaign}` })
}

test('the chance stands beside the run rate, its range in a popover; a status that differs is not overwritten [PACE-03]', async () => {
  const page = await openTable()
  await see(async () => (await page.locator('thead tr').first().getByRole('button').allInnerTexts()).slice(-2)).toEqual(
    ['Run Rate', 'Chance'],
  )
  const chance = rowOf(page, 'Behind').getByRole('button', { name: /^Chance of/ })
  await see(() => chance.textContent()).toBe('under 1%')
  expect(await rowOf(page, 'Behind').getByRole('combobox').inputValue()).toBe('2')
  await rowOf(page, 'Behind').getByText('Behind differs').waitFor()
  const computed = Promise.withResolvers<void>()
  await page.route('**/campaign/*/forecast', (route) => computed.promise.then(() => route.continue()))
  await chance.click()
  const popover = page.getByRole('dialog', { name: 'Forecast of Behind' })
  await popover.getByRole('status', { name: 'Loading' }).waitFor()
  expect(await popover.getByRole('button').count(), 'none that would move away').toBe(0)
  computed.resolve()
  const why = popover.getByRole('button', { name: 'Why?' })
  await see(() => why.evaluate((one) => one === document.activeElement)).toBe(true)
  await popover.getByText('You say No issues; chance under 1%.').waitFor()
  await popover.getByText(/^On track for about \d+ \(\d+–\d+\)\. Under 1% chance to reach 300\.$/).waitFor()
  await popover.getByText(/^Based on this campaign’s last \d+ leads/).waitFor()
  await page.keyboard.press('Escape')
  await see(() => popover.count()).toBe(0)
})

test('chips and filters of health, client and manager filter the table and are in the address [PACE-03]', async () => {
  const page = await openTable()
  await chip(page, /^Behind 1/).click()
  await see(() => shown(page)).toEqual(['Behind'])
  expect(pathOf(page)).toBe('/leads/table?health=behind')
  await page.reload()
  await see(() => shown(page)).toEqual(['Behind'])
  await page.getByRole('button', { name: 'Reset' }).click()
  await see(() => shown(page)).toEqual(['Behind', 'Steady', 'Waiting'])
  await page.getByRole('button', { name: 'Manager' }).click()
  await page.getByRole('option', { name: 'Morgan' }).click()
  await see(() => shown(page)).toEqual(['Steady', 'Waiting'])
  expect(pathOf(page)).toBe('/leads/table?manager=Morgan')
  const other = await openTable('?client_id=1')
  await see(() => shown(other)).toEqual(['Behind'])
  await other.goto(`${app.url}/leads/table`)
  await chip(other, /^Status disagrees 1/).click()
  await see(async () => (await shown(other))[0]).toBe('Behind')
  expect(pathOf(other)).toBe('/leads/table?sort=health&order=asc')
})

test('the chart draws the cycle with its target and fan; another target or due day is tried without saving [PACE-04]', async () => {
  const page = await visit(app, root, `/leads/chart?campaign_id=${behind.id}`)
  const cycle = page.getByRole('region', { name: 'Cycle forecast' })
  const drawing = cycle.getByRole('img')
  await drawing.locator('text', { hasText: 'Target 300' }).waitFor()
  await see(() => drawing.locator('polygon').count()).toBe(1)
  await cycle.getByLabel('Try another target').fill('1')
  await drawing.locator('text', { hasText: 'Target 1' }).waitFor()
  await cycle.getByText('Preview only: nothing is saved.').waitFor()
  await cycle.getByLabel('Try another due day').fill('45')
  await cycle.getByText('From 1 to 31').waitFor()
  await cycle.getByLabel('Try another due day').fill(String(Number(now.slice(8))))
  await see(() => drawing.textContent()).toContain(`${now.slice(5, 7)}/${now.slice(8)}/${now.slice(0, 4)}`)
  await cycle.getByRole('button', { name: 'Back to the stored values' }).click()
  await drawing.locator('text', { hasText: 'Target 300' }).waitFor()
  expect(page.calls.filter((call) => /^(PUT|PATCH|DELETE)/.test(call))).toEqual([])
})

test('the forecast’s accuracy is a sentence with numbers; a forecast no better than the run rate is hidden and says so [PACE-05]', async () => {
  const page = await openTable()
  const { body: score } = await root.call(insightsContract.score)
  await page.getByText(score.says).waitFor()
  await page.getByRole('button', { name: 'See track record' }).click()
  await page.getByRole('dialog').getByRole('rowheader', { name: '20 to 30%' }).waitFor()
  const says = 'Forecasts have been no closer than run rate'
  const worse = await openTable('', {
    before: (other: Page) =>
      other.route('**/api/leads/forecast/score', (route) =>
        route.fulfill({ json: { ...score, cases: 9, beats_run_rate: false, says } }),
      ),
  })
  await worse.getByText(`${says}. So the chance is not shown.`).waitFor()
  expect(await worse.getByRole('button', { name: /^Chance of/ }).count()).toBe(0)
  expect(await worse.getByRole('list', { name: 'Campaigns by health' }).count()).toBe(0)
  await rowOf(worse, 'Behind').getByText('Behind target').first().waitFor()
})

test('Why? is one sentence, then causes with date, range and link [WHY-04]', async () => {
  const page = await openTable()
  const dialog = await openWhy(page, 'Behind')
  await dialog
    .getByText(
      /^\d+ leads short in 30 days \(\d+ of about \d+\)\. Most likely: Site offline: .* \(.*\), about \d+–\d+ leads\.$/,
    )
    .waitFor()
  const cause = dialog.getByRole('list', { name: 'Causes' }).getByRole('listitem')
  await cause.getByText(/Could explain \d+–\d+ leads/).waitFor()
  await cause.getByRole('button', { name: 'Check the site now' }).click()
  await see(() => callsTo(page, 'POST /api/clientsite/').length).toBe(1)
  expect(await dialog.textContent()).not.toMatch(/caused/)
  await dialog.getByLabel('Days').selectOption('Last 90 days')
  await see(() => callsTo(page, `GET /api/campaign/${behind.id}/why`).length).toBe(2)
})

test('a campaign’s page answers why it is behind [WHY-04]', async () => {
  const page = await visit(app, root, `/campaign/${behind.id}`)
  await page.getByRole('region', { name: 'Leads by week' }).getByRole('button', { name: 'Why?' }).click()
  await page.getByRole('dialog', { name: 'Why: Behind' }).getByRole('list', { name: 'Causes' }).waitFor()
  // Leads are short of what is usual, with a target or without one.
  await page.goto(`${app.url}/campaign/${waiting.id}`)
  await page.getByRole('region', { name: 'This cycle' }).getByText('To review').waitFor()
  await page.getByText(/leads? (short )?in 30 days/).waitFor()
})

test('leads that wait for a verdict are counted separately, and a link leads to them [WHY-04]', async () => {
  const page = await visit(app, root, `/leads/chart?campaign_id=${waiting.id}`)
  await page.getByRole('button', { name: 'Why?' }).click()
  const dialog = page.getByRole('dialog', { name: 'Why: Waiting' })
  await dialog.getByText(/^About \d+ are still to be reviewed/).waitFor()
  await dialog.getByRole('link', { name: 'Review them' }).click()
  await see(() => page.getByText('Total Items:').textContent()).toBe('Total Items: 8')
})

test('a note shows the leads before and after it [WHY-05]', async () => {
  const page = await visit(app, root, '/campaigns-changelog')
  await page
    .getByRole('button', { name: /^Edit: New landing page/ })
    .first()
    .focus()
  await page.keyboard.press('Enter')
  const effect = page.getByRole('region', { name: 'Leads before and after' })
  await effect.getByText(/^Too early to tell \(\d+ days\)\. .* leads\/week before\.$/).waitFor()
  await effect.getByText('14 leads/week before.').waitFor()
  expect(callsTo(page, `GET /api/campaign-changelog/${noteId}/effect`).length).toBe(1)
})

test('nothing for axe, wide and narrow', async () => {
  for (const viewport of [
    { width: 1440, height: 900 },
    { width: 390, height: 844 },
  ]) {
    const page = await openTable('', { viewport })
    const dialog = await openWhy(page, 'Behind')
    await dialog.getByRole('list', { name: 'Causes' }).waitFor()
    expect(await axeViolations(page)).toEqual([])
    const chart = await visit(app, root, `/leads/chart?campaign_id=${behind.id}`, { viewport })
    await chart.getByRole('region', { name: 'Cycle forecast' }).getByRole('img').waitFor()
    expect(await axeViolations(chart)).toEqual([])
  }
})
