import { beforeEach, describe, expect, test } from 'vitest'
import { viewsContract } from '#domains/access/views/contract.ts'
import { viewsTable } from '#domains/access/views/schema.ts'
import { type Caller, setUp, startApp } from '#test/app.ts'
import { axeViolations } from '#test/axe.ts'
import { confirmDialog, pathOf, see, type Visit, visit } from '#test/visit.ts'

/** Saved views: tabs over the lists. */
const app = await setUp(startApp())
const campaign_id = (await app.make.campaign({ name: 'North Roofing' })).id
for (const confirmed of [true, false, false]) await app.make.lead({ campaign_id, confirmed })
await app.make.campaign({ name: 'South Plumbing' })
beforeEach(() => app.context.db.delete(viewsTable)) // shared ones of other tests are tabs too

const superAdmin = async () => app.as(await app.make.superAdmin())
const tabs = (page: Visit) => page.getByRole('tablist', { name: 'Views' }).getByRole('tab')
const tab = (page: Visit, name: string) => tabs(page).filter({ hasText: new RegExp(`^${name}`) })
const namesOf = (page: Visit) => tabs(page).allTextContents()
const chosen = (page: Visit) =>
  page.getByRole('tablist', { name: 'Views' }).getByRole('tab', { selected: true }).textContent()
const saveButton = (page: Visit) => page.getByRole('button', { name: 'Save view' })
const saveDialog = (page: Visit) => page.getByRole('dialog', { name: 'Save view' })
const verified = { table: 'leads', name: 'Judged', query: { confirmed: '1' } } as const
const make = (who: Caller, body: object) => who.call(viewsContract.create, { body })

describe('on Leads', () => {
  test('"Save view" appears when filters differ; the view is a tab with its count [WORK-11]', async () => {
    const page = await visit(app, await superAdmin(), '/leads')
    await page.locator('tr[data-index]').first().waitFor()
    expect(await saveButton(page).count()).toBe(0)
    await page.goto(`${app.url}/leads?confirmed=1`)
    await saveButton(page).click()
    await saveDialog(page).getByLabel('Name').fill('Done')
    await saveDialog(page).getByRole('button', { name: 'Save' }).click()
    await see(() => namesOf(page)).toEqual(['To review2', 'Missed calls0', 'All3', 'Done1'])
    expect(await chosen(page)).toBe('Done1')
    expect(await saveButton(page).count()).toBe(0)
    await tab(page, 'All').click()
    await see(() => pathOf(page)).toBe('/leads')
    await see(() => page.locator('tr[data-index]').count()).toBe(3)
    await tab(page, 'Done').click()
    await see(() => page.locator('tr[data-index]').count()).toBe(1)
    expect(new URL(page.url()).searchParams.get('confirmed')).toBe('1')
    await page.goBack()
    await see(() => chosen(page)).toBe('All3')
    await tab(page, 'All').press('ArrowRight')
    await see(() => chosen(page)).toBe('Done1')
    expect(await axeViolations(page)).toEqual([])
  })

  test('the default comes first and opens with the list; All is still there [WORK-11]', async () => {
    const root = await superAdmin()
    await make(root, { ...verified, name: 'A first' })
    await make(root, { ...verified, name: 'Judged' })
    const page = await visit(app, root, '/leads')
    await tab(page, 'Judged').click()
    await page.getByRole('button', { name: 'View options' }).click()
    await page.getByRole('menuitem', { name: 'Make it my default' }).click()
    await see(() => namesOf(page)).toEqual(['Judged1', 'To review2', 'Missed calls0', 'All3', 'A first1'])
    await page.goto(`${app.url}/leads`)
    await see(() => chosen(page)).toBe('Judged1')
    await see(() => page.locator('tr[data-index]').count()).toBe(1)
    await tab(page, 'All').click()
    await see(() => page.locator('tr[data-index]').count()).toBe(3)
    await page.reload()
    await see(() => chosen(page)).toBe('All3')
  })

  test('a view has its own columns and order; a shared one is there for others [WORK-11]', async () => {
    const root = await superAdmin()
    const columns = ['campaign_name', 'lead_email', 'lead_date']
    await make(root, { ...verified, name: 'Shared one', columns, shared: 'admin' })
    const page = await visit(app, await app.as(await app.make.admin()), '/leads')
    const heads = async () =>
      (await page.getByRole('table').locator('thead th').allInnerTexts()).map((text) => text.trim()).filter(Boolean)
    await tab(page, 'Shared one').click()
    await see(heads).toEqual(['Campaign', 'Email', 'Date'])
    await page.getByRole('button', { name: 'View options' }).click()
    await page.getByRole('menuitem', { name: 'Make it my default' }).waitFor()
    expect(await page.getByRole('menuitem', { name: 'Remove view' }).count()).toBe(0)
  })
})

