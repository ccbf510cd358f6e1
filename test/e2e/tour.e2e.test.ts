import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { setUp, startApp } from '#test/app.ts'
import { axeViolations } from '#test/axe.ts'
import { callsTo, pathOf, see, type Visit, visit } from '#test/visit.ts'

const app = await setUp(startApp())

const fresh = { saw_tour: false }
const card = (page: Page) => page.getByRole('complementary', { name: 'Tour' })
const button = (page: Page, name: string) => card(page).getByRole('button', { name })
const ended = (page: Visit) => callsTo(page, 'POST /api/user/endTour').length
const hasFocus = (page: Page) => card(page).evaluate((aside) => aside.contains(document.activeElement))
const isGone = (page: Page) => card(page).waitFor({ state: 'detached' })

test('a person who signs in for the first time is shown around, step by step, and never again', async () => {
  const user = await app.make.admin(fresh)
  const page = await visit(app, await app.as(user), '/')
  await card(page).getByText('Welcome to Leadline').waitFor()
  expect(await hasFocus(page)).toBe(false) // it takes no focus
  await see(() => page.getByRole('navigation', { name: 'Menu' }).getAttribute('data-toured')).toBe('')
  const titles = []
  for (let step = 1; step <= 6; step++) {
    await card(page).getByText(`${step} of 6`).waitFor()
    titles.push(await card(page).getByRole('heading').textContent())
    if (step < 6) await button(page, 'Next').click()
  }
  expect(titles.slice(1)).toEqual(['Leads', 'Editing in place', 'Search', 'Shortcuts', 'The guide'])
  await button(page, 'Back').click()
  await button(page, 'Next').click()
  const saved = page.waitForResponse('**/api/user/endTour')
  await button(page, 'Done').click()
  await isGone(page)
  await saved
  expect(ended(page)).toBe(1)
  expect(await page.locator('[data-toured]').count()).toBe(0)
  const again = await visit(app, await app.as(user), '/')
  await again.getByRole('heading', { name: /^Hello/ }).waitFor()
  expect(await card(again).count()).toBe(0)
})

test('the page keeps working during the tour, by mouse and by keys, and Esc ends the tour if nothing else is open', async () => {
  const page = await visit(app, await app.as(await app.make.admin(fresh)), '/user-guide')
  await page.getByRole('button', { name: 'Take the tour' }).click()
  await card(page).waitFor()
  await page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'Campaign Categories' }).click()
  await page.getByRole('button', { name: 'Create New Category' }).click()
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await see(() => card(page).count()).toBe(1)
  await button(page, 'Next').focus()
  await page.keyboard.press('Enter')
  await card(page).getByText('2 of 6').waitFor()
  await see(() => hasFocus(page)).toBe(true)
  await page.keyboard.press('Escape')
  await isGone(page)
  await see(() => page.evaluate(() => document.activeElement?.id)).toBe('content')
  await see(() => ended(page)).toBe(1)
})

test('an automatic tour stays on the first screen, where it covers no work', async () => {
  const page = await visit(app, await app.as(await app.make.admin(fresh)), '/')
  await card(page).waitFor()
  await page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'Campaign Categories' }).click()
  await page.getByRole('heading', { name: 'Campaign Categories', level: 1 }).waitFor()
  expect(await card(page).count()).toBe(0)
  await page.getByRole('link', { name: 'Home', exact: true }).first().click()
  await card(page).waitFor()
})

test('Skip ends the tour even if that cannot be saved; then it comes back another day', async () => {
  const page = await visit(app, await app.as(await app.make.admin(fresh)), '/', {
    before: (opened) => opened.route('**/api/user/endTour', (route) => route.abort()),
  })
  await button(page, 'Skip').click()
  await isGone(page)
  await see(() => ended(page)).toBe(1)
  expect(await page.getByRole('alert').count()).toBe(0)
  await page.reload()
  await card(page).waitFor()
})

test('leads handlers and customers are shown only what they may open', async () => {
  const handler = await visit(app, await app.as(await app.make.handler({ ...fresh, permissions: ['dashboard'] })), '/')
  await card(handler).getByText('1 of 2').waitFor()
  const customer = await visit(app, await app.as(await app.make.customer(fresh)), '/')
  await card(customer).getByText('1 of 4').waitFor()
  await button(customer, 'Next').click()
  await button(customer, 'Next').click()
  await card(customer).getByText('Rate each lead').waitFor()
})

test('the guide restarts the tour for users who have seen it, and saves nothing', async () => {
  const page = await visit(app, await app.as(await app.make.admin()), '/user-guide')
  await page.getByRole('heading', { name: 'User Guide', level: 1 }).waitFor()
  expect(await card(page).count()).toBe(0)
  await page.getByRole('button', { name: 'Take the tour' }).click()
  await card(page).getByText('1 of 6').waitFor()
  await page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'Clients' }).click()
  await see(() => pathOf(page)).toBe('/clients')
  await button(page, 'Skip').click()
  await isGone(page)
  expect(ended(page)).toBe(0)
})

test('the tour’s card is accessible in light and dark, and fits a phone', async () => {
  const page = await visit(app, await app.as(await app.make.customer(fresh)), '/', {
    viewport: { width: 390, height: 844 },
  })
  await card(page).waitFor()
  await see(() => page.getByRole('button', { name: 'Open menu' }).getAttribute('data-toured')).toBe('')
  expect(await axeViolations(page)).toEqual([])
  const { x, y, width, height } = (await card(page).boundingBox())!
  expect(x).toBeGreaterThanOrEqual(0)
  expect(x + width).toBeLessThanOrEqual(390)
  expect(y + height).toBeLessThanOrEqual(844)
})
