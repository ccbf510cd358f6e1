import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { setUp, startApp } from '#test/app.ts'
import { axeViolations } from '#test/axe.ts'
import { pathOf, see, visit } from '#test/visit.ts'

const app = await setUp(startApp())
const root = await app.as(await app.make.superAdmin())

const list = (page: Page) => page.getByRole('navigation', { name: 'Pages of the guide' })
const titles = async (page: Page) => (await list(page).getByRole('link').allTextContents()).toSorted()
const field = (page: Page) => page.getByRole('textbox', { name: 'Search the guide' })
const shown = (page: Page) => page.getByRole('article').getByRole('heading', { level: 2 })
const picture = (page: Page) => page.getByRole('article').getByRole('img')
const isDrawn = (page: Page) =>
  picture(page).evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0)

test('the guide is searched by all words at once, by keyboard, and its address keeps the search', async () => {
  const page = await visit(app, root, '/user-guide')
  await field(page).fill('polygon zip')
  await list(page).getByRole('status').getByText('1 page').waitFor()
  await see(() => pathOf(page)).toBe('/user-guide?q=polygon+zip')
  expect(await shown(page).textContent()).toBe('Service area')
  expect((await page.getByRole('article').locator('mark').allTextContents()).map((text) => text.toLowerCase())).toEqual(
    expect.arrayContaining(['polygon', 'zip']),
  )
  await page.keyboard.press('Enter')
  await see(() => pathOf(page)).toBe('/user-guide?q=polygon+zip&page=campaign-area')

  const colleague = await visit(app, root, pathOf(page))
  await shown(colleague).getByText('Service area').waitFor()
  expect(await field(colleague).inputValue()).toBe('polygon zip')

  await field(page).fill('polygon of another kind')
  await page.getByText('No page has all of these words').waitFor()
  await page.getByRole('button', { name: 'Clear the search' }).first().click()
  await see(() => field(page).inputValue()).toBe('')
  expect(await field(page).evaluate((input) => input === document.activeElement)).toBe(true)
  await page.keyboard.type('blacklist')
  await list(page).locator('mark').first().waitFor()
  await page.keyboard.press('Escape')
  await see(async () => (await titles(page)).length).toBeGreaterThan(25)
  // The list is reached by Tab, and followed by Enter.
  await field(page).focus()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await see(() => pathOf(page)).toBe('/user-guide?page=getting-around')
  expect(await list(page).locator('[aria-current=page]').textContent()).toBe('Finding your way')
})

test('each person has the pages of their own screens, written for their role', async () => {
  const firstThings = ['Finding your way', 'Home', 'Lists and keys', 'Profile and password']
  const customer = await visit(app, await app.as(await app.make.customer()), '/user-guide?page=leads')
  await shown(customer).waitFor()
  await see(() => titles(customer)).toEqual(
    [
      ...firstThings.filter((title) => title !== 'Home'),
      ...['Leads', 'Leads Archive', 'Client ratings', 'Campaign page', 'Reviewing leads'],
    ].toSorted(),
  )
  await customer.getByText('Every call and every form that came in for you').waitFor()
  expect(await customer.getByRole('article').textContent()).not.toMatch(/Is Hidden|blacklist/i)

  const handler = await app.as(await app.make.handler({ permissions: ['leadChart'] }))
  const narrow = await visit(app, handler, '/user-guide?page=leads')
  await narrow.getByText('Your guide has no such page.').waitFor()
  await see(() => titles(narrow)).toEqual(
    ['API & Webhooks', ...firstThings, 'Leads Chart', 'Leads Table', 'Campaign page'].toSorted(),
  )
  await narrow.getByRole('button', { name: 'To the first page' }).click()
  await shown(narrow).getByText('Home').waitFor()
  await list(narrow).getByRole('link', { name: 'Leads Table' }).click()
  await shown(narrow).getByText('Leads Table').waitFor()
  expect(await narrow.getByRole('article').textContent()).not.toContain('Target and run rate')
})

test('a page shows its screen in the colors of the app, which may not be the system’s, and leads there', async () => {
  const page = await visit(app, root, '/user-guide?page=clients', { colorScheme: 'dark', alone: true })
  await see(() => isDrawn(page)).toBe(true)
  await see(() => picture(page).getAttribute('src')).toMatch(/clients-dark-\d+x\d+/)
  expect(Number(await picture(page).getAttribute('width'))).toBeGreaterThan(500)
  await page.getByRole('button', { name: 'Colors follow the system' }).click()
  await see(() => picture(page).getAttribute('src')).toMatch(/clients-light-/)
  await see(() => isDrawn(page)).toBe(true)
  await page.getByRole('link', { name: 'Open this screen' }).click()
  await page.getByRole('heading', { name: 'Clients', level: 1 }).waitFor()
})

test('the guide is accessible in light and dark, and fits a phone', async () => {
  const page = await visit(app, root, '/user-guide?page=leads&q=lead')
  await see(() => isDrawn(page)).toBe(true)
  expect(await axeViolations(page)).toEqual([])
  await page.setViewportSize({ width: 390, height: 844 })
  const overflow = () => page.locator('main').evaluate((main) => main.scrollWidth - main.clientWidth)
  await see(overflow).toBe(0)
  expect(await list(page).isVisible()).toBe(false)
  const opener = page.getByRole('button', { name: 'Leads', exact: true })
  await opener.click()
  await see(() => opener.getAttribute('aria-expanded')).toBe('true')
  await list(page)
    .getByRole('link', { name: /^Leads Archive/ })
    .click()
  await shown(page).getByText('Leads Archive').waitFor()
  expect(await list(page).isVisible()).toBe(false)
  expect(await overflow()).toBe(0)
  expect(await axeViolations(page)).toEqual([])
})

test('the question mark of a screen opens its page in a new tab; until then nothing of the guide is fetched', async () => {
  const fetched: string[] = []
  const before = (page: Page) => page.on('request', (request) => fetched.push(request.url()))
  const page = await visit(app, root, '/campaign-categories', { before })
  const link = page.getByRole('link', { name: 'Guide to this screen' })
  await link.hover()
  expect(fetched.filter((url) => /UserGuide|\.webp/.test(url))).toEqual([])
  const opening = page.context().waitForEvent('page')
  await link.click()
  const opened = await opening
  await shown(opened).getByText('Campaign Categories').waitFor()
  expect(pathOf(opened)).toBe('/user-guide?page=campaign-categories')
  await opened.close()
})
