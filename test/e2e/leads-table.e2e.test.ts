import { readFile } from 'node:fs/promises'
import { eq } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { addDays, getToday } from '#contract/days.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { leadsContract } from '#domains/leads/contract.ts'
import { setUp, startApp } from '#test/app.ts'
import { axeViolations } from '#test/axe.ts'
import { callsTo, errorToast, pathOf, see, visit } from '#test/visit.ts'

const now = getToday('UTC')
const noon = (day: string) => new Date(`${day}T12:00:00Z`)
/** Returns the due date of a cycle that ends in that many days, today included. */
const dueIn = (days: number) => Number(addDays(now, days).slice(8))

const app = await setUp(startApp({ settings: { AGENCY_TIMEZONE: 'UTC' } }))
const { make } = app
const root = await app.as(await make.superAdmin())
const category = (await make.category({ name: 'Roofing' })).id
const client_id = (await make.client({ name: 'Acme' })).id
const of = (name: string, values: Parameters<typeof make.campaign>[0]) =>
  make.campaign({ name, client_id, categories: [category], ...values })
const alpha = await of('Alpha', { trouble_state: 10, is_ppc: true, initial_target: 0 })
await of('Low in 22', { trouble_state: 3, initial_target: 500, due_date: dueIn(22) })
await of('Low in 23', { initial_target: 500, due_date: dueIn(23) })
const even = await of('Even', { initial_target: 1, due_date: dueIn(1), trouble_state: 4 })
await make.lead({ campaign_id: even.id, confirmed: true, occurred_at: new Date() })
for (let count = 0; count < 3; count += 1)
  await make.lead({ campaign_id: alpha.id, confirmed: true, occurred_at: new Date() })
await make.lead({ campaign_id: alpha.id, tags: ['Missed Call'], occurred_at: new Date() })
await make.lead({
  campaign_id: alpha.id,
  tags: ['Missed Call'],
  confirmed: true,
  archived: true,
  occurred_at: new Date(),
})

const open = async (path = '/leads/table?category_ids=1', who = root) => {
  const page = await visit(app, who, path)
  await page.getByRole('table', { name: 'Leads Table' }).waitFor()
  return page
}
const rowOf = (page: Page, name: string) => page.locator('tr[data-index]').filter({ hasText: name })
const heads = (page: Page) => page.locator('thead tr').first().getByRole('button').allInnerTexts()
const totals = async (page: Page) => (await page.locator('thead tr').nth(2).locator('th, td').allInnerTexts()).join('|')
const states = (page: Page) => page.getByRole('list', { name: 'Campaigns by status' }).textContent()
const monthNow = new Intl.DateTimeFormat('en-US', { month: 'short', year: 'numeric', timeZone: 'UTC' }).format(
  noon(now),
)

test('it opens from the menu with its filters, its count and its columns [LTAB-01] [LTAB-02] [LTAB-04]', async () => {
  const page = await visit(app, root, '/leads')
  await page.getByRole('link', { name: 'Leads Table' }).click()
  await page.getByRole('heading', { name: 'Leads Table' }).waitFor()
  await see(() => page.getByText('Total Campaigns:').textContent()).toBe('Total Campaigns: 4')
  await see(() => heads(page)).toEqual([
    'Campaign',
    'Client',
    'PPC',
    'Status',
    'Target',
    'Verif.',
    'Miss.',
    'Days Left',
    'Run Rate',
    'Chance',
  ])
  await see(() => page.getByLabel('Year').locator('option').allInnerTexts()).toEqual([
    'Last 12 Month',
    ...Array.from({ length: 8 }, (_, before) => String(Number(now.slice(0, 4)) - before)),
  ])
  await page.getByRole('button', { name: 'Campaign categories' }).waitFor()
})

test('months have an average, weeks, and cells of confirmed and missed leads; the totals row adds up the columns, and campaigns are counted by status [LTAB-06] [LTAB-07] [LTAB-08] [LTAB-09]', async () => {
  const page = await open()
  // The latest month is in view: three and one verified leads in four campaigns.
  await page.getByRole('columnheader', { name: `${monthNow} (1)` }).waitFor()
  expect(await page.getByRole('columnheader', { name: 'w4' }).count()).toBeGreaterThan(0)
  await see(() => rowOf(page, 'Alpha').locator('td').allInnerTexts()).toEqual(expect.arrayContaining(['Acme', '3 / 1']))
  await see(() => states(page)).toMatch(
    /Troubled 1 \(25%\)\s*Monitor 1 \(25%\)\s*No issues 1 \(25%\)\s*Pre-Launch 1 \(25%\)\s*Other 0 \(0%\)/,
  )
  await see(async () => (await totals(page)).replaceAll('\n', ' ')).toMatch(
    /^Totals\|1 client\|1 ?25%\|\|250.25\|4\|1\|\|\d/,
  )
})

