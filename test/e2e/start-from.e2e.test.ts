import { expect, test } from 'vitest'
import { categoryTemplatesContract } from '#domains/campaigns/categories/template-contract.ts'
import { campaignsContract } from '#domains/campaigns/contract.ts'
import { workingHoursContract } from '#domains/campaigns/hours/contract.ts'
import { termsContract } from '#domains/campaigns/terms/contract.ts'
import { setUp, startApp } from '#test/app.ts'
import { axeViolations } from '#test/axe.ts'
import { see, visit } from '#test/visit.ts'

const app = await setUp(startApp())
const root = await app.as(await app.make.superAdmin())

test('a template is edited on Campaign Categories, and a new campaign takes what is shown of it and nothing else [MOVE-10]', async () => {
  const category = await app.make.category({ name: 'Roofing' })
  await app.make.client({ name: 'Granite Roofing' })
  const page = await visit(app, root, '/campaign-categories')
  await page.getByRole('row', { name: 'Roofing' }).getByRole('button', { name: 'Template' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('New campaigns of this category can start with what is set here').waitFor()
  await dialog.getByLabel('Manager').fill('Olivia')
  for (const part of ['Hours', 'Targets', 'Terms']) await dialog.getByRole('switch', { name: part }).click()
  await dialog.getByRole('switch', { name: 'Sunday' }).click()
  await dialog.getByLabel('Initial Target').fill('20')
  await dialog.getByLabel('12 Month Target').fill('40')
  await dialog.getByLabel('Fee', { exact: true }).fill('900')
  expect(await dialog.getByLabel('From', { exact: true }).count()).toBe(0)
  expect(await axeViolations(page)).toEqual([])
  const theirs = { manager: 'Noah', hours: null, targets: null, terms: null }
  await root.call(categoryTemplatesContract.save, { params: { id: category.id }, body: theirs })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('Someone changed this to Noah').waitFor()
  await dialog.getByRole('button', { name: 'Keep mine' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'hidden' })
  const stored = (await root.call(categoryTemplatesContract.read, { params: { id: category.id } })).body
  expect(stored).toMatchObject({ manager: 'Olivia', targets: { initial_target: 20, month_12_target: 40 } })
  expect(stored.terms).toMatchObject([{ kind: 'flat', fee: 900 }])

  await page.goto(`${app.url}/campaigns`)
  await page.getByRole('button', { name: 'Create New Campaign' }).click()
  const field = (name: string) => dialog.getByLabel(name, { exact: true })
  await field('Name').fill('Granite Tulsa')
  await field('Categories').fill('Roofing')
  await page.getByRole('option', { name: 'Roofing', exact: true }).click()
  await field('Client').click()
  await page.getByRole('option', { name: 'Granite Roofing' }).click()
  await field('Manager').fill('Morgan')
  await field('Start Date').fill('01/15/2026')
  await field('Due Date').click()
  await page.getByRole('option', { name: '15', exact: true }).click()
  await field('Start from').click()
  await page.getByRole('option', { name: 'Template of Roofing' }).click()
  const parts = dialog.getByRole('list', { name: 'What is copied' })
  await parts.getByText('20 leads a month, 40 from month 12').waitFor()
  await parts.getByText('Flat fee, $900, 30 days dispute window').waitFor()
  await see(() => field('Initial Target').inputValue()).toBe('20')
  await see(() => dialog.getByRole('textbox', { name: 'Manager' }).inputValue()).toBe('Olivia')
  await parts.getByRole('switch', { name: 'Manager' }).click()
  await see(() => dialog.getByRole('textbox', { name: 'Manager' }).inputValue()).toBe('Morgan')
  await parts.getByRole('switch', { name: 'Hours' }).click()
  expect(await axeViolations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'hidden' })
  const [campaign] = (await root.call(campaignsContract.list)).body.data
  expect(campaign).toMatchObject({ manager: 'Morgan', initial_target: 20, month_12_target: 40 })
  const params = { id: campaign.id }
  await see(async () => (await root.call(termsContract.read, { params })).body.terms).toMatchObject([
    { from: '2026-01-15', to: null, kind: 'flat', fee: 900 },
  ])
  expect((await root.call(workingHoursContract.read, { params })).body.schedule[0]).toMatchObject({ enabled: false })
})

test('a campaign gives a new one its hours and terms if some are saved: not the usual hours, nor its own service fee [MOVE-10]', async () => {
  const { id: client_id } = await app.make.client({ name: 'Slate Roofing' })
  const [plain, priced] = [
    await app.make.campaign({ name: 'Slate Waco', client_id, service_fee: 900 }),
    await app.make.campaign({ name: 'Slate Tyler', client_id }),
  ]
  const save = (id: number, terms: object[]) => root.call(termsContract.save, { params: { id }, body: { terms } })
  const terms = [{ from: '2026-01-15', kind: 'flat', fee: 700 }]
  for (const { id } of [plain, priced]) expect((await save(id, terms)).status).toBe(200)
  expect((await save(plain.id, [])).status).toBe(200) // taken back: the service fee applies
  const params = { id: priced.id }
  const { version: _, ...hours } = (await root.call(workingHoursContract.read, { params })).body
  expect((await root.call(workingHoursContract.save, { params, body: hours })).status).toBe(200)
  await app.make.campaign({ name: 'Slate Gone', client_id, archived: true })
  const page = await visit(app, root, '/campaigns')
  await page.getByRole('button', { name: 'Create New Campaign' }).click()
  const dialog = page.getByRole('dialog')
  const parts = dialog.getByRole('list', { name: 'What is copied' }).getByRole('switch')
  for (const [name, copied] of [
    ['Slate Waco', ['Targets', 'Manager']],
    ['Slate Tyler', ['Hours', 'Targets', 'Terms', 'Manager']],
  ] as const) {
    await dialog.getByLabel('Start from', { exact: true }).click()
    await page.getByRole('option', { name, exact: true }).waitFor()
    expect(await page.getByRole('option', { name: 'Slate Gone' }).count()).toBe(0)
    await page.getByRole('option', { name, exact: true }).click()
    await see(() => parts.count()).toBe(copied.length)
    for (const part of copied) expect(await parts.and(page.getByLabel(part, { exact: true })).count()).toBe(1)
  }
})
