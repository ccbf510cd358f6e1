import { inArray } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { campaignCategoriesContract } from '#domains/campaigns/categories/contract.ts'
import { campaignCategoriesTable } from '#domains/campaigns/categories/schema.ts'
import { clientsContract } from '#domains/clients/contract.ts'
import { clientsTable } from '#domains/clients/schema.ts'
import { clientSitesContract } from '#domains/sites/client/contract.ts'
import { setUp, startApp } from '#test/app.ts'
import { confirmDialog, pathOf, see, visit } from '#test/visit.ts'

const app = await setUp(startApp())
const keeper = await app.as(await app.make.superAdmin())

const field = (page: Page, name: string) => page.getByRole('dialog').getByLabel(name, { exact: true })
const save = (page: Page) => page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
/** The first cell of each row, below the header. */
/** Returns the names, with each cell's mark. */
const firstCells = (page: Page) =>
  page
    .locator('tbody tr[data-index] td:nth-child(2)')
    .evaluateAll((cells: HTMLElement[]) =>
      cells.map(({ dataset, textContent }) => [dataset.markLabel, textContent].filter(Boolean).join(' ')),
    )

async function addClient(page: Page, name: string) {
  await page.getByRole('button', { name: 'Create New Client' }).click()
  await field(page, 'Name').fill(name)
  await field(page, 'Nickname').fill(name.toLowerCase().replaceAll(' ', '-'))
  await field(page, 'Email').fill(`${name.toLowerCase().replaceAll(' ', '-')}@firm.example`)
  await field(page, 'Password').fill('a good password')
  await save(page)
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  // They move the rows down: a click before would miss.
  await page.getByRole('region', { name: 'Next steps' }).getByText(`${name} was created. Next:`).waitFor()
}

test('a new row comes first and says so, an edited one keeps its place, whatever the sort [WORK-18]', async () => {
  await app.context.db.update(clientsTable).set({ deleted_at: new Date() })
  for (const name of ['Alder', 'Birch', 'Cedar']) await app.make.client({ name })
  const page = await visit(app, keeper, '/clients?per_page=3')
  await see(() => firstCells(page)).toEqual(['Alder', 'Birch', 'Cedar'])
  await addClient(page, 'Yew Trees')
  await see(() => firstCells(page)).toEqual(['New Yew Trees', 'Alder', 'Birch', 'Cedar'])
  await page.getByRole('row', { name: 'Yew Trees' }).getByRole('button', { name: 'Edit' }).click()
  await field(page, 'Name').fill('Zelkova')
  await save(page)
  await see(() => firstCells(page)).toEqual(['New Zelkova', 'Alder', 'Birch', 'Cedar'])
  await page.getByRole('row', { name: 'Zelkova' }).getByRole('switch').click()
  await see(() => page.getByRole('row', { name: 'Zelkova' }).getByRole('switch').isChecked()).toBe(false)

  await page.goto(`${app.url}/clients?sort=name&order=desc&per_page=2`)
  await see(() => firstCells(page)).toEqual(['Zelkova', 'Cedar'])
  await page.getByRole('row', { name: 'Zelkova' }).getByRole('button', { name: 'Edit' }).click()
  await field(page, 'Name').fill('Aspen')
  await save(page)
  await see(() => firstCells(page)).toEqual(['Edited Aspen', 'Cedar', 'Birch'])
  // Another query shows the server's order.
  await page.getByRole('columnheader', { name: 'Client Name' }).getByRole('button').first().click()
  await see(async () => (await firstCells(page)).some((cell) => cell.startsWith('Edited'))).toBe(false)
})

test('an edited row shows what was saved before the list is read again [WORK-18]', async () => {
  await app.make.customer({ client_id: (await app.make.client({ name: 'Dogwood' })).id })
  const page = await visit(app, keeper, '/clients?search=dogwood')
  await see(() => firstCells(page)).toEqual(['Dogwood'])
  await page.getByRole('row', { name: 'Dogwood' }).getByRole('button', { name: 'Edit' }).click()
  await field(page, 'Name').fill('Elder')
  const held = Promise.withResolvers<void>()
  await page.route(/\/api\/client\?/, async (route) => {
    await held.promise
    await route.continue()
  })
  await save(page)
  await see(() => firstCells(page)).toEqual(['Edited Elder'])
  held.resolve()
})

test('a new row that was deleted leaves the list [WORK-18]', async () => {
  const page = await visit(app, keeper, '/clients?search=no-such-client')
  await page.getByText('List is empty').waitFor()
  await addClient(page, 'Walnut')
  await see(() => firstCells(page)).toEqual(['New Walnut'])
  await page.getByRole('row', { name: 'Walnut' }).getByRole('button', { name: 'Delete' }).click()
  await confirmDialog(page, 'Are you sure to remove this client?').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('List is empty').waitFor()
})

test('after the only row of the last page is deleted, the page before it is shown', async () => {
  for (const name of ['Larch 1', 'Larch 2', 'Larch 3']) await app.make.client({ name })
  const page = await visit(app, keeper, '/clients?search=larch&per_page=2&page=2')
  await see(() => firstCells(page)).toEqual(['Larch 3'])
  await page.getByRole('row', { name: 'Larch 3' }).getByRole('button', { name: 'Delete' }).click()
  await confirmDialog(page, 'Are you sure to remove this client?').getByRole('button', { name: 'Delete' }).click()
  await see(() => firstCells(page)).toEqual(['Larch 1', 'Larch 2'])
  expect(pathOf(page)).toBe('/clients?search=larch&per_page=2')
})