test('rows are colored by the status that people set, beside the computed health; a run rate is red under 1 with 22 days left or fewer, and missing without a target [LTAB-10] [LTAB-11] [LTAB-12]', async () => {
  const page = await open()
  const colour = (name: string) =>
    rowOf(page, name)
      .locator('td')
      .first()
      .evaluate((cell) => getComputedStyle(cell).backgroundColor)
  const colours = await Promise.all(['Alpha', 'Low in 22', 'Low in 23', 'Even'].map(colour))
  expect(new Set(colours).size).toBe(4)
  const isRed = (name: string) =>
    rowOf(page, name)
      .locator('td')
      .nth(7)
      .locator('span')
      .evaluate((cell) => cell.matches('[data-low]'))
  await see(() => rowOf(page, 'Low in 22').locator('td').nth(6).textContent()).toBe('22')
  expect([await isRed('Low in 22'), await isRed('Low in 23'), await isRed('Even')]).toEqual([true, false, false])
  await see(() => rowOf(page, 'Even').locator('td').nth(7).textContent()).toBe('1.00')
  await see(async () => (await rowOf(page, 'Alpha').locator('td').allInnerTexts())[7]).toBe('')
  await rowOf(page, 'Low in 22').getByText('Behind', { exact: true }).waitFor()
  expect(await rowOf(page, 'Low in 22').getByRole('combobox').inputValue()).toBe('3')
  for (const name of ['Alpha', 'Even'])
    expect(await rowOf(page, name).getByText('Behind', { exact: true }).count()).toBe(0)
})

test('a status above the table shows only its campaigns, in the totals and the file too [LTAB-03] [LTAB-08] [LTAB-09]', async () => {
  const page = await open()
  const chip = (name: RegExp) => page.getByRole('list', { name: 'Campaigns by status' }).getByRole('button', { name })
  const names = () => page.locator('tr[data-index] th').allInnerTexts()
  await chip(/^Troubled 1/).click()
  await see(names).toEqual(['Alpha'])
  expect(pathOf(page)).toBe('/leads/table?category_ids=1&trouble_state=10')
  await chip(/^Monitor 1/).click()
  await see(names).toEqual(['Low in 22', 'Alpha'])
  await see(() => page.getByText('Total Campaigns:').textContent()).toBe('Total Campaigns: 2')
  await see(async () => (await totals(page)).replaceAll('\n', ' ')).toMatch(/^Totals\|1 client\|1 ?50%\|\|250\|3\|1\|/)
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export' }).click(),
  ])
  const lines = (await readFile(await file.path(), 'utf8')).trim().split('\r\n')
  expect(lines.slice(1).map((line) => line.split(',')[0])).toEqual(['Low in 22', 'Alpha', 'Total Campaigns: 2'])
  await chip(/^Troubled/).click()
  await chip(/^Monitor/).click()
  await see(() => pathOf(page)).toBe('/leads/table?category_ids=1')
})

test('the worst chance comes first, beside how much of the target is reached, and one click says why [DESK-07]', async () => {
  const page = await open()
  const names = () => page.locator('tr[data-index] th').allInnerTexts()
  await see(names).toEqual(['Low in 22', 'Low in 23', 'Even', 'Alpha'])
  await rowOf(page, 'Low in 22').getByRole('img', { name: '0 of 500 verified' }).waitFor()
  expect(await rowOf(page, 'Alpha').getByRole('img').count()).toBe(0) // it has no target
  expect(await rowOf(page, 'Even').getByRole('button', { name: /^Why/ }).count()).toBe(0)
  await rowOf(page, 'Low in 22').getByRole('button', { name: 'Why is Low in 22 behind?' }).click()
  await page.getByRole('dialog').getByText('Low in 22').first().waitFor()
})

