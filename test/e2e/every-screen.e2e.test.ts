import type { Page, Request } from 'playwright-core'
import { expect, test } from 'vitest'
import { menuGroups } from '#app/ui/menu.ts'
import { setUp, startApp } from '#test/app.ts'
import { confirmDialog, see, visit } from '#test/visit.ts'
import { makeOne } from '../../gallery/agencies.ts'

const app = await setUp(startApp())
await app.make.handler()
await app.make.customer()
await makeOne(app.make, app.context.db)
const root = await app.as(await app.make.superAdmin())

// ——— the keyboard ———

const parts = menuGroups.map(({ title, entries }) => [title || 'Home', entries.map(({ path }) => path)] as const)
test.each(parts)(
  'under %s the Tab key shows where it is and on what, and every dialog gives the focus back',
  async (_, paths) => {
    const page = await visit(app, root, '/cpanel')
    for (const path of paths) {
      await page.locator('main h1').evaluate((title) => title.setAttribute('data-of', 'the screen before'))
      await page.getByRole('navigation', { name: 'Menu' }).locator(`a[href="${path}"]`).click()
      await page.locator('main h1:not([data-of])').waitFor()
      await see(() => page.locator('main [aria-busy=true]').count(), path).toBe(0)
      await page.locator('main').focus()
      for (let stop = 0; stop < 12; stop += 1) {
        await page.keyboard.press('Tab')
        const { name, isShown, isOver } = await focused(page)
        if (isOver) break
        expect(name, `${path}, stop ${stop} has a name`).not.toBe('')
        expect(isShown, `${path}, where ${name} is`).toBe(true)
      }
      for (const name of await openers(page)) await opensAndCloses(page, name, path)
    }
  },
)

/** The buttons that open a dialog on these screens, without writing anything. */
const opens = /^(Add|Create|Edit|New|Manage|Select Table|Blacklist|Spammers|Teams|History|Working Hours|Delete)/

async function openers(page: Page): Promise<string[]> {
  const names = await page
    .locator('main header button, main tbody tr:first-child button')
    .evaluateAll((all) =>
      all.filter((one) => one.checkVisibility()).map((one) => one.ariaLabel ?? one.textContent.trim()),
    )
  return [...new Set(names)].filter((name) => opens.test(name))
}

async function opensAndCloses(page: Page, name: string, path: string) {
  const button = page.locator('main').getByRole('button', { name, exact: true }).first()
  const dialog = page.getByRole('dialog')
  await button.press('Enter')
  await dialog.first().waitFor()
  await see(() => page.evaluate(() => Boolean(document.activeElement?.closest('[role=dialog]'))), name).toBe(true)
  await page.keyboard.press('Escape')
  await see(() => dialog.count(), `${path}, ${name} closes`).toBe(0)
  await see(() => button.evaluate((one) => one === document.activeElement), `${path}, back at ${name}`).toBe(true)
}

/** Returns the name of the focused element, and whether it, or the control around it, has a focus ring. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const one = document.activeElement as HTMLElement // the Tab key was pressed, so something has the focus
    const isOver = one === document.body // after the last stop comes the browser's own window
    if (isOver) return { name: '', isShown: false, isOver }
    const cells = one.matches('tr') ? [...one.children] : []
    const around = [one, one.parentElement!, one.parentElement!.parentElement!, one.nextElementSibling ?? one]
    const labels = 'labels' in one ? [...(one as HTMLInputElement).labels!] : []
    return {
      name: (one.ariaLabel ?? [one, ...labels].map(({ textContent }) => textContent).join('')).trim(),
      isShown:
        around.some((at) => getComputedStyle(at).outlineStyle !== 'none') ||
        cells.some((cell) => getComputedStyle(cell).boxShadow !== 'none') ||
        one.closest('svg') !== null, // a chart shows its value in a tooltip
      isOver,
    }
  })

test('the Tab key leaves an open list of choices for the control next to its chip', async () => {
  const page = await visit(app, root, '/leads')
  await page.getByRole('button', { name: 'Category' }).press('Enter')
  await page.getByRole('combobox', { name: 'Find in Category' }).press('Tab')
  await see(() => page.getByRole('combobox', { name: 'Find in Category' }).count()).toBe(0)
  expect((await focused(page)).name).toBe('Campaigns')
  await page.keyboard.press('Enter')
  await page.getByRole('combobox', { name: 'Find in Campaigns' }).press('Shift+Tab')
  expect((await focused(page)).name).toBe('Category')
})

test('Escape leaves an open list of choices for its chip', async () => {
  const page = await visit(app, root, '/leads')
  await page.getByRole('button', { name: 'Category' }).press('Enter')
  await page.getByRole('combobox', { name: 'Find in Category' }).press('Escape')
  await see(() => page.getByRole('combobox', { name: 'Find in Category' }).count()).toBe(0)
  await see(async () => (await focused(page)).name).toBe('Category') // a moment after the list is gone
})

// ——— a slow network, and none ———

test('nothing jumps when the rows of a long list arrive', async () => {
  for (let count = 0; count < 40; count += 1) await app.make.client()
  let come = () => {}
  const held = new Promise<void>((resolve) => {
    come = resolve
  })
  const page = await visit(app, root, '/clients', {
    before: (page) =>
      page.route('**/api/client?*', async (route) => {
        await held
        await route.continue()
      }),
  })
  await see(() => page.locator('tbody tr[aria-hidden]').count()).toBeGreaterThan(0)
  const places = () =>
    Promise.all(['main footer', 'thead', 'main header'].map((part) => page.locator(part).first().boundingBox()))
  const before = await places()
  come()
  await see(() => page.locator('tr[data-index]').count()).toBeGreaterThan(0)
  expect(await places()).toEqual(before)
})

