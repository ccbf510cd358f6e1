import type { Page } from 'playwright-core'
import { extractText, getDocumentProxy } from 'unpdf'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays, getToday } from '#contract/days.ts'
import { type App, type Caller, startApp } from '#test/app.ts'
import { see, visit } from '#test/visit.ts'

const now = getToday('UTC')
const leadCount = 60
/** Pixels of a sheet on its side, without its margins. */
const sheet = { width: 1020, height: 700 }

let app: App
let root: Caller
beforeAll(async () => {
  app = await startApp({ settings: { AGENCY_TIMEZONE: 'UTC' } })
  root = await app.as(await app.make.superAdmin())
  for (let index = 0; index < leadCount; index += 1) {
    const campaign_id = (await app.make.campaign({ name: `Campaign with a long name, city ${index}` })).id
    const occurred_at = new Date(`${now}T12:00:00Z`)
    await app.make.lead({ campaign_id, lead_name: `Person ${index}`, confirmed: true, occurred_at })
    if (index < 3) await app.make.activityItem({ campaign_id, date: addDays(now, -10 * index), note: `Note ${index}` })
  }
})
afterAll(() => app.close())

async function openOnPaper(path: string, until: (page: Page) => Promise<unknown>, colorScheme?: 'dark') {
  const page = await visit(app, root, path, { viewport: sheet, ...(colorScheme && { colorScheme }) })
  await until(page)
  await page.emulateMedia({ media: 'print' })
  await see(() => page.getByRole('navigation', { name: 'Menu' }).count()).toBe(0)
  expect(await page.getByRole('banner').isVisible()).toBe(false)
  return page
}
/** What ends past the edge of the paper. */
const cutOff = (page: Page, what: string) =>
  page.locator(what).evaluateAll(
    (all, width) =>
      all.flatMap((one) => {
        const { right, width: own } = one.getBoundingClientRect()
        return own > 0 && right > width + 1 ? [`${one.textContent} ends at ${right}`] : []
      }),
    sheet.width,
  )
const drawnRows = (page: Page) => page.locator('tr[data-index]').count()
/** What stands on each page. */
async function printPages(page: Page): Promise<string[]> {
  const file = await getDocumentProxy(new Uint8Array(await page.pdf({ preferCSSPageSize: true, format: 'A4' })))
  return (await extractText(file, { mergePages: false })).text
}

test('a list is printed with all of its rows and columns, the head on each page [RPT-04]', async () => {
  const page = await openOnPaper(`/leads?per_page=100`, (open) => open.getByText('Person 59').waitFor())
  await see(() => drawnRows(page)).toBe(leadCount)
  expect(await cutOff(page, 'thead th, tbody tr:first-child td')).toEqual([])
  const head = page.locator('thead').first()
  expect(await head.evaluate((element) => getComputedStyle(element).display)).toBe('table-header-group')
  await page.emulateMedia({ media: null })
  await see(() => drawnRows(page)).toBeLessThan(leadCount)
  // Not told that it is printed before the printer asks.
  const pages = await printPages(page)
  expect(pages.length).toBeGreaterThan(1)
  const heads = await page.locator('thead button').allInnerTexts()
  expect(heads.length).toBeGreaterThan(3)
  const withoutSpaces = (text: string) => text.replaceAll(/\s/g, '')
  for (const text of pages.filter((one) => one.includes('Person ')))
    for (const head of heads) expect(withoutSpaces(text)).toContain(withoutSpaces(head))
})

test('Leads Table is printed with every campaign and every month [RPT-04]', async () => {
  const page = await openOnPaper('/leads/table', (open) => open.locator('tr[data-index]').first().waitFor())
  await see(() => drawnRows(page)).toBe(leadCount)
  await see(() => page.locator('thead tr').first().locator('[scope=colgroup]').count()).toBeGreaterThanOrEqual(12)
  await see(() => page.locator('tr[data-index]').last().locator('td[aria-colindex], td, th').count()).toBe(
    Number(await page.locator('table').getAttribute('aria-colcount')),
  )
  expect(await cutOff(page, 'thead th, tbody tr:first-child > *')).toEqual([])
})

test('Leads Chart is printed from the first week to the last, in dark letters on white [RPT-04]', async () => {
  const drawing = (page: Page) => page.getByRole('group', { name: /, by week$/ })
  const page = await openOnPaper('/leads/chart', (open) => drawing(open).waitFor(), 'dark')
  expect(await cutOff(page, 'svg[role=group], svg[role=group] text, svg[role=group] rect')).toEqual([])
  const color = await page.getByRole('heading', { level: 1 }).evaluate((element) => getComputedStyle(element).color)
  expect(color).toBe('rgb(26, 34, 48)')
})

test('Campaigns Changelog is printed note by note [RPT-04]', async () => {
  const page = await openOnPaper('/campaigns-changelog', (open) => open.getByText('Note 0').first().waitFor())
  await see(() => page.getByRole('table').locator('tbody tr').count()).toBe(3)
  expect(await cutOff(page, 'th, td')).toEqual([])
})
