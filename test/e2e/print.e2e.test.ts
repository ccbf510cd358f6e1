import type { Page } from 'playwright-core'
import { extractText, getDocumentProxy } from 'unpdf'
import { expect, test } from 'vitest'
import { addDays, addMonths, getToday, startOfMonth } from '#contract/days.ts'
import { statementsContract, toStatementId } from '#domains/billing/statements/contract.ts'
import { campaignsContract } from '#domains/campaigns/contract.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { clientReportsContract } from '#domains/reports/client-reports/contract.ts'
import { signalsTable } from '#domains/signals/schema.ts'
import { setUp, startApp } from '#test/app.ts'
import { see, visit } from '#test/visit.ts'

const now = getToday('UTC')
const leadCount = 60
/** Pixels of a landscape sheet, without its margins. */
const sheet = { width: 1020, height: 700 }

const app = await setUp(startApp({ settings: { AGENCY_TIMEZONE: 'UTC' } }))
const root = await app.as(await app.make.superAdmin())
for (let index = 0; index < leadCount; index += 1) {
  const campaign_id = (await app.make.campaign({ name: `Campaign with a long name, city ${index}` })).id
  const occurred_at = new Date(`${now}T12:00:00Z`)
  await app.make.lead({ campaign_id, lead_name: `Person ${index}`, confirmed: true, occurred_at })
  if (index < 3) await app.make.activityItem({ campaign_id, date: addDays(now, -10 * index), note: `Note ${index}` })
}

async function openOnPaper(path: string, until: (page: Page) => Promise<unknown>, colorScheme?: 'dark') {
  const page = await visit(app, root, path, { viewport: sheet, ...(colorScheme && { colorScheme }) })
  await until(page)
  await page.emulateMedia({ media: 'print' })
  await see(() => page.getByRole('navigation', { name: 'Menu' }).count()).toBe(0)
  expect(await page.getByRole('banner').isVisible()).toBe(false)
  return page
}
/** Returns the elements that end past the edge of the paper. */
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
/** Returns the text of each page. */
async function printPages(page: Page): Promise<string[]> {
  const file = await getDocumentProxy(new Uint8Array(await page.pdf({ preferCSSPageSize: true, format: 'A4' })))
  return (await extractText(file, { mergePages: false })).text
}

test('a list is printed with all of its rows and columns, with the header on each page [RPT-04]', async () => {
  const page = await openOnPaper(`/leads?per_page=100`, (open) => open.getByText('Person 59').waitFor())
  await see(() => drawnRows(page)).toBe(leadCount)
  expect(await cutOff(page, 'thead th, tbody tr:first-child td')).toEqual([])
  const head = page.locator('thead').first()
  expect(await head.evaluate((element) => getComputedStyle(element).display)).toBe('table-header-group')
  await page.emulateMedia({ media: null })
  await see(() => drawnRows(page)).toBeLessThan(leadCount)
  // The page does not know that it is printed before printing starts.
  const pages = await printPages(page)
  expect(pages.length).toBeGreaterThan(1)
  const heads = await page.locator('thead button').allInnerTexts()
  expect(heads.length).toBeGreaterThan(3)
  const withoutSpaces = (text: string) => text.replaceAll(/\s/g, '')
  for (const text of pages.filter((one) => one.includes('Person ')))
    for (const head of heads) expect(withoutSpaces(text)).toContain(withoutSpaces(head))
})

