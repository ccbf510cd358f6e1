import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { customSourcesContract } from '#domains/leads/custom-sources/contract.ts'
import { customSourcesTable } from '#domains/leads/custom-sources/schema.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { clientSitesContract } from '#domains/sites/client/contract.ts'
import { setUp, startApp } from '#test/app.ts'
import { axeViolations } from '#test/axe.ts'
import { measureListOverflow } from '#test/cut-values.ts'
import { waitForIntake } from '#test/provider-hooks.ts'
import { confirmDialog, pathOf, see, visit } from '#test/visit.ts'

const app = await setUp(startApp({ work: true }))
const root = await app.as(await app.make.superAdmin())
await app.make.clientSite({ url: 'https://austin.example' })

test('a lead source is made, its fields are mapped beside what it received, and its events become leads [OPEN-03]', async () => {
  const page = await visit(app, root, '/client-sites')
  const clean = async () => expect(await axeViolations(page)).toEqual([])
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  await page.getByRole('link', { name: 'Lead Sources' }).click()
  await see(() => pathOf(page)).toBe('/lead-sources')
  await clean()
  await page.setViewportSize({ width: 1280, height: 800 })
  expect(await page.evaluate(measureListOverflow)).toBe(0)
  await page.setViewportSize({ width: 1440, height: 900 })
  await button('Add Lead Source').first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Zapier')
  await dialog.getByLabel('Client Site').click()
  await page.getByRole('option', { name: 'https://austin.example' }).click()
  await dialog.getByRole('button', { name: /^(Save|Create|Add)/ }).click()
  await see(() => pathOf(page)).toMatch(/^\/lead-sources\?id=\d+$/) // its address comes next
  await page.getByText('Nothing yet. Send a lead to the address above').waitFor()
  const address = await page.getByRole('textbox', { name: 'Address' }).inputValue()

  const sent = { who: { name: 'Ann', phone: '512-555-0100' }, kind: 'Chat', text: 'A leaky roof' }
  const headers = { 'content-type': 'application/json' }
  await fetch(address, { method: 'POST', headers, body: JSON.stringify(sent) })
  await waitForIntake(app)
  await button('Look for events').click()
  await page.getByRole('region', { name: 'What was received' }).getByText('A leaky roof').waitFor()
  await page.getByRole('row').filter({ hasText: 'Waiting' }).waitFor()
  await page.getByLabel('Name', { exact: true }).selectOption('who.name')
  await page.getByLabel('Message', { exact: true }).selectOption('text')
  await page.getByLabel('Lead Type', { exact: true }).selectOption('kind')
  const preview = page.getByRole('region', { name: 'Preview' })
  await preview
    .getByText('Lead Type: Must be Form or Call: choose in the mapping which of them it is (‘Chat’)')
    .waitFor()
  await page.getByLabel('‘Chat’ means').selectOption('Form')
  await see(() => preview.getByText('Must be Form or Call').count()).toBe(0)
  await preview.getByText('Ann').waitFor()
  await clean()
  await button('Save mapping').click()
  await page.getByText('Lead source was changed successfully').waitFor()
  await see(() => button('Save mapping').evaluate((one) => one === document.activeElement)).toBe(true)
  await page.getByText('Press Replay all without a lead for those that came before.').waitFor()
  await button('Test').click()
  await page.getByText('The saved mapping reads the newest event. Nothing was written.').waitFor()
  // Of another mapping it says nothing.
  await page.getByLabel('Location', { exact: true }).selectOption('text')
  await button('Save mapping').click()
  await see(() => page.getByText('The saved mapping reads the newest event.').count()).toBe(0)
  await button('Replay all without a lead').click()
  await waitForIntake(app)
  const event = page.getByRole('row').filter({ hasText: 'A leaky roof' })
  await event.getByText('Lead', { exact: true }).waitFor()
  await see(() => event.getByRole('link').getAttribute('href')).toMatch(/^\/lead\/\d+$/)
  const [source] = await app.context.db.select().from(customSourcesTable)
  expect(
    await app.context.db
      .select()
      .from(leadsTable)
      .where(eq(leadsTable.origin, `source/${source!.id}`)),
  ).toMatchObject([{ lead_name: 'Ann', message: 'A leaky roof', lead_type: 'Form', lead_s: 'Other' }])

  await page.setViewportSize({ width: 390, height: 844 })
  await see(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
})

test('a lead source that someone else has changed is not overwritten', async () => {
  const clientsite_id = (await app.make.clientSite({ url: 'https://dallas.example' })).id
  const body = { name: 'Leads from Yelp', clientsite_id, preset: null, mapping: {} }
  const { id } = (await root.call(customSourcesContract.create, { body })).body
  const page = await visit(app, root, '/lead-sources')
  await page.getByRole('row', { name: 'Leads from Yelp' }).getByRole('button', { name: 'Edit' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit Lead Source' })
  await dialog.getByLabel('Name').fill('Leads from Thumbtack')
  const mapping = { lead_name: { from: 'who' } }
  await root.call(customSourcesContract.update, { params: { id }, body: { name: 'Leads from Angi', mapping } })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('Leads from Angi').waitFor()
  await dialog.getByRole('button', { name: 'Keep mine' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await see(() => dialog.count()).toBe(0)
  const { body: saved } = await root.call(customSourcesContract.get, { params: { id } })
  expect(saved).toMatchObject({ name: 'Leads from Thumbtack', mapping, version: 3 })
})

test('leaving a lead source asks about a mapping that was changed and not saved, not about one that is only suggested', async () => {
  const clientsite_id = (await app.make.clientSite({ url: 'https://tulsa.example' })).id
  const body = { name: 'Leads from Porch', clientsite_id, preset: null, mapping: {} }
  const { id, url } = (await root.call(customSourcesContract.create, { body })).body
  const headers = { 'content-type': 'application/json' }
  await fetch(url, { method: 'POST', headers, body: JSON.stringify({ name: 'Ann', phone: '512-555-0100' }) })
  await waitForIntake(app)
  const page = await visit(app, root, `/lead-sources?id=${id}`)
  const back = page.getByRole('main').getByRole('link', { name: 'Lead Sources' })
  const row = page.getByRole('row', { name: 'Leads from Porch' })
  await page.getByText('Filled in from what was received. Please check, and save.').waitFor()
  await back.click()
  await row.getByRole('link', { name: 'Leads from Porch' }).click()
  const message = page.getByLabel('Message', { exact: true })
  await message.selectOption('name')
  await back.click()
  const asked = confirmDialog(page, 'Leave this page? Your changes are not saved.')
  await asked.getByRole('button', { name: 'Cancel' }).click()
  await asked.waitFor({ state: 'hidden' })
  expect(await message.inputValue()).toBe('name')
  await page.getByRole('button', { name: 'Save mapping' }).click()
  await page.getByText('Lead source was changed successfully').waitFor()
  await back.click()
  await row.waitFor()
})

test('an import’s words are mapped, its problems are grouped, and the refused lines can be downloaded [OPEN-04]', async () => {
  await app.make.campaign({ name: 'Austin Roofing' })
  const page = await visit(app, root, '/import?what=leads')
  const file = [
    'Lead Type,Date Created,Contact Name',
    'Phone Call,2026-03-16,Ann',
    'Chat,2026-03-16,Ben',
    'Chat,2026-03-16,Cay',
    'Chat,never,Dee',
  ].join('\n')
  await page
    .getByLabel('CSV file')
    .setInputFiles({ name: 'leads.csv', mimeType: 'text/csv', buffer: Buffer.from(file) })
  await page.getByLabel('Column for Campaign', { exact: true }).selectOption('The same for every line…')
  await page.getByRole('combobox', { name: 'Campaign of every line' }).fill('Austin Roofing')
  await page.getByRole('button', { name: 'Check the lines' }).click()
  const reasons = page.getByRole('region', { name: 'Reasons' })
  await reasons.getByRole('row').filter({ hasText: 'Must be Form or Call' }).filter({ hasText: '3' }).waitFor()
  expect(await axeViolations(page)).toEqual([])
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download refused lines' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('refused-lines.csv')
  await page.getByRole('button', { name: 'Change columns' }).click()
  await page.getByText('What its words mean').click()
  await page.getByLabel('Type: Chat means').selectOption('Form')
  await page.getByRole('button', { name: 'Check the lines' }).click()
  await page
    .getByText('3 leads will be created. 1 line is refused and left out. Nothing has been written yet.')
    .waitFor()
})

test('a source whose site was deleted says so, and is given another one [OPEN-03]', async () => {
  const gone = await app.make.clientSite({ url: 'https://gone.example' })
  const body = { name: 'Left over', clientsite_id: gone.id, preset: null }
  const { id } = (await root.call(customSourcesContract.create, { body })).body
  await root.call(clientSitesContract.remove, { params: { id: gone.id } })
  const page = await visit(app, root, `/lead-sources?id=${id}`)
  await page.getByText('The client site was deleted: what comes in is put aside.').waitFor()
  await page.getByRole('main').getByRole('link', { name: 'Lead Sources' }).click()
  const row = page.getByRole('row').filter({ hasText: 'Left over' })
  await row.getByText('Site was deleted').waitFor()
  await row.getByRole('button', { name: 'Edit' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('There is no such client site').waitFor()
  await dialog.getByLabel('Client Site').click()
  await page.getByRole('option', { name: 'https://austin.example' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await row.getByText('austin.example').waitFor()
})
