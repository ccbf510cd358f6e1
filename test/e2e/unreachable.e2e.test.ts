import type { Page, Route } from 'playwright-core'
import { expect, test } from 'vitest'
import { campaignCategoriesContract } from '#domains/campaigns/categories/contract.ts'
import { setUp, startApp } from '#test/app.ts'
import { axeViolations } from '#test/axe.ts'
import { confirmDialog, see, visit } from '#test/visit.ts'

const app = await setUp(startApp())
const root = await app.as(await app.make.superAdmin())
await app.make.client({ name: 'Sunrise Roofing' })

test('while the server cannot be reached a bar says so since when, and lists say as of when they are [DESK-11]', async () => {
  const page = await visit(app, root, '/clients', { alone: true })
  await page.getByRole('cell', { name: 'Sunrise Roofing', exact: true }).waitFor()
  const [api, ready] = [`${app.url}/api/**`, `${app.url}/readyz`]
  const bar = page.getByRole('status').filter({ hasText: /^The server cannot be reached since \d+:\d\d\./ })
  for (const address of [api, ready]) await page.route(address, (route) => route.abort('connectionrefused'))
  await page.evaluate(() => window.dispatchEvent(new Event('offline')))
  await bar.waitFor()
  await page.getByText(/ as of \d+:\d\d$/).waitFor()
  expect(await axeViolations(page)).toEqual([])

  await page.unroute(api)
  await page.unroute(ready)
  await see(() => bar.count()).toBe(0)
  expect(await page.getByText(/ as of \d+:\d\d$/).count()).toBe(0)
})

test.each([502, 503, 504])(
  'a gateway that answers %s for the server counts as not reached [DESK-11]',
  async (status) => {
    const page = await visit(app, root, '/clients', { alone: true })
    await page.getByRole('cell', { name: 'Sunrise Roofing', exact: true }).waitFor()
    for (const address of [`${app.url}/api/**`, `${app.url}/readyz`])
      await page.route(address, (route) => route.fulfill({ status }))
    await page.getByLabel('Search').fill('Other')
    await page.getByRole('status').filter({ hasText: 'The server cannot be reached since' }).waitFor()
  },
)

test('one call that fails while the server answers shows no bar [DESK-11]', async () => {
  const page = await visit(app, root, '/clients', { alone: true })
  await page.getByRole('cell', { name: 'Sunrise Roofing', exact: true }).waitFor()
  await page.route(`${app.url}/api/**`, (route) => route.abort())
  const checked = page.waitForResponse(`${app.url}/readyz`)
  await page.getByLabel('Search').fill('Other')
  expect((await checked).status()).toBe(200)
  expect(await page.getByText('The server cannot be reached').count()).toBe(0)
})

test.each([
  ['the answer was lost', (route: Route) => route.fetch().then(() => route.abort())],
  ['a gateway gave up', (route: Route) => route.fetch().then(() => route.fulfill({ status: 504 }))],
])('saved again after %s, a form makes one thing', async (name, loseAnswer) => {
  const page = await visit(app, root, '/campaign-categories')
  await page.getByRole('button', { name: 'Create New Category' }).click()
  await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill(name)
  await page.route(`${app.url}/api/campaigncategory`, loseAnswer, { times: 1 })
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The server’s answer did not arrive, so this may have been saved.').waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Campaign Category was created successfully', { exact: true }).waitFor()
  const { body } = await root.call(campaignCategoriesContract.list)
  expect(body.filter((category: { name: string }) => category.name === name)).toHaveLength(1)
})

test('a form that is told to wait, after the answer was lost, still makes one thing when it is saved again', async () => {
  const page = await visit(app, root, '/campaign-categories')
  await page.getByRole('button', { name: 'Create New Category' }).click()
  await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Told to wait')
  const answers = [
    (route: Route) => route.fetch().then(() => route.abort()),
    (route: Route) => route.fulfill({ status: 409, json: { message: 'This is still being saved' } }),
  ]
  await page.route(`${app.url}/api/campaigncategory`, (route) =>
    route.request().method() === 'POST'
      ? (answers.shift() ?? ((last: Route) => last.fallback()))(route)
      : route.fallback(),
  )
  const save = page.getByRole('button', { name: 'Save' })
  await save.click()
  await page.getByText('The server’s answer did not arrive, so this may have been saved.').waitFor()
  await save.click()
  await page.getByText('This is still being saved').waitFor()
  await save.click()
  await page.getByText('Campaign Category was created successfully', { exact: true }).waitFor()
  const { body } = await root.call(campaignCategoriesContract.list)
  expect(body.filter((category: { name: string }) => category.name === 'Told to wait')).toHaveLength(1)
})

test.each<[string, (page: Page, make: (name: string) => Promise<void>, name: string) => Promise<void>]>([
  ['another thing was made', (_, make) => make('Another')],
  [
    'it got another name',
    async (page, _, name) => {
      await page.getByRole('row', { name }).getByRole('button', { name: 'Edit' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Name', { exact: true }).fill('Another name')
      await page.getByRole('button', { name: 'Save' }).click()
      await dialog.waitFor({ state: 'detached' })
    },
  ],
  [
    'it was removed',
    async (page, _, name) => {
      await page.getByRole('row', { name }).getByRole('button', { name: 'Delete' }).click()
      const asked = confirmDialog(page, 'Are you sure to remove this category?')
      await asked.getByRole('button', { name: 'Delete' }).click()
      await page.getByRole('cell', { name, exact: true }).waitFor({ state: 'detached' })
    },
  ],
])('made again after a lost answer, a thing is there once, also where %s in between', async (name, meddle) => {
  const page = await visit(app, root, '/campaign-categories')
  const dialog = page.getByRole('dialog')
  const fill = async (name: string) => {
    await page.getByRole('button', { name: 'Create New Category' }).click()
    await dialog.getByLabel('Name', { exact: true }).fill(name)
    await page.getByRole('button', { name: 'Save' }).click()
  }
  const make = async (name: string) => {
    await fill(name)
    await dialog.waitFor({ state: 'detached' })
  }
  const address = `${app.url}/api/campaigncategory`
  await page.route(address, (route) =>
    route.request().method() === 'POST' ? route.fetch().then(() => route.abort()) : route.fallback(),
  )
  await fill(name)
  await page.getByText('The server’s answer did not arrive, so this may have been saved.').waitFor()
  await page.unroute(address)
  await page.keyboard.press('Escape')
  const asked = confirmDialog(page, 'Are you sure to close this dialog?')
  await asked.getByRole('button', { name: 'Close', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  await meddle(page, make, name)
  await make(name)
  const { body } = await root.call(campaignCategoriesContract.list)
  expect(body.filter((category: { name: string }) => category.name === name)).toHaveLength(1)
})