test('on paper set filters are words, and the others and the Action column are left out [RPT-04]', async () => {
  const page = await openOnPaper('/leads?lead_search=Person&lead_type=Form&per_page=100', (open) =>
    open.getByText('Person 59').waitFor(),
  )
  const filters = page.getByRole('group', { name: 'Filters' })
  await see(() => filters.locator('svg:visible, button:not([data-on], [data-set]):visible').count()).toBe(0)
  await see(() => filters.locator('[data-on]', { hasText: 'Form' }).first().isVisible()).toBe(true)
  expect(await filters.getByText(/^Date Range: /).isVisible()).toBe(true)
  const search = filters.locator('label', { has: page.getByRole('searchbox') })
  expect(await search.evaluate((label) => getComputedStyle(label, '::before').content)).toMatch(/:"$/)
  expect(await page.getByRole('columnheader', { name: 'Action' }).count()).toBe(0)
})

test('a filter with several choices names each of them on paper [RPT-04]', async () => {
  const [first, second] = (await root.call(campaignsContract.list, { query: { per_page: 2 } })).body.data
  const page = await openOnPaper(`/disputes?campaign_ids=${first!.id},${second!.id}`, (open) =>
    open.getByText('Campaign: 2').waitFor({ state: 'attached' }),
  )
  const printed = () => page.getByText('Campaign: 2').evaluate((says) => getComputedStyle(says, '::after').content)
  // Names come after the chip.
  await see(printed).toContain(first!.name)
  await see(printed).toContain(second!.name)
})

test('a campaign’s page is printed with its chart below its figures, on the first page [RPT-04]', async () => {
  const [{ id } = { id: 0 }] = (await root.call(campaignsContract.list, { query: { per_page: 1 } })).body.data
  const page = await visit(app, root, `/campaign/${id}`)
  await page.getByRole('group', { name: /, by week$/ }).waitFor()
  const [first] = await printPages(page)
  expect(first).toContain('Leads by week')
})

test('an open dialog is printed alone, without its buttons [RPT-04]', async () => {
  const page = await visit(app, root, '/leads', { viewport: sheet })
  await page.getByRole('button', { name: 'Spammers' }).click()
  await page.getByRole('dialog', { name: 'Spammers' }).getByRole('table').waitFor()
  const pages = await printPages(page)
  expect(pages).toHaveLength(1)
  expect(pages[0]).toContain('Spammers')
  for (const absent of ['Person 59', 'Add']) expect(pages[0]).not.toContain(absent)
})

test('Leads Table is printed with every campaign and every month [RPT-04]', async () => {
  const page = await openOnPaper('/leads/table', (open) => open.locator('tr[data-index]').first().waitFor())
  await see(() => drawnRows(page)).toBe(await app.context.db.$count(campaignsTable))
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
  // A browser that prints backgrounds also draws the margins of the sheet in the page's color scheme.
  const sheets = ['html', 'body'].map((name) =>
    page.locator(name).evaluate((element) => {
      const { colorScheme, backgroundColor } = getComputedStyle(element)
      return [colorScheme, backgroundColor]
    }),
  )
  expect(await Promise.all(sheets)).toEqual(Array(2).fill(['light', 'rgba(0, 0, 0, 0)']))
})

test('a map is printed light from a dark screen [RPT-04]', async () => {
  const tiles = (page: Page) => page.locator('.leaflet-tile-pane').first()
  const page = await openOnPaper('/campaign-gmbs/map', (open) => tiles(open).waitFor({ state: 'attached' }), 'dark')
  expect(await tiles(page).evaluate((element) => getComputedStyle(element).filter)).toBe('none')
})

test('Campaigns Changelog is printed note by note [RPT-04]', async () => {
  const page = await openOnPaper('/campaigns-changelog', (open) => open.getByText('Note 0').first().waitFor())
  await see(() => page.getByRole('table').locator('tbody tr').count()).toBe(3)
  expect(await cutOff(page, 'th, td')).toEqual([])
})

test('Home is printed without its buttons [RPT-04]', async () => {
  const page = await openOnPaper('/', (open) => open.getByRole('button', { name: 'Add link' }).waitFor())
  await see(() => page.locator('main button:visible').allInnerTexts()).toEqual([])
})

test('Home is printed with all signals, not only the first ones [RPT-04]', async () => {
  await app.context.db.insert(signalsTable).values(
    Array.from({ length: 12 }, (_, index) => ({
      ...({
        kind: 'link_lost',
        detected_kind: 'link_lost',
        severity: 'note',
        title: `Backlink ${index} lost`,
      } as const),
      ...({ subject_type: 'link', subject_id: String(index), subject_label: `page-${index}.example` } as const),
      ...{ opened_at: new Date(), evidence: { says: 'The link is gone.' } },
    })),
  )
  const page = await openOnPaper('/', (open) => open.getByRole('button', { name: '12 backlinks lost' }).waitFor())
  await see(() => page.locator('a[data-row]:visible').count()).toBe(12)
})

test('Client Sites is printed without its actions, and breaks no short word [RPT-04]', async () => {
  const url = 'https://a-rather-long-name-of-a-site.in-a-long-domain.example'
  await app.make.clientSite({ url })
  const page = await openOnPaper('/client-sites', (open) => open.getByText('Domains').last().waitFor())
  await see(() => page.getByRole('columnheader', { name: 'Actions' }).count()).toBe(0)
  const lines = (name: string) =>
    page.locator('td a', { hasText: name }).evaluateAll((all) => all.map((one) => one.getClientRects().length))
  await see(() => lines('Domains')).toEqual([1])
  await see(() => lines('Links')).toEqual([1])
})

test('a long campaign name keeps its spaces on paper [RPT-04]', async () => {
  const name = 'Campaign with a long name, city 59'
  const page = await openOnPaper('/leads?per_page=100', (open) => open.getByText('Person 59').waitFor())
  await see(() => page.getByTitle(name).allInnerTexts()).toEqual([name])
})

test('a report and a statement are printed upright, without their buttons [RPT-02, ACCT-02]', async () => {
  const client = await app.make.client()
  const start_date = startOfMonth(addMonths(now, -1))
  const campaign = await app.make.campaign({ client_id: client.id, start_date, due_date: 1, service_fee: 900 })
  const { body: report } = await root.call(clientReportsContract.create, {
    params: { id: client.id },
    body: { period: 'week', from: now },
  })
  const { body: sent } = await root.call(statementsContract.send, {
    params: { id: toStatementId(campaign.id, start_date) },
    body: { mail: 0 },
  })
  // Links in a mail may have the end of a sentence behind them.
  for (const path of [`/report/${report.key}.`, `/statement/${sent.key}%3E)`]) {
    const page = await visit(app, app.guest, path)
    await page.getByRole('button', { name: 'Print' }).waitFor()
    const file = await getDocumentProxy(new Uint8Array(await page.pdf({ preferCSSPageSize: true, format: 'A4' })))
    const { width, height } = (await file.getPage(1)).getViewport({ scale: 1 })
    expect([path, width < height]).toEqual([path, true])
    expect((await extractText(file, { mergePages: true })).text).not.toContain('Print')
  }
})
