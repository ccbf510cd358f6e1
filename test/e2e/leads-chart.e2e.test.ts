import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { addMonths, getToday, startOfWeek } from '#contract/days.ts'
import { setUp, startApp } from '#test/app.ts'
import { axeViolations } from '#test/axe.ts'
import { callsTo, errorToast, pathOf, see, visit } from '#test/visit.ts'
import { formatDay } from '#ui/cells/days.ts'

const now = getToday('UTC')
const noon = (day: string) => new Date(`${day}T12:00:00Z`)

const app = await setUp(startApp({ settings: { AGENCY_TIMEZONE: 'UTC' } }))
const { make } = app
const root = await app.as(await make.superAdmin())
const category = (await make.category({ name: 'Roofing' })).id
const client_id = (await make.client({ name: 'Acme' })).id
const campaign = await make.campaign({
  name: 'Alpha',
  client_id,
  categories: [category],
  initial_target: 20,
  due_date: 1,
})
const other = await make.campaign({ name: 'Beta' })
for (const { id } of [campaign, campaign, other])
  await make.lead({ campaign_id: id, confirmed: true, occurred_at: noon(now) })
await make.lead({ campaign_id: campaign.id, tags: ['Missed Call'], occurred_at: noon(now) })
await make.lead({ campaign_id: null, confirmed: true, occurred_at: noon(now) })

const open = async (query = '', who = root) => {
  const page = await visit(app, who, `/leads/chart${query}`)
  await drawing(page).waitFor()
  return page
}
const drawing = (page: Page) => page.getByRole('group', { name: /, by (week|month)$/ })
const bars = (page: Page) => drawing(page).locator('[data-series] > rect')
const values = (page: Page) => drawing(page).locator('[data-at]')
const linkOf = (page: Page, name: RegExp) => drawing(page).getByRole('link', { name })
const total = (page: Page) => page.getByText('Total Items:').textContent()

test('it opens from the menu with its filters and both series, the last 12 months by week [LCH-01] [LCH-02] [LCH-04] [LCH-05]', async () => {
  const page = await visit(app, root, '/leads')
  await page.getByRole('link', { name: 'Leads Chart' }).click()
  await page.getByRole('heading', { name: 'Leads Chart' }).waitFor()
  await page.getByRole('group', { name: 'All campaigns, by week' }).waitFor()
  await see(() => page.getByLabel('Show by').locator('option').allInnerTexts()).toEqual(['Week', 'Month'])
  await see(() => page.getByLabel('Chart type').locator('option').allInnerTexts()).toEqual(['Bar', 'Line'])
  await page.getByText('Confirmed Leads 3').waitFor()
  await page.getByText('Missed Leads 1').waitFor()
  const first = formatDay(startOfWeek(addMonths(now, -12)))!
  await see(() => values(page).first().getAttribute('aria-label')).toMatch(
    new RegExp(`^${first} – .*: 0 Confirmed Leads$`),
  )
  await see(() => bars(page).count()).toBe(await values(page).count())
})

test('a month of which only a part is in the range says so on its links and in the table [LCH-05]', async () => {
  const page = await open('?group=month&date_from=2026-01-15&date_to=2026-02-28')
  await see(() => values(page).first().getAttribute('aria-label')).toBe(
    'Jan 2026, only a part of it: 0 Confirmed Leads',
  )
  expect(await values(page).last().getAttribute('aria-label')).toBe('Feb 2026: 0 Missed Leads')
  await page.getByRole('switch', { name: 'Show values' }).click()
  const months = page.getByRole('table', { name: 'Values' }).locator('th[scope=row]')
  await see(() => months.allInnerTexts()).toEqual(['Jan 2026, only a part of it', 'Feb 2026'])
})

test('the last week has a label, and none is past the edge [LCH-05]', async () => {
  const page = await open()
  const last = formatDay(startOfWeek(now))!.replace(/, \d+$/, '')
  const labels = drawing(page).locator('text:visible')
  await see(async () => (await labels.last().textContent()) ?? '').toContain(last)
  const edge = (await drawing(page).boundingBox())!
  const label = (await labels.last().boundingBox())!
  expect(label.x + label.width).toBeLessThanOrEqual(edge.x + edge.width)
})

test('there is no summary for all campaigns [LCH-06]', async () => {
  const page = await open()
  expect(await page.getByRole('region', { name: 'This cycle' }).count()).toBe(0)
})