test('it opens with the total of this month in sight, and a week that has not begun is empty [DESK-07]', async () => {
  const page = await open()
  const total = page.locator(`thead th[title="${monthNow}"]`)
  await see(async () => {
    const { x = 0, width = 0 } = (await total.boundingBox()) ?? {}
    return x + width
  }).toBeLessThan(1440)
  const coming = await page
    .locator('thead tr')
    .nth(1)
    .locator('th[title*="–"]')
    .evaluateAll(
      (weeks, today) =>
        weeks.flatMap((week) => {
          const { title, ariaColIndex } = week as HTMLElement // a head of the table
          const [month, day, year] = title.slice(0, 10).split('/')
          return `${year}-${month}-${day}` > today ? [ariaColIndex] : []
        }),
      now,
    )
  for (const index of coming)
    expect(
      await page.locator(`tbody td[aria-colindex="${index}"], thead td[aria-colindex="${index}"]`).allTextContents(),
    ).toEqual(Array(5).fill(''))
})

test('status and health are chosen on one line, and the track record never moves the table [DESK-07]', async () => {
  let answer = () => {}
  const held = new Promise<void>((resolve) => {
    answer = resolve
  })
  const page = await visit(app, root, '/leads/table', {
    before: (page) =>
      page.route('**/api/leads/forecast/score', async (route) => {
        await held
        await route.continue()
      }),
  })
  const table = page.getByRole('table', { name: 'Leads Table' })
  await table.waitFor()
  const chips = page.getByRole('list', { name: /^Campaigns by/ }).getByRole('button')
  const tops = await chips.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top))
  expect(tops.length).toBeGreaterThanOrEqual(10)
  expect(new Set(tops).size).toBe(1)
  const before = await table.boundingBox()
  const lowest = await chips.evaluateAll((all) => Math.max(...all.map((one) => one.getBoundingClientRect().bottom)))
  expect((before?.y ?? 0) - lowest, 'no line is kept free for it').toBeLessThan(24)
  answer()
  await page.getByText('There is no track record yet').waitFor()
  expect(await table.boundingBox()).toEqual(before)
})

test('on a narrower screen and on a phone status and health have their lines before their numbers [DESK-07]', async () => {
  let answer = () => {}
  const held = new Promise<void>((resolve) => {
    answer = resolve
  })
  const page = await visit(app, root, '/leads/table', {
    viewport: { width: 1280, height: 800 },
    before: (page) =>
      page.route('**/api/lead/table?*', async (route) => {
        await held
        await route.continue()
      }),
  })
  const chips = page.getByRole('list', { name: /^Campaigns by/ }).getByRole('button')
  const listLines = async () => [
    ...new Set(await chips.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top))),
  ]
  await page.getByRole('button', { name: 'Status disagrees …' }).waitFor()
  const before = await listLines()
  expect(before.length).toBe(2)
  await page.setViewportSize({ width: 390, height: 844 })
  const onPhone = await listLines()
  answer()
  await page.getByRole('button', { name: /^Status disagrees \d/ }).waitFor()
  expect(await listLines()).toEqual(onPhone)
  await page.setViewportSize({ width: 1280, height: 800 })
  expect(await listLines()).toEqual(before)
})

test('archived campaigns are left out by default [LTAB-01]', async () => {
  const old = await app.make.campaign({ name: 'Old', archived: true, categories: [(await app.make.category()).id] })
  await app.make.lead({ campaign_id: old.id, confirmed: true, occurred_at: new Date() })
  const page = await open('/leads/table')
  await rowOf(page, 'Alpha').waitFor()
  expect(await rowOf(page, 'Old').count()).toBe(0)
  await page.getByText('With archived').click()
  await rowOf(page, 'Old').getByText('Archived').waitFor()
  expect(pathOf(page)).toBe('/leads/table?archived=1')
  await page.reload()
  await rowOf(page, 'Old').waitFor()
})

test('a number opens exactly its leads [LTAB-06]', async () => {
  const page = await open()
  const cells = rowOf(page, 'Alpha').getByRole('link', { name: /^\d+ (confirmed|missed), Alpha, / })
  const opened: string[] = []
  for (const series of ['confirmed', 'missed']) {
    const cell = cells.and(page.getByRole('link', { name: `${series}, Alpha, ${monthNow}` }))
    opened.push(`${await cell.textContent()} ${series}`)
    await cell.click()
    await page.getByRole('heading', { name: 'Leads', exact: true }).waitFor()
    await see(() => page.getByText('Total Items:').textContent()).toBe(`Total Items: ${series === 'confirmed' ? 3 : 1}`)
    await page.goBack()
    await page.getByRole('table', { name: 'Leads Table' }).waitFor()
  }
  expect(opened).toEqual(['3 confirmed', '1 missed'])
  expect(callsTo(page, 'GET /api/leads/list/data').map((call) => /(confirmed|missed)=1/.exec(call)?.[1])).toEqual([
    'confirmed',
    'missed',
  ])
  // Going there and back sends no other requests.
  expect(callsTo(page, 'GET /api/lead/table?').every((call) => call.includes('category_ids=1&sort=chance'))).toBe(true)
})

