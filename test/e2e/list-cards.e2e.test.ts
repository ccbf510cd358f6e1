import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { setUp, startApp } from '#test/app.ts'
import { axeViolations } from '#test/axe.ts'
import { confirmDialog, pathOf, readLayoutShift, see, visit } from '#test/visit.ts'
import { makeOne } from '../../gallery/agencies.ts'

/** Lists on a phone. Those of leads are in leads-screens.e2e.test.ts. */
const app = await setUp(startApp())
await app.make.handler()
await app.make.customer()
await makeOne(app.make, app.context.db)
const { id: campaign_id } = await app.make.campaign({ name: 'Granite' })
for (const name of ['Ann', 'Bob', 'Cal']) await app.make.lead({ campaign_id, lead_name: name })
const root = await app.as(await app.make.superAdmin())

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true }
const cards = (page: Page) => page.locator('li[data-index]')
const card = (page: Page, name: string) => cards(page).filter({ hasText: name })
const titles = (page: Page) => cards(page).first().locator('dt').allTextContents()
const names = (page: Page) => cards(page).locator('[id$=name]').allTextContents()
const hasFocus = (page: Page, name: string) => card(page, name).evaluate((one) => one === document.activeElement)

const lists = [
  ['/campaigns', 'Campaigns', ['Client', 'Current Month Target']],
  ['/clients', 'Clients', ['Client Email', 'Active']],
  ['/client-sites', 'Client Sites', ['Campaign', 'Status']],
  ['/network-sites', 'Network Sites', ['Status', 'Expiration Date']],
  ['/redirect-domains', '301 Domains List', ['Redirect', 'Status']],
  ['/campaign-gmbs', 'Campaign GMBs', ['Status', 'Campaign']],
  ['/ips', 'IP Addresses', ['Network Sites', 'Client Sites']],
  ['/activity-log', 'Activity Log', ['Campaign or team', 'Note']],
  ['/campaign-categories', 'Campaign Categories', ['Campaigns']],
  ['/statements?state=&cycle_ends_from=&cycle_ends_before=', 'Statements', ['Cycle', 'Total']],
  ['/admin/pages', 'Admin Access', ['Email', 'Assigned Campaigns']],
] as const
test.each(lists)(
  'on a phone %s shows three columns as cards, the rest one tap away [WORK-14]',
  async (path, label, told) => {
    const page = await visit(app, root, path, phone)
    const list = page.getByRole('region', { name: label, exact: true })
    await list.getByRole('listitem').first().waitFor()
    expect(await list.getByRole('table').count()).toBe(0)
    expect(await titles(page)).toEqual(told)
    const links = await page.locator('dd a').evaluateAll((all) =>
      all.map((one) => ({
        height: one.getBoundingClientRect().height,
        above: one.firstElementChild
          ? one.firstElementChild.getBoundingClientRect().top - one.closest('dd')!.getBoundingClientRect().top
          : 0,
      })),
    )
    expect(Math.min(24, ...links.map(({ height }) => height)), 'each link is high enough for a finger').toBe(24)
    expect(Math.max(...links.map(({ above }) => above), 0), 'no link has an empty line above').toBeLessThan(8)
    const more = cards(page).first().getByRole('button', { name: 'More' })
    await more.click()
    await see(() => more.count()).toBe(0)
    const less = cards(page).first().getByRole('button', { name: 'Less' })
    expect(await less.getAttribute('aria-expanded')).toBe('true')
    expect(await cards(page).first().locator('dt, dt ~ * button').count()).toBeGreaterThanOrEqual(told.length)
    const isWide = () => list.evaluate((section) => section.scrollWidth > section.clientWidth)
    expect(await isWide()).toBe(false)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    expect(await axeViolations(page)).toEqual([])
  },
)

test('on a phone the cards come below their bar, which was there before them, and move nothing [WORK-14]', async () => {
  let answer = () => {}
  const held = new Promise<void>((resolve) => {
    answer = resolve
  })
  const page = await visit(app, root, '/clients', {
    ...phone,
    before: (page) =>
      page.route('**/api/client?*', async (route) => {
        await held
        await route.continue()
      }),
  })
  const list = page.getByRole('region', { name: 'Clients', exact: true })
  await list.getByRole('status', { name: 'Loading' }).waitFor()
  const readTop = async () => (await list.boundingBox())!.y
  const before = await readTop()
  answer()
  await cards(page).first().waitFor()
  expect(await readTop()).toBe(before)
  await page.getByText(/^Total Items: \d/).waitFor()
  expect(await readLayoutShift(page)).toBeLessThan(0.02)
})

test('on a phone a related lead has its number, Call and Verify, and its name opens its page [DESK-14]', async () => {
  for (const lead_name of ['Dora', 'Dora B.'])
    await app.make.lead({ campaign_id, lead_name, lead_phone: '+15125550177', phone_key: '+15125550177' })
  const page = await visit(app, root, '/leads-related', phone)
  const dora = page.locator('li[data-index]').filter({ hasText: 'Dora B.' })
  await dora.getByRole('link', { name: '+1 (512) 555-0177' }).waitFor()
  await dora.getByRole('link', { name: 'Call' }).waitFor()
  await dora.getByRole('button', { name: 'Verify' }).click()
  await dora.getByRole('button', { name: 'Verified' }).waitFor()
  expect(await axeViolations(page)).toEqual([])
  await dora.getByRole('link', { name: 'Dora B.' }).click()
  await see(() => pathOf(page)).toMatch(/^\/lead\/\d+$/)
})

