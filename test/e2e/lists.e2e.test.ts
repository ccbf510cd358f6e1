import type { Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import { campaignCategoriesContract } from '#domains/campaigns/categories/contract.ts'
import { campaignCategoriesTable } from '#domains/campaigns/categories/schema.ts'
import { setUp, startApp } from '#test/app.ts'
import {
  callsTo,
  confirmDialog,
  endSessionsAt,
  errorToast,
  pathOf,
  see,
  typeAtOnce,
  type Visit,
  visit,
} from '#test/visit.ts'

/** Behavior of every list and dialog, tested on a few screens. */
const app = await setUp(startApp({ settings: { AGENCY_TIMEZONE: 'UTC' } }))
const keeper = await app.as(await app.make.superAdmin())
const campaign_id = (await app.make.campaign({ name: 'Acme roofs' })).id
for (let number = 0; number < 51; number++)
  await app.make.lead({ campaign_id, occurred_at: new Date(Date.now() - number * 60_000), client_value: 1234.5 })
await app.make.lead({ campaign_id, lead_name: 'Zelda Fitz' })
beforeEach(() => app.context.db.delete(campaignCategoriesTable)) // those that other tests have made

const categories = () => visit(app, keeper, '/campaign-categories')
const leads = (query = '') => visit(app, keeper, `/leads${query}`)
const rowsOf = (page: Page) => page.locator('tr[data-index]')
const headOf = (page: Page, name: string) => page.getByRole('columnheader', { name, exact: true })
/** Returns the queries that the page sent to the list of leads. */
const askedOf = (page: Visit) =>
  callsTo(page, 'GET /api/leads/list/data').map((call) => new URLSearchParams(call.split('?')[1]))

async function openNewCategory(page: Page, name: string) {
  await page.getByRole('button', { name: 'Create New Category' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create New Category' })
  await dialog.getByLabel('Name', { exact: true }).fill(name)
  return dialog
}

// ——— opening ———

test('a screen that is opened again has its rows when it is first drawn, and asks for them once', async () => {
  const page = await leads()
  await rowsOf(page).first().waitFor()
  await page.addInitScript(() => {
    const watch = new MutationObserver(() => {
      if (document.querySelector('tbody tr[aria-hidden] span')) Object.assign(window, { hadSkeleton: true })
    })
    watch.observe(document, { childList: true, subtree: true })
  })
  const answered = page.waitForResponse('**/api/leads/list/data?*').then((response) => response.finished())
  await page.route('**/assets/leads-*.js', async (route) => {
    await answered
    await route.continue()
  })
  page.calls.length = 0
  await page.reload()
  await rowsOf(page).first().waitFor()
  expect(await page.evaluate(() => 'hadSkeleton' in window)).toBe(false)
  for (const path of ['user/me', 'leads/list/data', 'leads/list/statistic'])
    expect(callsTo(page, `GET /api/${path}`)).toHaveLength(1)
})

// ——— when a call fails ———

test('a call that fails without a response, or without a message, shows a red toast [SHELL-26] [SHELL-28]', async () => {
  const page = await categories()
  const dialog = await openNewCategory(page, 'Roofing')
  await page.route('**/api/campaigncategory', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.fallback(),
  )
  await dialog.getByRole('button', { name: 'Save' }).click()
  await errorToast(page).filter({ hasText: 'The server could not be reached' }).waitFor()
  await page.unroute('**/api/campaigncategory')
  await page.route('**/api/campaigncategory', (route) =>
    route.request().method() === 'POST' ? route.fulfill({ status: 502, body: '' }) : route.fallback(),
  )
  await dialog.getByRole('button', { name: 'Save' }).click()
  await errorToast(page).filter({ hasText: 'The server answered with error 502' }).waitFor()
  expect(await page.getByText('created successfully').count()).toBe(0)
  await see(() => dialog.getByLabel('Name', { exact: true }).inputValue()).toBe('Roofing')
})

test('a new row whose answer was lost is in the list, and its form says that it may have been saved [SHELL-28]', async () => {
  const page = await categories()
  const dialog = await openNewCategory(page, 'Once only')
  await page.route('**/api/campaigncategory', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback()
    await route.fetch()
    await route.abort('connectionreset')
  })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('The server’s answer did not arrive, so this may have been saved.').waitFor()
  await rowsOf(page).filter({ hasText: 'Once only' }).waitFor()
  await see(() => dialog.getByLabel('Name', { exact: true }).inputValue()).toBe('Once only')
})

test('the toast holds the server’s message and a line for each of its errors [SHELL-24] [SHELL-25]', async () => {
  const page = await categories()
  const dialog = await openNewCategory(page, 'Roofing')
  const answer = { message: 'This will not do', errors: { name: ['Too short', 'Too plain'], color: ['Too white'] } }
  await page.route('**/api/campaigncategory', (route) => route.fulfill({ status: 422, json: answer }))
  await dialog.getByRole('button', { name: 'Save' }).click()
  const toast = errorToast(page).filter({ hasText: 'This will not do' })
  await toast.waitFor()
  await see(() => toast.getByRole('listitem').allTextContents()).toEqual(['Too short', 'Too plain', 'Too white'])
  const bar = await toast.evaluate((element) => getComputedStyle(element, '::before').backgroundColor)
  const [red = 0, green = 0, blue = 0] = bar.match(/\d+/g)?.map(Number) ?? []
  expect(red).toBeGreaterThan(2 * Math.max(green, blue))
  await dialog.getByText('Too white').waitFor()
})

test('a call that gets 401 sends the browser to /login [SHELL-27]', async () => {
  const user = await app.make.superAdmin()
  const page = await visit(app, await app.as(user), '/leads')
  await rowsOf(page).first().waitFor()
  await endSessionsAt(page, app, user, /list\/data.*sort=lead_name/)
  await headOf(page, 'Name').getByRole('button').click()
  await page.waitForURL(`${app.url}/login`)
  expect(await page.context().cookies()).toEqual([])
})

test('a list that cannot be read says so and can be retried [SHELL-24]', async () => {
  let broken = true
  const page = await visit(app, keeper, '/campaign-categories', {
    before: (page) =>
      page.route('**/api/campaigncategory*', (route) =>
        broken ? route.fulfill({ status: 500, json: { message: 'Something went wrong' } }) : route.continue(),
      ),
  })
  await errorToast(page).filter({ hasText: 'Something went wrong' }).waitFor()
  broken = false
  await page.getByRole('button', { name: 'Retry' }).click()
  await page.getByText('List is empty').waitFor()
})

// ——— dialogs ———

test('a dialog with unsaved changes asks before it closes; declining keeps it and what was typed [SHELL-30]', async () => {
  const page = await categories()
  const dialog = await openNewCategory(page, 'Half a na')
  const asked = confirmDialog(page, 'Are you sure to close this dialog?')
  for (const close of [
    () => page.keyboard.press('Escape'),
    () => dialog.getByRole('button', { name: 'Cancel' }).click(),
    () => dialog.getByRole('button', { name: 'Close', exact: true }).click(),
  ]) {
    await close()
    await asked.getByRole('button', { name: 'Cancel' }).click()
    await asked.waitFor({ state: 'hidden' })
    await see(() => dialog.getByLabel('Name', { exact: true }).inputValue()).toBe('Half a na')
  }
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await asked.getByRole('button', { name: 'Close', exact: true }).click()
  await dialog.waitFor({ state: 'hidden' })

  await page.getByRole('button', { name: 'Create New Category' }).click()
  expect(await dialog.getByLabel('Name', { exact: true }).inputValue()).toBe('')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  await see(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Create New Category')
})

test('Back during the pause of a search shows the list before, and keeps it', async () => {
  const page = await visit(app, keeper, '/leads', { alone: true, before: (page) => page.clock.install() })
  const field = page.getByRole('searchbox', { name: 'Search' })
  await rowsOf(page).first().waitFor()
  await field.fill('zelda')
  await see(() => pathOf(page)).toBe('/leads?lead_search=zelda')
  await page.clock.pauseAt(Date.now() + 3_600_000)
  await typeAtOnce(field, ' f')
  await page.goBack()
  await see(() => field.inputValue()).toBe('')
  await page.clock.runFor(1000)
  await see(() => pathOf(page)).toBe('/leads')
  expect(askedOf(page).map((query) => query.get('lead_search'))).not.toContain('zelda f')
})

test('Back and a reload ask before they discard what was typed in a dialog', async () => {
  const page = await visit(app, keeper, '/ips')
  await page.getByRole('link', { name: 'Campaign Categories' }).click()
  const dialog = await openNewCategory(page, 'Half a name')
  const asked = confirmDialog(page, 'Are you sure to close this dialog?')
  await page.goBack()
  await asked.getByRole('button', { name: 'Cancel' }).click()
  await see(() => pathOf(page)).toBe('/campaign-categories')
  expect(await dialog.getByLabel('Name', { exact: true }).inputValue()).toBe('Half a name')
  const warned = page.waitForEvent('dialog')
  const reloaded = page.evaluate(() => location.reload()).catch(() => undefined)
  const warning = await warned
  expect(warning.type()).toBe('beforeunload')
  await warning.dismiss()
  await reloaded
  expect(await dialog.getByLabel('Name', { exact: true }).inputValue()).toBe('Half a name')
  await page.goBack()
  await asked.getByRole('button', { name: 'Close', exact: true }).click()
  await page.getByRole('heading', { name: 'IP Addresses' }).waitFor()
})

test('Ctrl+Enter while a form is being saved does not save it twice', async () => {
  const page = await categories()
  const held = Promise.withResolvers<void>()
  await page.route('**/api/campaigncategory', async (route) => {
    if (route.request().method() === 'POST') await held.promise
    await route.continue()
  })
  const dialog = await openNewCategory(page, 'Once')
  await page.keyboard.press('Control+Enter')
  await see(() => callsTo(page, 'POST /api/campaigncategory').length).toBe(1)
  await page.keyboard.press('Control+Enter')
  held.resolve()
  await dialog.waitFor({ state: 'hidden' })
  expect(callsTo(page, 'POST /api/campaigncategory')).toHaveLength(1)
})

test('Ctrl+Enter saves, and the list behind is reloaded [SHELL-31]', async () => {
  const page = await categories()
  await page.getByText('Total Items: 0').waitFor()
  page.calls.length = 0
  await openNewCategory(page, 'Fences')
  await page.keyboard.press('Control+Enter')
  await page.getByText('Total Items: 1').waitFor()
  expect(page.calls).toEqual(['POST /api/campaigncategory', 'GET /api/campaigncategory'])
  const { body } = await keeper.call(campaignCategoriesContract.list)
  await keeper.call(campaignCategoriesContract.remove, { params: { id: body[0].id } })
})

// ——— lists ———

test('an empty list says so, and offers to reset filters only when some are set [SHELL-29]', async () => {
  const plain = await categories()
  await plain.getByText('List is empty').waitFor()
  expect(await plain.getByRole('button', { name: 'Reset filters' }).count()).toBe(0)
  const page = await leads('?lead_search=nobodyatall')
  await page.getByText('List is empty').waitFor()
  await page.getByRole('button', { name: 'Reset filters' }).click()
  await rowsOf(page).first().waitFor()
  expect(pathOf(page)).toBe('/leads')
})

test('pages come in 50, 100 and 200, and are hidden when there is one [SHELL-33] [SHELL-35]', async () => {
  const page = await leads()
  const pages = page.getByRole('navigation', { name: 'Pages' })
  const table = page.getByRole('region', { name: 'Leads', exact: true })
  await rowsOf(page).first().waitFor()
  await table.evaluate((scroller) => scroller.scrollTo(0, 9999))
  await pages.getByRole('button', { name: 'Next page' }).click()
  await page.locator('tr[aria-rowindex="52"]').waitFor()
  await see(() => table.evaluate(({ scrollTop }) => scrollTop)).toBe(0)
  expect(pathOf(page)).toBe('/leads?page=2')
  const size = page.getByLabel('Page size')
  await see(() => size.getByRole('option').allTextContents()).toEqual(['50', '100', '200'])
  await size.selectOption('100')
  await pages.waitFor({ state: 'detached' })
  expect(pathOf(page)).toBe('/leads?per_page=100')
  await page.goBack()
  await pages.getByRole('button', { name: 'Page 2' }).and(page.locator('[aria-current=page]')).waitFor()
})

test('the last page leaves the focus with the way back [SHELL-33]', async () => {
  const page = await leads()
  const pages = page.getByRole('navigation', { name: 'Pages' })
  await pages.getByRole('button', { name: 'Next page' }).press('Enter')
  await pages.getByRole('button', { name: 'Next page', disabled: true }).waitFor()
  await see(() => page.evaluate(() => document.activeElement?.ariaLabel)).toBe('Previous page')
})

test('a column sorts up, then down, then in the default order [SHELL-34]', async () => {
  const page = await leads()
  await rowsOf(page).first().waitFor()
  page.calls.length = 0
  const head = headOf(page, 'Name')
  const steps = [
    ['ascending', 'lead_name asc'],
    ['descending', 'lead_name desc'],
    [null, 'lead_date desc'],
  ] as const
  for (const [spoken, sort] of steps) {
    const answered = page.waitForResponse((response) => response.url().includes('/leads/list/data'))
    await head.getByRole('button').click()
    await answered
    await see(() => head.getAttribute('aria-sort')).toBe(spoken)
    expect(`${askedOf(page).at(-1)?.get('sort')} ${askedOf(page).at(-1)?.get('order')}`).toBe(sort)
  }
  expect(pathOf(page)).toBe('/leads')
})

test('after a row is deleted the focus is on the row that took its place, and at last on the empty list', async () => {
  await app.make.category({ name: 'Electrical' })
  await app.make.category({ name: 'Gutters' })
  await app.make.category({ name: 'Roofing' })
  const page = await categories()
  const remove = async (name: string) => {
    await page.getByRole('row', { name }).getByRole('button', { name: 'Delete' }).focus()
    await page.keyboard.press('Enter')
    await confirmDialog(page, 'Are you sure to remove this category?').getByRole('button', { name: 'Delete' }).click()
    await see(() => page.getByRole('row', { name }).count()).toBe(0)
  }
  const focused = () => page.evaluate(() => document.activeElement?.closest('tr')?.textContent)
  await remove('Gutters')
  await see(focused).toContain('Roofing')
  await remove('Roofing')
  await see(focused).toContain('Electrical')
  await remove('Electrical')
  await see(() => page.evaluate(() => document.activeElement?.ariaLabel)).toBe('Campaign Categories')
})

test('what another tab has removed says so, and leaves the list that still shows it', async () => {
  await app.make.category({ name: 'Electrical' })
  const [page, other] = [await categories(), await categories()]
  for (const one of [page, other]) await one.getByRole('row', { name: 'Electrical' }).waitFor()
  for (const one of [page, other]) {
    await one.getByRole('row', { name: 'Electrical' }).getByRole('button', { name: 'Delete' }).click()
    await confirmDialog(one, 'Are you sure to remove this category?').getByRole('button', { name: 'Delete' }).click()
    await one.getByText('List is empty', { exact: true }).waitFor()
  }
  await see(() => errorToast(other).allInnerTexts()).toEqual(['This no longer exists, or you don’t have access to it'])
})

test('typing quickly sends one request [SHELL-36]', async () => {
  const page = await leads()
  await rowsOf(page).first().waitFor()
  page.calls.length = 0
  const answered = page.waitForResponse((response) => response.url().includes('lead_search'))
  await typeAtOnce(page.getByRole('searchbox', { name: 'Search' }), 'zelda f')
  await answered
  await page.getByText('Total Items: 1').waitFor()
  expect(askedOf(page).map((query) => query.get('lead_search'))).toEqual(['zelda f'])
  expect(pathOf(page)).toBe('/leads?lead_search=zelda+f')
})

test('days are shown as MM/dd/yyyy and times as HH:mm, and sent as yyyy-MM-dd [SHELL-37]', async () => {
  const page = await leads()
  page.calls.length = 0
  const date = await rowsOf(page)
    .first()
    .getByText(/\d\d\/\d\d\/\d{4}/)
    .textContent()
  expect(date).toMatch(/^\d\d\/\d\d\/20\d\d/)
  await see(() => rowsOf(page).first().textContent()).toMatch(/\d{4}[0-2]\d:[0-5]\d(?!\d)/)
  await page.getByRole('button', { name: /^Date Range/ }).click()
  const panel = page.getByRole('dialog', { name: 'Date Range' })
  await panel.getByLabel('From', { exact: true }).fill('1/2/2026')
  await panel.getByLabel('To', { exact: true }).fill('02/03/26')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Date Range: 01/02/2026 – 02/03/2026' }).waitFor()
  await see(() => askedOf(page).map((asked) => [asked.get('date_from'), asked.get('date_to')])).toContainEqual([
    '2026-01-02',
    '2026-02-03',
  ])
})

test('money is shown in US dollars [SHELL-38]', async () => {
  const page = await leads()
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByText('$62,959.50', { exact: true }).first().waitFor() // 51 leads of $1,234.50
})

test('a toast covers no heading: not the page’s, nor a dialog’s, with one line and with two', async () => {
  const covered = (page: Page) =>
    page.evaluate(() => {
      const boxes = (selector: string) =>
        [...document.querySelectorAll(selector)].map((one) => one.getBoundingClientRect())
      return boxes('h1, h2').filter((heading) =>
        boxes('.mantine-Notification-root').some(
          (toast) =>
            toast.top < heading.bottom &&
            toast.bottom > heading.top &&
            toast.left < heading.right &&
            toast.right > heading.left,
        ),
      ).length
    })
  for (const width of [1440, 1280, 390]) {
    const page = await visit(app, keeper, '/campaign-categories', { viewport: { width, height: 800 } })
    const dialog = await openNewCategory(page, `Gutters ${width}`)
    const message = 'The server is busy at the moment: please try the same thing again in a minute'
    await page.route('**/api/campaigncategory', (route) =>
      route.request().method() === 'POST' ? route.fulfill({ status: 503, json: { message } }) : route.fallback(),
    )
    await dialog.getByRole('button', { name: 'Save' }).click()
    const toast = errorToast(page)
    await toast.getByText(message).waitFor()
    expect((await toast.boundingBox())!.height).toBeGreaterThan(48) // two lines
    expect(await covered(page), `${width} wide`).toBe(0)
    await toast.getByRole('button', { name: 'Close' }).click()
    await see(() => toast.count()).toBe(0)
    await page.unroute('**/api/campaigncategory')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Campaign Category was created successfully').waitFor()
    expect(await covered(page), `${width} wide`).toBe(0)
  }
})