test('a choice that is picked while another one is being created stays', async () => {
  await app.make.category({ name: 'Gutters' })
  const page = await visit(app, keeper, '/campaigns')
  const held = Promise.withResolvers<void>()
  await page.route('**/api/campaigncategory', async (route) => {
    if (route.request().method() === 'POST') await held.promise
    await route.continue()
  })
  await page.getByRole('button', { name: 'Create New Campaign' }).click()
  const picked = (name: string) => page.getByRole('dialog').getByText(name, { exact: true }).first()
  await field(page, 'Categories').fill('Slow making')
  await page.getByRole('option', { name: 'Create “Slow making”' }).click()
  await field(page, 'Categories').fill('Gutters')
  await page.getByRole('option', { name: 'Gutters', exact: true }).click()
  await picked('Gutters').waitFor()
  held.resolve()
  await picked('Slow making').waitFor()
  expect(await picked('Gutters').isVisible()).toBe(true)
  await app.context.db
    .delete(campaignCategoriesTable)
    .where(inArray(campaignCategoriesTable.name, ['Gutters', 'Slow making']))
})

test('a new client leads to its campaign, that to what it needs before it is handed over, also after a reload [WORK-18] [MOVE-14]', async () => {
  const page = await visit(app, keeper, '/clients')
  await addClient(page, 'Granite Roofing')
  const steps = page.getByRole('region', { name: 'Next steps' })
  await steps.getByText('Granite Roofing was created. Next:').waitFor()
  await steps.getByRole('button', { name: 'Add Campaign' }).click()
  await see(() => field(page, 'Client').inputValue()).toBe('Granite Roofing')
  await field(page, 'Name').fill('Granite Roofing Tulsa')
  await field(page, 'Manager').fill('Morgan')
  await field(page, 'Initial Target').fill('20')
  await field(page, 'Start Date').fill('01/15/2026')
  await page.getByRole('dialog').getByLabel('Due Date').click()
  await page.getByRole('option', { name: '15', exact: true }).click()
  await field(page, 'Categories').click() // there is none yet
  await page.getByText('Type a name to create one').waitFor()
  await field(page, 'Categories').fill('Roof repair')
  await page.getByRole('option', { name: 'Create “Roof repair”' }).click()
  await see(async () =>
    (await keeper.call(campaignCategoriesContract.list)).body.map(({ name }: { name: string }) => name),
  ).toEqual(['Roof repair'])
  await page.getByRole('dialog').getByText('Roof repair', { exact: true }).first().waitFor()
  await save(page)
  await steps.getByText('Granite Roofing Tulsa was created. Next:').waitFor()
  await page.reload()
  await steps.getByText('Granite Roofing Tulsa was created. Next:').waitFor()
  const list = steps.getByRole('region', { name: 'Before it is handed over' })
  const isDone = (title: string) => list.getByRole('listitem').filter({ hasText: title }).getByLabel('Done').isVisible()
  await see(() => isDone('Target')).toBe(true)
  expect(await isDone('Working hours')).toBe(false)

  await steps.getByRole('button', { name: 'Add Client Site' }).click()
  await see(() => field(page, 'Campaign').inputValue()).toBe('Granite Roofing Tulsa')
  await field(page, 'URL').fill('https://granite.example')
  await field(page, 'CallRail Company ID').fill('COM1')
  await save(page)
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  const { body } = await keeper.call(clientSitesContract.list, { query: { url: 'granite.example' } })
  expect(body.data[0].campaign.name).toBe('Granite Roofing Tulsa')
  const client = (await keeper.call(clientsContract.list, { query: { search: 'granite roofing' } })).body.data[0]
  expect(client.campaigns.map(({ name }: { name: string }) => name)).toEqual(['Granite Roofing Tulsa'])

  await steps.getByRole('button', { name: 'Set working hours' }).click()
  await page.getByRole('dialog', { name: 'Working hours: Granite Roofing Tulsa' }).waitFor()
  await save(page)
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await see(() => isDone('Working hours')).toBe(true)
  await steps.getByRole('button', { name: 'Draw the area' }).click()
  await page.getByRole('dialog').getByText('Granite Roofing Tulsa').first().waitFor()
})

test('a row that a colleague removed while it was edited leaves the list when its dialog is closed; until then what was typed stays', async () => {
  const { id } = await app.make.category({ name: 'Gutters' })
  const page = await visit(app, keeper, '/campaign-categories')
  const row = page.getByRole('row', { name: 'Gutters' })
  await row.getByRole('button', { name: 'Edit' }).click()
  await field(page, 'Name').fill('Rain gutters')
  await keeper.call(campaignCategoriesContract.remove, { params: { id } })
  await save(page)
  await page.getByText('This no longer exists, or you don’t have access to it').waitFor()
  expect(await field(page, 'Name').inputValue()).toBe('Rain gutters')
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await confirmDialog(page, 'Are you sure to close this dialog?').getByRole('button', { name: 'Close' }).click()
  await see(() => row.count()).toBe(0)
})