test('a header sorts, and sort, year and categories are in the address [LTAB-01] [LTAB-05]', async () => {
  const page = await open()
  const names = () => page.locator('tr[data-index] th').allInnerTexts()
  expect((await names()).at(-1)).toBe('Alpha')
  await page.getByRole('button', { name: 'Target' }).click()
  await page.getByRole('button', { name: 'Target' }).click()
  await see(async () => (await names())[0]).toMatch(/^Low in 2/)
  expect(pathOf(page)).toBe('/leads/table?category_ids=1&sort=target&order=desc')
  await page.getByLabel('Year').selectOption(now.slice(0, 4))
  await see(() => pathOf(page)).toBe(`/leads/table?category_ids=1&sort=target&order=desc&year=${now.slice(0, 4)}`)
  await page.getByRole('button', { name: 'Reset' }).click()
  await see(() => pathOf(page)).toBe('/leads/table?sort=target&order=desc')
})

test('a status is saved, confirmed, counted at once, and can be undone [LTAB-13] [LTAB-14]', async () => {
  const page = await open()
  const select = page.getByRole('combobox', { name: 'Status of Alpha' })
  expect(await select.locator('option').allInnerTexts()).toEqual([
    'Troubled',
    'Monitor',
    'No issues',
    'Pre-Launch',
    'Other',
    'Cancelled',
  ])
  await select.selectOption('Cancelled')
  await page.getByText('State changed successfully').waitFor()
  expect(await states(page)).toMatch(/Troubled 0 \(0%\).*Cancelled 1 \(25%\)/s)
  expect(await rowOf(page, 'Alpha').getAttribute('data-state')).toBe('5')
  expect(callsTo(page, 'POST /api/campaign/')).toEqual([`POST /api/campaign/${alpha.id}/update-trouble-state`])
  await page.getByRole('button', { name: 'Undo' }).click()
  await see(() => select.inputValue()).toBe('10')
  await see(() => callsTo(page, 'POST /api/campaign/').length).toBe(2)
  expect(await states(page)).toMatch(/Troubled 1 \(25%\)/)
})

test('the PPC switch is saved, confirmed and counted at once; a refused change goes back and says why [LTAB-15]', async () => {
  const page = await open()
  const ppc = page.getByRole('switch', { name: 'PPC of Low in 22' })
  onTestFinished(
    async () =>
      void (await app.context.db
        .update(campaignsTable)
        .set({ is_ppc: false })
        .where(eq(campaignsTable.name, 'Low in 22'))),
  )
  await ppc.click()
  await page.getByText('Campaign was changed successfully').waitFor()
  expect((await totals(page)).replaceAll('\n', ' ')).toMatch(/\|2 ?50%\|/)
  await page.route('**/toggle-is-ppc', (route) => route.fulfill({ status: 404, json: { message: 'Not found' } }))
  await ppc.click()
  await see(() => errorToast(page).allInnerTexts()).toEqual(['Not found'])
  expect(await ppc.isChecked()).toBe(true)
  expect((await totals(page)).replaceAll('\n', ' ')).toMatch(/\|2 ?50%\|/)
})

test('the export saves lead_table.csv with what is shown [LTAB-03]', async () => {
  const page = await open('/leads/table?category_ids=1&sort=target')
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export' }).click(),
  ])
  expect(file.suggestedFilename()).toBe('lead_table.csv')
  const lines = (await readFile(await file.path(), 'utf8')).trim().split('\r\n')
  expect(lines.map((line) => line.split(',')[0]?.replace('\ufeff', ''))).toEqual([
    'Campaign',
    'Alpha',
    'Even',
    'Low in 22',
    'Low in 23',
    'Total Campaigns: 4',
  ])
})

test('a handler reads it without client, target and run rate, and changes nothing [LTAB-04]', async () => {
  const page = await open(
    '/leads/table',
    await app.as(await app.make.handler({ campaigns: [alpha.id], permissions: ['leadChart'] })),
  )
  await see(() => heads(page)).toEqual(['Campaign', 'PPC', 'Status', 'Verif.', 'Miss.', 'Days Left'])
  expect((await rowOf(page, 'Alpha').locator('td').allInnerTexts()).slice(0, 2)).toEqual(['Yes', 'Troubled'])
  expect(await page.getByRole('switch').count()).toBe(0)
  // They have no leads page: the numbers lead nowhere.
  expect(await rowOf(page, 'Alpha').getByRole('link', { name: 'confirmed' }).count()).toBe(0)
})

