import { isNull } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { clientsTable } from '#domains/clients/schema.ts'
import { setUp, startApp } from '#test/app.ts'
import { axeViolations } from '#test/axe.ts'
import { confirmDialog, pathOf, see, visit } from '#test/visit.ts'

const app = await setUp(startApp({ work: true }))
const root = await app.as(await app.make.superAdmin())

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
const rowOf = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })
const pick = (page: Page, name: string, content: string | Buffer) =>
  page.getByLabel('CSV file').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(content) })
const names = async () =>
  (await app.context.db.select().from(clientsTable).where(isNull(clientsTable.deleted_at))).map(({ name }) => name)

const file = [
  'Company;Nickname;Mail address;Shoe size',
  'Blue Pools;blue;blue@example.com;42',
  'Red Roofs;red;no email;43',
  'Green Lawns;green;green@example.com;44',
].join('\n')

test('a file of clients is uploaded, mapped, checked, imported and undone [IN-03]', async () => {
  const page = await visit(app, root, '/clients')
  const clean = async () => expect(await axeViolations(page)).toEqual([])
  await page.getByRole('link', { name: 'Import' }).click()
  await see(() => pathOf(page)).toBe('/import?what=clients')
  await page.getByText('Recognized columns').click()
  await page.getByText('Without one no one can sign in until you set one').waitFor()
  await clean()

  await pick(page, 'clients.xlsx', Buffer.from([0x50, 0x4b, 3, 4]))
  await page.getByRole('alert').getByText('This is a workbook: save it as CSV (UTF-8) first').waitFor()
  await pick(page, 'clients.csv', file)
  await page.getByRole('heading', { name: 'Import / clients.csv' }).waitFor()
  await page.getByText('Please pick the column for Email').waitFor()
  await page.getByText('Left out of the file: Mail address, Shoe size').waitFor()
  await button(page, 'Check the lines').click()
  await see(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('email')
  await clean()
  await page.getByLabel('Column for Email').selectOption('Mail address')
  await page.getByRole('main').getByRole('link', { name: 'Import' }).click()
  const leaving = confirmDialog(page, 'Leave this page? Your changes are not saved.')
  await leaving.getByRole('button', { name: 'Cancel' }).click()
  await leaving.waitFor({ state: 'hidden' })
  await page.getByText('blue@example.com · no email · green@example.com').waitFor()
  await button(page, 'Check the lines').click()

  await page
    .getByText('2 clients will be created. 1 line is refused and left out. Nothing has been written yet.')
    .waitFor()
  await rowOf(page, 'Email is not valid').filter({ hasText: '3' }).filter({ hasText: 'Mail address' }).waitFor()
  expect(await names()).not.toContain('Blue Pools')
  await clean()
  await button(page, 'Import 2 clients').click()
  const asked = confirmDialog(page, 'Are you sure to import the new lines of this file?')
  await asked.getByText('1 line: refused, left out').waitFor()
  await asked.getByRole('button', { name: 'Yes' }).click()
  await button(page, 'Undo import').waitFor()
  await see(() => names()).toEqual(expect.arrayContaining(['Blue Pools', 'Green Lawns']))
  await clean()

  await button(page, 'Undo import').click()
  await confirmDialog(page, 'Are you sure to undo this import?').getByRole('button', { name: 'Yes' }).click()
  await page.getByText('2 clients removed.').waitFor()
  await page.getByRole('main').getByRole('link', { name: 'Import' }).click()
  await rowOf(page, 'clients.csv').getByText('Undone').waitFor()
  await clean()
})

test('another tool’s name of a campaign is chosen from existing names, and Enter does not submit [OPEN-04, EDGE-09]', async () => {
  await app.make.campaign({ name: 'Austin Roofing' })
  const page = await visit(app, root, '/import?what=leads')
  await pick(
    page,
    'leads.csv',
    ['Lead Type,Date,Profile', 'Form,2026-03-16,Moon', 'Form,2026-03-17,Austin Roofing'].join('\n'),
  )
  await page.getByText('What its words mean').click()
  await see(() => page.getByRole('combobox', { name: /^Campaign: .* means$/ }).count()).toBe(2)
  const meaning = page.getByRole('combobox', { name: 'Campaign: Moon means' })
  await meaning.fill('Austin Rofing')
  await page.getByRole('option', { name: 'Austin Roofing' }).waitFor()
  await meaning.press('Enter')
  await see(() => meaning.inputValue()).toBe('Austin Roofing')
  await meaning.press('Enter')
  expect(await axeViolations(page)).toEqual([])
  await button(page, 'Check the lines').click()
  await page.getByText('2 leads will be created. Nothing has been written yet.').waitFor()
})

test('of lines that are refused it is not said that they are not new [IN-03]', async () => {
  const { id } = await app.make.client({ name: 'Known Pools' })
  await app.make.customer({ client_id: id, email: 'known@example.com' })
  const page = await visit(app, root, '/import?what=clients')
  const lines = ['Name,Nickname,Email', 'Known Pools,known,known@example.com', 'Fresh Pools,fresh,no email']
  await pick(page, 'clients.csv', lines.join('\n'))
  await button(page, 'Check the lines').click()
  await page
    .getByText(
      'No line of this file can be imported yet. 1 line is in the system already. 1 line is refused and left out.',
    )
    .waitFor()
})

test('a file whose lines name what is not here yet says how it is taken once it is [OPEN-04]', async () => {
  const page = await visit(app, root, '/import?what=changelog')
  await pick(page, 'notes.csv', 'Campaign,Date,Note\nNowhere,2026-03-01,Ads began\n')
  await button(page, 'Check the lines').click()
  await page.getByText('No line of this file can be imported yet. 1 line is refused and left out.').waitFor()
  await page.getByText('create it, then press Change columns and Check the lines.').waitFor()
  await button(page, 'Change columns').click()
  await button(page, 'Check the lines').waitFor()
})

test('how amounts and dates are read is said, and chosen where the file contradicts itself [EDGE-01, EDGE-02]', async () => {
  const page = await visit(app, root, '/import?what=leads')
  const lines = ['15/11/2025;1500,50;Austin Roofing', '11/16/2025;12,50;Austin Roofing', '05/11/2025;7;Austin Roofing']
  await pick(page, 'leads.csv', ['Date;Value;Campaign', ...lines].join('\n'))
  const dates = page.getByRole('combobox', { name: 'How Date is read' })
  const amounts = page.getByRole('combobox', { name: 'How Value is read' })
  await see(() => amounts.inputValue()).toBe('comma')
  await page
    .getByText('The values of this column could be read in different ways: please say how they are read')
    .waitFor()
  await button(page, 'Check the lines').click()
  await see(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('lead_date')
  expect(await axeViolations(page)).toEqual([])
  await dates.selectOption('dmy')
  await button(page, 'Check the lines').click()
  await page
    .getByText('2 leads will be created. 1 line is refused and left out. Nothing has been written yet.')
    .waitFor()
  await rowOf(page, 'Not a date (day/month/year, such as 25/11/2026)').first().waitFor()
  await button(page, 'Change columns').click()
  await see(() => dates.inputValue()).toBe('dmy')
})

test('columns whose readings cannot be loaded are said, and tried again [IN-03]', async () => {
  const page = await visit(app, root, '/import?what=leads')
  await page.route('**/api/imports/*/readings', (route) => route.fulfill({ status: 500, json: { message: 'Busy' } }))
  await pick(page, 'busy.csv', 'Lead ID,Type,Date\n1,Call,2026-03-01\n')
  await page.getByRole('alert').getByText('The columns could not be loaded: Busy').waitFor()
  await page.unroute('**/api/imports/*/readings')
  await button(page, 'Retry').click()
  await button(page, 'Check the lines').waitFor()
})

test('an unwanted file can be discarded, and lists link here only for super admins', async () => {
  const page = await visit(app, root, '/import?what=leads')
  await pick(page, 'no.csv', 'Lead ID,Type,Date\n1,Call,2026-03-01\n')
  await button(page, 'Discard').click()
  await confirmDialog(page, 'Are you sure to discard this file?').getByRole('button', { name: 'Discard' }).click()
  await see(() => pathOf(page)).toBe('/import?what=leads')
  await see(() => rowOf(page, 'no.csv').count()).toBe(0)

  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: /^Find a screen/ }).fill('import')
  await page.getByRole('option').filter({ hasText: 'Import' }).first().waitFor()
  for (const path of ['/leads', '/campaigns', '/client-sites']) {
    await page.goto(app.url + path)
    await page.getByRole('main').getByRole('link', { name: 'Import' }).waitFor()
  }

  const admin = await app.as(await app.make.admin())
  const theirs = await visit(app, admin, '/clients')
  await button(theirs, 'Create New Client').waitFor()
  expect(await theirs.getByRole('link', { name: 'Import' }).count()).toBe(0)
  await theirs.goto(`${app.url}/import`)
  await theirs.getByText('You do not have access to this page').waitFor()
})