test('More shows the other fields and the row’s actions [WORK-14]', async () => {
  const page = await visit(app, root, '/campaign-categories', phone)
  const edit = card(page, 'Roofing').getByRole('button', { name: 'Edit' })
  await card(page, 'Roofing').waitFor()
  expect(await edit.count()).toBe(0)
  await card(page, 'Roofing').getByRole('button', { name: 'More Roofing' }).click()
  await edit.click()
  await page.getByRole('dialog', { name: 'Edit Category' }).waitFor()
  await page.keyboard.press('Escape')
  await card(page, 'Roofing').getByRole('button', { name: 'Delete' }).click()
  await confirmDialog(page, 'Are you sure to remove this category?').getByRole('button', { name: 'Cancel' }).click()
  await card(page, 'Roofing').getByRole('button', { name: 'Less' }).click()
  await see(() => edit.count()).toBe(0)
})

test('cards are sorted like columns, and arrow keys and Enter work as in a table [WORK-14]', async () => {
  const page = await visit(app, root, '/campaigns', phone)
  await card(page, 'Granite').waitFor()
  await page.getByLabel('Sort by').selectOption('Name')
  await page.getByRole('button', { name: 'Save view' }).waitFor() // which moves what is below it
  await see(() => names(page)).toEqual(['Granite', 'Sunrise Roofing, Austin'])
  await page.getByRole('button', { name: 'Ascending' }).click()
  await see(() => names(page)).toEqual(['Sunrise Roofing, Austin', 'Granite'])
  expect(pathOf(page)).toContain('order=desc')
  await page.getByRole('region', { name: 'Campaigns', exact: true }).focus()
  await page.keyboard.press('ArrowDown')
  await see(() => hasFocus(page, 'Sunrise')).toBe(true)
  await page.keyboard.press('ArrowRight') // there are no cells
  await page.keyboard.press('ArrowDown')
  await see(() => hasFocus(page, 'Granite')).toBe(true)
  await page.keyboard.press('ArrowUp')
  await see(() => hasFocus(page, 'Sunrise')).toBe(true)
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Edit Campaign' }).waitFor()
})

test('on a phone a dialog with a list and no other field begins at its close button, also when the list is empty', async () => {
  const page = await visit(app, root, '/campaign-gmbs', phone)
  const listing = cards(page).first()
  await listing.getByRole('button', { name: /^More/ }).click()
  await listing.getByRole('button', { name: 'Logs' }).click()
  const dialog = page.getByRole('dialog', { name: /^Logs of/ })
  await dialog.getByText('List is empty').waitFor()
  await see(() => dialog.getByRole('button', { name: 'Close' }).evaluate((one) => one === document.activeElement)).toBe(
    true,
  )
})

test('leads can be selected on their cards, or the whole page at once [WORK-09, WORK-14]', async () => {
  const page = await visit(app, root, '/leads?lead_search=granite', phone)
  await page.goto(`${app.url}/leads`)
  await card(page, 'Bob').getByRole('checkbox', { name: 'Select Bob' }).check()
  await page.getByText('1 lead selected').waitFor()
  expect(await page.getByRole('complementary', { name: /^Lead / }).count()).toBe(0) // it was not opened
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  await page.getByText(`${await cards(page).count()} leads selected`).waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  expect(await axeViolations(page)).toEqual([])
})

test('on the cards of leads the keys work as in the table, as for a person who enlarges the page [WORK-14]', async () => {
  const page = await visit(app, root, '/leads', { viewport: { width: 640, height: 450 } })
  await card(page, 'Bob').focus()
  await page.keyboard.press('h')
  await page.getByRole('dialog', { name: 'History of Bob' }).waitFor()
  await page.keyboard.press('Escape')
  await see(() => hasFocus(page, 'Bob')).toBe(true)
  await page.keyboard.press('k')
  await see(() => hasFocus(page, 'Bob')).toBe(false)
  await page.keyboard.press('ArrowDown')
  await see(() => hasFocus(page, 'Bob')).toBe(true)
  await page.keyboard.press('Enter')
  await page.getByRole('complementary', { name: 'Lead Bob' }).waitFor()
})

test('a wider screen shows the table again, and so does print [WORK-14]', async () => {
  const page = await visit(app, root, '/clients', phone)
  await cards(page).first().waitFor()
  await page.setViewportSize({ width: 800, height: 844 })
  await page.locator('tr[data-index]').first().waitFor()
  expect(await cards(page).count()).toBe(0)
  await page.setViewportSize(phone.viewport)
  await cards(page).first().waitFor()
  await page.emulateMedia({ media: 'print' })
  await page.locator('tr[data-index]').first().waitFor()
})