test('the range is a preset, or any days [LCH-03]', async () => {
  const page = await open()
  await page.getByRole('button', { name: 'Date Range: Last 12 months' }).click()
  const panel = page.getByRole('dialog', { name: 'Date Range' })
  await panel.getByRole('button', { name: 'Last 12 months' }).waitFor()
  const year = Number(now.slice(0, 4))
  await see(() => panel.locator('li').allInnerTexts()).toEqual([
    'Last 12 months',
    ...Array.from({ length: 8 }, (_, before) => String(year - before)),
  ])
  await panel.getByRole('button', { name: String(year - 1) }).click()
  await see(() => pathOf(page)).toBe(`/leads/chart?date_from=${year - 1}-01-01&date_to=${year - 1}-12-31`)
  await page.getByText('Confirmed Leads 0').first().waitFor()
  await page.getByRole('button', { name: `Date Range: ${year - 1}` }).click()
  await panel.getByLabel('From', { exact: true }).fill('03/02/2026')
  await panel.getByLabel('To', { exact: true }).fill('03/08/2026')
  await panel.getByRole('button', { name: 'Apply' }).click()
  await page.getByRole('button', { name: 'Date Range: 03/02/2026 – 03/08/2026' }).waitFor()
  await see(() => values(page).count()).toBe(2)
})

test('while another range is read, no number stands at a week that is not its own [LCH-03]', async () => {
  const page = await open()
  const held: (() => Promise<void>)[] = []
  await page.route('**/api/lead/chart/total*', (route) => void held.push(() => route.continue()))
  await page.getByLabel('Show by').selectOption('Month')
  await page.getByRole('status', { name: 'Loading' }).waitFor()
  expect(await values(page).count()).toBe(0)
  await see(() => held.length).toBe(1)
  await held[0]!()
  await page.getByRole('group', { name: 'All campaigns, by month' }).waitFor()
  await page.getByText('Confirmed Leads 3').waitFor()
})

test('a campaign is picked above the chart, and summarized with its switch [LCH-01] [LCH-06]', async () => {
  const page = await open()
  await page.getByRole('button', { name: 'All campaigns' }).click()
  await page.getByRole('option', { name: 'Alpha' }).click()
  await page.getByRole('group', { name: 'Alpha, by week' }).waitFor()
  expect(pathOf(page)).toBe(`/leads/chart?campaign_id=${campaign.id}`)
  const standing = page.getByRole('region', { name: 'This cycle' })
  await see(() => standing.locator('th').allInnerTexts()).toEqual([
    'Client',
    'PPC',
    'Target',
    'Verified',
    'Missed',
    'Days Left',
    'Run Rate',
  ])
  const cells = await standing.locator('td').allInnerTexts()
  expect([cells[0], cells[2], cells[3], cells[4]]).toEqual(['Acme', '20', '2', '1'])
  const ppc = standing.getByRole('switch', { name: 'PPC of Alpha' })
  await ppc.click()
  await page.getByText('Campaign was changed successfully').waitFor()
  await see(() => ppc.isChecked()).toBe(true)
  expect(callsTo(page, 'POST /api/campaign/')).toEqual([`POST /api/campaign/${campaign.id}/toggle-is-ppc`])
})

test('a click on a value opens exactly its leads, of all campaigns, one, or a category [LCH-04]', async () => {
  for (const [query, confirmed] of [
    ['', 3],
    [`?campaign_id=${campaign.id}&type=line`, 2],
    [`?category_ids=${category}&group=month`, 2],
  ] as const) {
    const page = await open(query)
    await linkOf(page, new RegExp(`: ${confirmed} Confirmed Leads$`)).click()
    await page.getByRole('heading', { name: 'Leads', exact: true }).waitFor()
    await see(() => total(page)).toBe(`Total Items: ${confirmed}`)
    await page.goBack()
    await linkOf(page, /: 1 Missed Leads$/).click()
    await see(() => total(page)).toBe('Total Items: 1')
    // The list shows its filter, which can be removed.
    await page.getByText('Missed leads', { exact: true }).click()
    await see(() => total(page)).not.toBe('Total Items: 1')
  }
})

test('by keyboard: one stop for all values, arrows between them, Enter opens; a tip says both numbers [LCH-04]', async () => {
  const page = await open()
  await see(() => drawing(page).locator('[tabindex="0"]').count()).toBe(1)
  await values(page).last().waitFor()
  await drawing(page).locator('[tabindex="0"]').focus()
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
  await see(() => focused()).toMatch(/: 3 Confirmed Leads$/)
  await page.getByText('Missed Leads 1').nth(1).waitFor()
  await page.keyboard.press('ArrowLeft')
  await see(focused).toMatch(/: 0 Confirmed Leads$/)
  await page.keyboard.press('End')
  await page.keyboard.press('ArrowDown')
  await see(focused).toMatch(/: 1 Missed Leads$/)
  await page.keyboard.press('Enter')
  await see(() => total(page)).toBe('Total Items: 1')
})

