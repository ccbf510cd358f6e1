import type { Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import { campaignCategoriesContract } from '#domains/campaigns/categories/contract.ts'
import { campaignCategoryLinksTable } from '#domains/campaigns/schema.ts'
import { setUp, startApp } from '#test/app.ts'
import { confirmDialog, errorToast, holdFirstWrite, see, visit, writesOf } from '#test/visit.ts'

const app = await setUp(startApp())
const keeper = await app.as(await app.make.superAdmin())
beforeEach(async () => {
  await app.context.db.delete(campaignCategoryLinksTable) // a category in use would stay
  const { body } = await keeper.call(campaignCategoriesContract.list)
  for (const { id } of body) await keeper.call(campaignCategoriesContract.remove, { params: { id } })
})

const open = () => visit(app, keeper, '/campaign-categories')
const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
const create = (page: Page) => page.getByRole('button', { name: 'Create New Category' }).click()
const dialogOf = (page: Page, name: string) => page.getByRole('dialog', { name })
const category = async (values: { name: string; color?: string }) =>
  (await keeper.call(campaignCategoriesContract.create, { body: values })).body

test('the address opens the page with its columns, and says how many there are [CCAT-01] [CCAT-02] [CCAT-04]', async () => {
  await category({ name: 'Roofing', color: '#d94f4f' })
  await category({ name: 'Plumbing' })
  const page = await open()
  await page.getByRole('heading', { name: 'Campaign Categories', level: 1 }).waitFor()
  await rowOf(page, 'Roofing').waitFor()
  await see(() => page.getByRole('columnheader').allTextContents()).toEqual(['Category Name', 'Campaigns', 'Actions'])
  const swatch = rowOf(page, 'Roofing').getByTitle('#d94f4f')
  await see(() => swatch.evaluate((element) => getComputedStyle(element).backgroundColor)).toBe('rgb(217, 79, 79)')
  await see(() => rowOf(page, 'Roofing').getByRole('button', { name: 'Edit' }).count()).toBe(1)
  await see(() => rowOf(page, 'Roofing').getByRole('button', { name: 'Delete' }).count()).toBe(1)
  await page.getByText('Total Items: 2').waitFor()
})

test('a new category starts white, is confirmed and is in the list [CCAT-05] [CCAT-09] [SHELL-31]', async () => {
  const page = await open()
  await create(page)
  const dialog = dialogOf(page, 'Create New Category')
  await see(() => dialog.getByLabel('Color', { exact: true }).inputValue()).toBe('#ffffff')
  await dialog.getByLabel('Name', { exact: true }).fill('Tree service')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Campaign Category was created successfully', { exact: true }).waitFor()
  await dialog.waitFor({ state: 'hidden' })
  await rowOf(page, 'Tree service').getByTitle('#ffffff').waitFor()
  await page.getByText('Total Items: 1').waitFor()
})

test('editing starts from the current values, is confirmed and is shown [CCAT-06] [CCAT-10] [SHELL-31]', async () => {
  await category({ name: 'Roofing', color: '#112233' })
  const page = await open()
  await rowOf(page, 'Roofing').getByRole('button', { name: 'Edit' }).click()
  const dialog = dialogOf(page, 'Edit Category')
  await see(() => dialog.getByLabel('Name', { exact: true }).inputValue()).toBe('Roofing')
  await see(() => dialog.getByLabel('Color', { exact: true }).inputValue()).toBe('#112233')
  await dialog.getByLabel('Name', { exact: true }).fill('Roofs')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Campaign Category was updated successfully', { exact: true }).waitFor()
  await rowOf(page, 'Roofs').waitFor()
  expect(await rowOf(page, 'Roofing').count()).toBe(0)
})

test('a save that is answered after its dialog was closed leaves the next dialog open, with what is typed [DESK-11]', async () => {
  await category({ name: 'Roofing' })
  await category({ name: 'Siding' })
  const page = await open()
  const answer = await holdFirstWrite(page, '**/api/campaigncategory/*')
  const name = dialogOf(page, 'Edit Category').getByLabel('Name', { exact: true })
  await rowOf(page, 'Roofing').getByRole('button', { name: 'Edit' }).click()
  await name.fill('Roofs')
  await name.press('Enter')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await confirmDialog(page, 'Are you sure to close this dialog?').getByRole('button', { name: 'Close' }).click()
  await dialogOf(page, 'Edit Category').waitFor({ state: 'hidden' })
  await rowOf(page, 'Siding').getByRole('button', { name: 'Edit' }).click()
  await name.fill('Sidings')
  answer()
  await page.getByText('Campaign Category was updated successfully', { exact: true }).waitFor()
  await rowOf(page, 'Roofs').waitFor({ state: 'attached' })
  expect(await name.inputValue()).toBe('Sidings')
  await name.press('Escape')
  await confirmDialog(page, 'Are you sure to close this dialog?').waitFor()
})

test('what someone else has changed in a category is shown beside what is typed, and is kept [CCAT-10]', async () => {
  const { id } = await category({ name: 'Roofing', color: '#112233' })
  const page = await open()
  await rowOf(page, 'Roofing').getByRole('button', { name: 'Edit' }).click()
  const dialog = dialogOf(page, 'Edit Category')
  await dialog.getByLabel('Name', { exact: true }).fill('Roofs')
  await keeper.call(campaignCategoriesContract.update, { params: { id }, body: { name: 'Roofing', color: '#aa0000' } })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('Someone else has changed this.').waitFor()
  await see(() => dialog.getByLabel('Color', { exact: true }).inputValue()).toBe('#aa0000')
  expect(await dialog.getByLabel('Name', { exact: true }).inputValue()).toBe('Roofs')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await rowOf(page, 'Roofs').getByTitle('#aa0000').waitFor()
})

test('an empty name is refused with a message, has the focus, and nothing is sent [CCAT-07]', async () => {
  const page = await open()
  await create(page)
  page.calls.length = 0
  const dialog = dialogOf(page, 'Create New Category')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('Please input category name', { exact: true }).waitFor()
  const name = dialog.getByLabel('Name', { exact: true })
  await page.waitForFunction(() => document.activeElement?.getAttribute('name') === 'name')
  await see(() => name.getAttribute('aria-invalid')).toBe('true')
  expect(writesOf(page)).toEqual([])
})

test('a cancelled delete sends nothing; a confirmed one is reported and removes the row [CCAT-08] [CCAT-11] [SHELL-32]', async () => {
  await category({ name: 'Roofing' })
  const page = await open()
  await rowOf(page, 'Roofing').waitFor()
  page.calls.length = 0
  await rowOf(page, 'Roofing').getByRole('button', { name: 'Delete' }).click()
  const asked = confirmDialog(page, 'Are you sure to remove this category?')
  await see(() => asked.getByRole('listitem').allTextContents()).toEqual(['Roofing'])
  await asked.getByRole('button', { name: 'Cancel' }).click()
  await asked.waitFor({ state: 'hidden' })
  expect(writesOf(page)).toEqual([])
  await see(() => rowOf(page, 'Roofing').count()).toBe(1)

  await rowOf(page, 'Roofing').getByRole('button', { name: 'Delete' }).click()
  await asked.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('Campaign Category was removed successfully', { exact: true }).waitFor()
  await page.getByText('List is empty').waitFor()
  await page.getByText('Total Items: 0').waitFor()
})

test('a category in use stays, and the red toast says how many campaigns use it [SHELL-24]', async () => {
  const { id } = await category({ name: 'Roofing' })
  await app.make.campaign({ categories: [id] })
  const page = await open()
  await rowOf(page, 'Roofing').getByRole('button', { name: 'Delete' }).click()
  const answered = page.waitForResponse((response) => response.request().method() === 'DELETE')
  await confirmDialog(page, 'Are you sure to remove this category?').getByRole('button', { name: 'Delete' }).click()
  const { message } = await (await answered).json()
  expect(message).toContain('1')
  const toast = errorToast(page).filter({ hasText: message })
  await toast.waitFor()
  await see(() => rowOf(page, 'Roofing').count()).toBe(1)
})