test('the rest of the app is not loaded ahead for a person who saves data', async () => {
  const requested: string[] = []
  // Each browser that test/visit.ts shares has Data Saver on.
  const page = await visit(app, root, '/campaign-categories', {
    before: (page) => {
      page.on('request', (request) => requested.push(new URL(request.url()).pathname))
      return page.clock.install()
    },
  })
  await page.locator('tr[data-index]').first().waitFor()
  await page.clock.runFor(20_000)
  await page.evaluate(() => fetch('/readyz'))
  await see(() => requested).toContain('/readyz')
  expect(requested).not.toContain('/assets/parts.json')
})

test('what is typed while the network is gone for a moment stays and can be saved, also soon after the page was opened [DESK-11]', async () => {
  const coming = new Set<Request>()
  const page = await visit(app, root, '/campaign-categories', {
    alone: true,
    before: (page) => {
      page.on('request', (request) => request.url().includes('/assets/') && coming.add(request))
      page.on('requestfinished', (request) => coming.delete(request))
    },
  })
  await page.getByRole('button', { name: 'Create New Category' }).click()
  const name = page.getByRole('dialog').getByLabel('Name', { exact: true })
  await name.fill('Kept')
  await see(() => coming.size).toBe(0)
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Save' }).click()
  await page
    .getByRole('alert')
    .filter({ hasText: /^The server could not be reached/ })
    .waitFor()
  await page.context().setOffline(false)
  await see(() => page.getByText('No network').count()).toBe(0)
  expect(await name.inputValue()).toBe('Kept')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Campaign Category was created successfully', { exact: true }).waitFor()
})

test('a part of the page that could not be loaded without a network does not end the page', async () => {
  const page = await visit(app, root, '/clients', { alone: true })
  await page.getByRole('switch').first().waitFor()
  await page.evaluate(() => sessionStorage.setItem('leadline.reloaded', String(Date.now()))) // it is not loaded again
  await page.context().setOffline(true)
  await page.getByRole('switch').first().click({ force: true })
  await page.getByText('No network').waitFor()
  await page.context().setOffline(false)
  await see(() => page.getByText('No network').count()).toBe(0)
  await page.getByRole('link', { name: 'Campaign Categories' }).first().click()
  await page.getByRole('heading', { name: 'Campaign Categories' }).waitFor()
})

test('without a network a bar says so, lists say as of when they are, and failed requests are repeated when it is back [DESK-11]', async () => {
  const page = await visit(app, root, '/campaign-categories', { alone: true, before: (page) => page.clock.install() })
  await page.locator('tr[data-index]').first().waitFor()
  const parts = (await (await fetch(`${app.url}/assets/parts.json`)).json()) as string[] // written by vite.config.ts
  const last = page.waitForResponse(`${app.url}/${parts.at(-1)}`)
  await page.clock.runFor(10_000) // the rest of the app comes once the first screen is settled
  await last
  await page.waitForLoadState('networkidle')
  await page.context().setOffline(true)
  await page.getByRole('status').filter({ hasText: 'No network since' }).waitFor()
  await page.getByText(/^Total Items: \d+ as of \d+:\d\d$/).waitFor()

  await page.getByRole('button', { name: 'Create New Category' }).click()
  await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Kept')
  await page.getByRole('button', { name: 'Save' }).click()
  await page
    .getByRole('alert')
    .filter({ hasText: /^The server could not be reached/ })
    .waitFor()
  await see(() => page.getByLabel('Name', { exact: true }).inputValue()).toBe('Kept')
  await page.keyboard.press('Escape')
  await confirmDialog(page, 'Are you sure to close this dialog?').getByRole('button', { name: 'Close' }).click()

  await page.getByRole('link', { name: 'Clients', exact: true }).click()
  await page.getByText('This list could not be loaded: The server could not be reached').waitFor()
  await page.context().setOffline(false)
  await page.getByRole('cell', { name: 'Sunrise Roofing' }).first().waitFor()
  expect(await page.getByText('No network').count()).toBe(0)
})