test('lines are drawn like bars, and the values are shown in a table on request [LCH-02] [LCH-04]', async () => {
  const page = await open('?group=month')
  await page.getByLabel('Chart type').selectOption('Line')
  await see(() => drawing(page).locator('polyline').count()).toBe(2)
  expect(pathOf(page)).toBe('/leads/chart?group=month&type=line')
  await page.getByRole('switch', { name: 'Show values' }).click()
  const table = page.getByRole('table', { name: 'Values' })
  await see(() => table.locator('th[scope=col]').allInnerTexts()).toEqual(['Month', 'Confirmed Leads', 'Missed Leads'])
  await see(() => table.locator('tbody tr').count()).toBe(13)
  await table.getByRole('link', { name: /^3 Confirmed Leads/ }).click()
  await see(() => total(page)).toBe('Total Items: 3')
})

test('the export saves lead_chart.csv with what is shown [LCH-10]', async () => {
  const page = await open(`?campaign_id=${campaign.id}&group=month`)
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export' }).click(),
  ])
  expect(file.suggestedFilename()).toBe('lead_chart.csv')
  const lines = (await readFile(await file.path(), 'utf8')).trim().split('\r\n')
  expect([lines[0], lines.length, lines.at(-1)]).toEqual([
    'Month of,Confirmed Leads,Missed Leads',
    14,
    `${now.slice(0, 7)}-01,2,1`,
  ])
})

test('a handler sees neither client nor target, and numbers that lead nowhere without the leads page [LCH-06]', async () => {
  const handler = await app.make.handler({ campaigns: [campaign.id], permissions: ['leadChart'] })
  const page = await open(`?campaign_id=${campaign.id}`, await app.as(handler))
  const standing = page.getByRole('region', { name: 'This cycle' })
  await see(() => standing.locator('th').allInnerTexts()).toEqual(['PPC', 'Verified', 'Missed', 'Days Left'])
  expect(await page.getByRole('switch', { name: /PPC/ }).count()).toBe(0)
  expect(await drawing(page).getByRole('link').count()).toBe(0)
  await see(() => values(page).last().getAttribute('aria-label')).toMatch(/: 1 Missed Leads$/)
})

test('a chart that cannot be read says why and offers to try again', async () => {
  const page = await visit(app, root, '/leads/chart', {
    before: (other) =>
      other.route('**/api/lead/chart/total*', (route) => route.fulfill({ status: 503, json: { message: 'Busy' } }), {
        times: 1,
      }),
  })
  await see(() => errorToast(page).allInnerTexts()).toEqual([expect.stringContaining('could not be loaded: Busy')])
  await page.getByRole('button', { name: 'Retry' }).click()
  await drawing(page).waitFor()
})

test('nothing for axe, wide and narrow', async () => {
  for (const viewport of [
    { width: 1440, height: 900 },
    { width: 390, height: 844 },
  ]) {
    const page = await visit(app, root, `/leads/chart?campaign_id=${campaign.id}`, { viewport })
    const cycle = page.getByRole('region', { name: 'This cycle' })
    await see(() => cycle.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
    await page.getByRole('switch', { name: 'Show values' }).click()
    await page.getByRole('table', { name: 'Values' }).waitFor()
    expect(await axeViolations(page)).toEqual([])
  }
})

test('on a phone the whole year fits the width, and so do more years by week', async () => {
  const page = await visit(app, root, '/leads/chart', { viewport: { width: 390, height: 844 } })
  await see(() =>
    drawing(page).evaluate((svg) => svg.parentElement!.scrollWidth - svg.parentElement!.clientWidth),
  ).toBe(0)
  for (const query of ['', `?date_from=${addMonths(now, -36)}`]) {
    await page.goto(`${app.url}/leads/chart${query}`)
    const [frame, first, last] = await Promise.all(
      [drawing(page), values(page).first(), values(page).last()].map((one) => one.boundingBox()),
    )
    expect(frame!.width).toBeLessThan(390)
    expect(first!.x).toBeGreaterThan(frame!.x)
    expect(last!.x + last!.width).toBeLessThanOrEqual(frame!.x + frame!.width)
  }
})