describe('on Campaigns', () => {
  test('a changed view can be updated or saved as a new one, edited and removed [WORK-11]', async () => {
    const root = await superAdmin()
    await make(root, { table: 'campaigns', name: 'Ours', query: { q: 'South' } })
    const page = await visit(app, root, '/campaigns')
    const rows = page.locator('tr[data-index]')
    const search = async (text: string) => {
      await page.getByRole('searchbox', { name: 'Search by Campaign or Client Name' }).fill(text)
      await see(() => new URL(page.url()).searchParams.get('q')).toBe(text)
    }
    const updateButton = page.getByRole('button', { name: 'Update “Ours”' })
    await see(() => namesOf(page)).toEqual(['All2', 'Ours1'])
    await tab(page, 'Ours').click()
    await see(() => rows.count()).toBe(1)
    expect(await updateButton.count()).toBe(0)

    // The search shows other rows; the view's own count stays until it is updated.
    await search('o')
    await see(() => rows.count()).toBe(2)
    await see(() => namesOf(page)).toEqual(['All2', 'Ours1'])
    await updateButton.click()
    await updateButton.waitFor({ state: 'detached' })
    await see(() => namesOf(page)).toEqual(['All2', 'Ours2'])
    expect(await saveButton(page).count()).toBe(0)

    // Saved as a new view, it is selected, and the first one is unchanged.
    await search('North')
    await saveButton(page).click()
    await saveDialog(page).getByLabel('Name').fill('Northern')
    await saveDialog(page).getByRole('button', { name: 'Save' }).click()
    await see(() => chosen(page)).toBe('Northern1')
    await see(() => namesOf(page)).toEqual(['All2', 'Northern1', 'Ours2'])
    expect((await root.call(viewsContract.list, { query: { table: 'campaigns' } })).body).toMatchObject([
      { name: 'Northern', query: { q: 'North' } },
      { name: 'Ours', query: { q: 'o' } },
    ])

    const options = page.getByRole('button', { name: 'View options' })
    await options.click()
    await page.getByRole('menuitem', { name: 'Edit view…' }).click()
    const edit = page.getByRole('dialog', { name: 'Edit view' })
    await see(() => edit.getByLabel('Name').inputValue()).toBe('Northern')
    await edit.getByLabel('Name').fill('')
    await edit.getByRole('button', { name: 'Save' }).click()
    await edit.getByText('Please input a name').waitFor()
    await edit.getByLabel('Name').fill('Up north')
    await edit.getByRole('button', { name: 'Save' }).click()
    await see(() => namesOf(page)).toEqual(['All2', 'Ours2', 'Up north1'])
    expect(await chosen(page)).toBe('Up north1')

    await options.click()
    await page.getByRole('menuitem', { name: 'Remove view' }).click()
    const asked = confirmDialog(page, 'Are you sure to remove this view?')
    await asked.getByRole('button', { name: 'Delete' }).click()
    await see(() => namesOf(page)).toEqual(['All2', 'Ours2'])
    await see(() => pathOf(page)).toBe('/campaigns')
    await see(() => chosen(page)).toBe('All2')
    await see(() => rows.count()).toBe(2)
    expect((await root.call(viewsContract.list, { query: { table: 'campaigns' } })).body).toHaveLength(1)
  })
})

test('renaming a shared view keeps the filters that another person has saved since [WORK-11]', async () => {
  const root = await superAdmin()
  const { id } = (await make(root, { ...verified, shared: 'admin' })).body
  const page = await visit(app, await superAdmin(), '/leads')
  await tab(page, 'Judged').click()
  await page.getByRole('button', { name: 'View options' }).click()
  await page.getByRole('menuitem', { name: 'Edit view…' }).click()
  const edit = page.getByRole('dialog', { name: 'Edit view' })
  await edit.getByLabel('Name').fill('Not judged')
  await root.call(viewsContract.update, { params: { id }, body: { query: { confirmed: '0' } } })
  await edit.getByRole('button', { name: 'Save' }).click()
  await tab(page, 'Not judged').waitFor()
  expect((await root.call(viewsContract.list, { query: { table: 'leads' } })).body).toMatchObject([
    { name: 'Not judged', query: { confirmed: '0' } },
  ])
})

describe('on other lists', () => {
  const lists = [
    ['campaigns', '/campaigns', 'q', 'South'],
    ['client-sites', '/client-sites', 'url', 'north'],
    ['campaign-gmbs', '/campaign-gmbs', 'search', 'north'],
    ['leads-table', '/leads/table', 'archived', '1'],
    ['activity', '/activity-log', 'my_tasks', '1'],
  ] as const
  test.each(lists)('%s has views [WORK-11]', async (table, path, name, value) => {
    const root = await superAdmin()
    await make(root, { table, name: 'Mine', query: { [name]: value } })
    const page = await visit(app, root, path)
    await tab(page, 'Mine').click()
    await see(() => new URL(page.url()).searchParams.get(name)).toBe(value)
    await see(() => chosen(page)).toMatch(/^Mine\d+$/)
    expect(await saveButton(page).count()).toBe(0)
    await tab(page, 'All').click()
    await see(() => new URL(page.url()).searchParams.get(name)).toBeNull()
    expect(await axeViolations(page)).toEqual([])
  })
})