test('axe finds nothing in the wide table', async () => {
  expect(await axeViolations(await open('/leads/table'))).toEqual([])
})

test('on a phone each campaign is a card with the weeks of this month, the months before one tap away; axe finds nothing [WORK-14]', async () => {
  const page = await visit(app, root, '/leads/table?category_ids=1', { viewport: { width: 390, height: 844 } })
  const card = page.locator('li[data-index]').filter({ hasText: 'Alpha' })
  await card.waitFor()
  const months = card.locator('dl[aria-label]')
  await see(() => months.count()).toBe(1)
  await see(() => months.first().locator('div').first().textContent()).toMatch(new RegExp(`^${monthNow}\\s*3 / 1$`))
  expect(await months.first().getByText(/^w\d$/).count()).toBeGreaterThanOrEqual(4)
  expect(await page.getByRole('region', { name: 'Totals' }).textContent()).toMatch(/4 \/ 1/)
  await card.getByRole('button', { name: 'More Alpha' }).click()
  await see(() => months.count()).toBeGreaterThanOrEqual(12)
  const isWide = () =>
    page.evaluate(() =>
      [...document.querySelectorAll('main *')].some(
        (one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX === 'auto',
      ),
    )
  expect(await isWide()).toBe(false)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  expect(await axeViolations(page)).toEqual([])
  await card.getByRole('link', { name: '3 confirmed, Alpha' }).first().click()
  await page.getByRole('heading', { name: 'Leads', exact: true }).waitFor()
  await page.goBack()
  await page.getByLabel('Sort by').selectOption('Verif.')
  await see(() => page.locator('li[data-index]').last().textContent()).toContain('Alpha')
  await page.emulateMedia({ media: 'print' })
  await rowOf(page, 'Alpha').waitFor()
})

test('an empty table says so and offers to reset; one that cannot be read offers to try again', async () => {
  const none = (await app.make.category()).id
  const page = await visit(app, root, `/leads/table?category_ids=${none}`)
  await page.getByText('List is empty').waitFor()
  await page.getByRole('button', { name: 'Reset filters' }).click()
  await page.getByRole('table', { name: 'Leads Table' }).waitFor()
  let isBusy = true
  const broken = await visit(app, root, '/leads/table', {
    before: (other) =>
      other.route('**/api/lead/table*', (route) =>
        isBusy ? route.fulfill({ status: 503, json: { message: 'Busy' } }) : route.continue(),
      ),
  })
  await see(() => errorToast(broken).allInnerTexts()).toEqual([
    expect.stringContaining('This table could not be loaded: Busy'),
  ])
  isBusy = false
  await broken.getByRole('button', { name: 'Retry' }).click()
  await broken.getByRole('table', { name: 'Leads Table' }).waitFor()
})

test('of four hundred campaigns and a year of weeks, only visible cells are drawn [LTAB-06]', async () => {
  const client_id = (await app.make.client()).id
  onTestFinished(
    async () => void (await app.context.db.delete(campaignsTable).where(eq(campaignsTable.client_id, client_id))),
  )
  await app.context.db
    .insert(campaignsTable)
    .values(
      Array.from({ length: 400 }, (_, number) => ({ name: `Many ${String(number).padStart(3, '0')}`, client_id })),
    )
  const page = await open('/leads/table')
  await rowOf(page, 'Many 000').waitFor()
  expect(await page.locator('tbody td, tbody th').count()).toBeLessThan(1200)
  const scroller = page.getByRole('region', { name: 'Leads Table' })
  await scroller.evaluate((element) => element.scrollTo({ top: element.scrollHeight, left: 0 }))
  await rowOf(page, 'Many 399').waitFor()
  expect(await rowOf(page, 'Many 000').count()).toBe(0)
  const first = await page.locator('thead tr').nth(1).getByRole('columnheader').first().textContent()
  expect(first).toBe('Total')
  // Header and left part stay in place.
  const [head, name] = [
    page.getByRole('button', { name: 'Campaign', exact: true }),
    rowOf(page, 'Many 399').locator('th'),
  ]
  const [frame, at, row] = await Promise.all([scroller, head, name].map((one) => one.boundingBox()))
  expect([at!.y - frame!.y < 60, row!.x - frame!.x < 4]).toEqual([true, true])
  await scroller.evaluate((element) => element.scrollTo({ left: element.scrollWidth }))
  await see(async () => (await name.boundingBox())!.x).toBe(row!.x)
  expect((await root.call(leadsContract.list)).status).toBe(200)
})
