import { eq } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { campaignsContract } from '#domains/campaigns/contract.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { setUp, startApp } from '#test/app.ts'
import { axeViolations } from '#test/axe.ts'
import { callsTo, pathOf, see, typeAtOnce, type Visit, visit } from '#test/visit.ts'

const ids = { roofing: 0, alpha: 0 }

const app = await setUp(startApp({ settings: { AGENCY_TIMEZONE: 'UTC' } }))
const { make } = app
const root = await app.as(await make.superAdmin())
ids.roofing = (await make.category({ name: 'Roofing', color: '#aa3311' })).id
const plumbing = await make.category({ name: 'Plumbing', color: '#1133aa' })
const acme = await make.client({ name: 'Acme' })
ids.alpha = (
  await make.campaign({
    name: 'Alpha roofs',
    client_id: acme.id,
    categories: [ids.roofing],
    manager: 'Morgan',
    start_date: '2024-03-09',
    due_date: 20,
    initial_target: 10,
    month_3_target: 1500,
    service_fee: 1500,
    approved_ppc: 500,
  })
).id
await make.campaign({
  name: 'Beta pipes',
  client_id: acme.id,
  categories: [plumbing.id],
  due_date: 5,
  start_date: null,
})
await make.campaign({ name: 'Gamma roofs', categories: [ids.roofing], due_date: 7 })
await make.campaign({ name: 'Closed roofs', categories: [ids.roofing], archived: true, service_fee: 70 })
for (const name of ['north', 'south', 'west', 'east'])
  await make.clientSite({ campaign_id: ids.alpha, url: `https://${name}.acme.example` })
await make.gmb({ campaign_id: ids.alpha })

const open = (query = '', options: Parameters<typeof visit>[3] = {}) => visit(app, root, `/campaigns${query}`, options)
const rowsOf = (page: Page) => page.locator('tr[data-index]')
const rowOf = (page: Page, name: string) => rowsOf(page).filter({ hasText: name })
const names = (page: Page) => rowsOf(page).locator('td:nth-child(2)').allTextContents()
const tab = (page: Page, name: string) => page.getByRole('tab', { name })
const searchOf = (page: Page) => page.getByPlaceholder('Search by Campaign or Client Name')
const askedOf = (page: Visit) =>
  callsTo(page, 'GET /api/campaigns?').map((call) => new URLSearchParams(call.split('?')[1]))
const cellOf = async (page: Page, row: string, column: string) => {
  await rowOf(page, row).waitFor()
  const heads = await page.getByRole('columnheader').allTextContents()
  return rowOf(page, row).locator('td').nth(heads.indexOf(column))
}
async function scrollRight(page: Page) {
  await page.locator('section[aria-label=Campaigns]').evaluate((element) => element.scrollTo(10_000, 0))
}

test('at 1440 pixels the target of this month is in sight, beside the actions', async () => {
  const page = await open()
  const target = (await (await cellOf(page, 'Alpha roofs', 'Current Month Target')).boundingBox())!
  const actions = (await (await cellOf(page, 'Alpha roofs', 'Actions')).boundingBox())!
  expect(target.x + target.width).toBeLessThanOrEqual(actions.x)
})

test('the address opens the page, in the order of the due dates, fifty a page [CAMP-01] [CAMP-15] [CAMP-07]', async () => {
  const page = await open()
  await page.getByRole('heading', { name: 'Campaigns', level: 1 }).waitFor()
  await see(() => names(page)).toEqual(['Beta pipes', 'Gamma roofs', 'Alpha roofs'])
  expect(Object.fromEntries(askedOf(page)[0]!)).toEqual({ sort: 'due_date', order: 'asc', page: '1', per_page: '50' })
  await page.getByText('Total Campaigns: 3').waitFor()
  await see(() => page.getByRole('navigation').getByRole('link', { name: 'Campaigns', exact: true }).count()).toBe(1)
})

test('the columns have their order and formats [CAMP-08] [CAMP-13]', async () => {
  const page = await open()
  await rowOf(page, 'Alpha roofs').waitFor()
  await see(() => page.locator('section[aria-label=Campaigns]').getByRole('columnheader').allTextContents()).toEqual([
    'NM ID',
    'Name',
    'Category',
    'Client',
    'Client Sites',
    'Manager',
    'Start Date',
    'Due Date',
    'Current Month Target',
    'Initial Target',
    '3 Month Target',
    '6 Month Target',
    '9 Month Target',
    '12 Month Target',
    'Service Fee',
    'Approved PPC',
    'PPC %',
    'Net',
    'GMBs count',
    'Actions',
  ])
  const alpha = await rowOf(page, 'Alpha roofs').locator('td').allTextContents()
  expect(alpha.toSpliced(4, 1).slice(0, -1)).toEqual(
    [
      String(ids.alpha),
      'Alpha roofs',
      'Roofing',
      'Acme',
      'Morgan',
      '03/09/2024',
      '20',
      '1,500',
      '10',
      '1,500',
      '–',
      '–',
      '–',
    ].concat(['$1,500.00', '$500.00', '33.33%', '$1,000.00', '1']),
  )
  await see(async () => (await cellOf(page, 'Beta pipes', 'Start Date')).textContent()).toBe('N/A')
})

test('a category has its color as a marker [CAMP-09]', async () => {
  const page = await open()
  const marker = rowOf(page, 'Alpha roofs').getByTitle('#aa3311')
  await see(() => marker.evaluate((element) => getComputedStyle(element).backgroundColor)).toBe('rgb(170, 51, 17)')
})

test('client sites are links, and many of them fold [CAMP-10]', async () => {
  const page = await open()
  const sites = await cellOf(page, 'Alpha roofs', 'Client Sites')
  const link = sites.getByRole('link', { name: 'east.acme.example', exact: true })
  expect([await link.getAttribute('href'), await link.getAttribute('target')]).toEqual([
    'https://east.acme.example',
    '_blank',
  ])
  expect(await sites.getByRole('link', { name: 'west.acme.example', exact: true }).count()).toBe(0)
  await sites.getByRole('button', { name: '2 more' }).click()
  await sites.getByRole('link', { name: 'west.acme.example', exact: true }).waitFor()
})

test('an invalid start date is N/A too [CAMP-13]', async () => {
  const { body } = await root.call(campaignsContract.list)
  const data = [{ ...body.data[0], start_date: '2025-13-45' }]
  const page = await open('', {
    before: (page) => page.route('**/api/campaigns?*', (route) => route.fulfill({ json: { ...body, data } })),
  })
  await see(async () => (await cellOf(page, 'Beta pipes', 'Start Date')).textContent()).toBe('N/A')
})

test('a category in the address is a breadcrumb and a filter; Campaigns leads back to all [CAMP-02] [CAMP-03]', async () => {
  const page = await open(`?campaign_category_id=${ids.roofing}&q=o`)
  await page.getByRole('heading', { name: 'Campaigns / Roofing Category', level: 1 }).waitFor()
  await see(() => names(page)).toEqual(['Gamma roofs', 'Alpha roofs'])
  await page.getByText('Total Campaigns: 2').waitFor()
  await page.getByRole('heading', { level: 1 }).getByRole('link', { name: 'Campaigns' }).click()
  await page.getByRole('heading', { name: 'Campaigns', exact: true, level: 1 }).waitFor()
  await see(() => names(page)).toEqual(['Gamma roofs', 'Alpha roofs'])
  expect(pathOf(page)).toBe('/campaigns?q=o')
  await page.getByRole('button', { name: 'Reset' }).click()
  await see(() => names(page)).toHaveLength(3)
})

test('a missing category says so', async () => {
  const page = await open('?campaign_category_id=999999')
  await page.getByRole('heading', { name: 'Campaigns / Unknown Category' }).waitFor()
  await page.getByText('List is empty').waitFor()
})

test('the count of a category leads to its campaigns [CCAT-03]', async () => {
  const page = await visit(app, root, '/campaign-categories')
  await page.getByRole('row').filter({ hasText: 'Roofing' }).getByRole('link', { name: '2' }).click()
  await page.getByRole('heading', { name: 'Campaigns / Roofing Category' }).waitFor()
  expect(pathOf(page)).toBe(`/campaigns?campaign_category_id=${ids.roofing}`)
  await see(() => names(page)).toEqual(['Gamma roofs', 'Alpha roofs'])
})

test('the search waits for a pause in typing and sends one request, for campaign, client or site [CAMP-04]', async () => {
  const page = await open()
  await rowOf(page, 'Alpha roofs').waitFor()
  page.calls.length = 0
  await typeAtOnce(searchOf(page), 'ACME')
  await see(() => names(page)).toEqual(['Beta pipes', 'Alpha roofs'])
  expect(askedOf(page).map((asked) => asked.get('q'))).toEqual(['ACME'])
  await searchOf(page).fill('Alpha roofs')
  await see(() => names(page)).toEqual(['Alpha roofs'])
  await page.getByText('Total Campaigns: 1').waitFor()
})

test('a site of a row, and a url in the address, are searched for [CAMP-11] [CAMP-12]', async () => {
  const page = await open()
  await rowOf(page, 'Alpha roofs').hover()
  await page.getByRole('link', { name: 'Search for north.acme.example' }).click()
  await see(() => names(page)).toEqual(['Alpha roofs'])
  await see(() => searchOf(page).inputValue()).toBe('https://north.acme.example')
  const linked = await open('?url=west.acme.example')
  await see(() => names(linked)).toEqual(['Alpha roofs'])
  expect([await searchOf(linked).inputValue(), pathOf(linked)]).toEqual([
    'west.acme.example',
    '/campaigns?q=west.acme.example',
  ])
  expect(askedOf(linked).map((asked) => asked.get('q'))).toEqual(['west.acme.example'])
})

test('every column but the id sorts: up, down, and back to the due date [CAMP-14]', async () => {
  const page = await open()
  await rowOf(page, 'Alpha roofs').waitFor()
  const heads = page.locator('section[aria-label=Campaigns]').getByRole('columnheader')
  const buttons = heads.getByRole('button')
  await see(() => buttons.count()).toBe(campaignsContract.list.list.sorts.length)
  const sorted: string[] = []
  for (let index = 0; index < campaignsContract.list.list.sorts.length; index++) {
    page.calls.length = 0
    await buttons.nth(index).click()
    await see(() => askedOf(page).length).toBe(1)
    const [asked] = askedOf(page)
    sorted.push(asked!.get('sort')!)
    expect(asked!.get('order')).toBe('asc')
  }
  expect(sorted).toEqual([...campaignsContract.list.list.sorts])
  const name = heads.getByRole('button', { name: 'Name' })
  await name.click()
  await see(() => names(page)).toEqual(['Alpha roofs', 'Beta pipes', 'Gamma roofs'])
  await name.click()
  await see(() => names(page)).toEqual(['Gamma roofs', 'Beta pipes', 'Alpha roofs'])
  await name.click()
  await see(() => names(page)).toEqual(['Beta pipes', 'Gamma roofs', 'Alpha roofs'])
})

test('the summary has totals and averages of all matches [CAMP-20]', async () => {
  const page = await open('?q=Alpha')
  const summary = page.getByRole('table', { name: 'Summary' })
  await see(() => summary.getByRole('row').allInnerTexts()).toEqual([
    'Summary\tApproved PPC\tNet\tPPC %\tService Fee',
    'Total\t$500.00\t$1,000.00\t–\t$1,500.00',
    'Average\t$500.00\t–\t33.33%\t$1,500.00',
  ])
})

test('each tab has its own list, summary and pages; arrow keys change tabs [CAMP-06]', async () => {
  const page = await open()
  await see(() => tab(page, 'Active Campaigns').getAttribute('aria-selected')).toBe('true')
  await rowOf(page, 'Alpha roofs').waitFor()
  await tab(page, 'Archived Campaigns').click()
  await see(() => names(page)).toEqual(['Closed roofs'])
  await page.getByText('Total Campaigns: 1').waitFor()
  await page.getByRole('table', { name: 'Summary' }).getByRole('cell', { name: '$70.00' }).first().waitFor()
  expect(pathOf(page)).toBe('/campaigns?tab=archived')
  await page.keyboard.press('ArrowLeft')
  await see(() => names(page)).toHaveLength(3)
  await page.goBack()
  await see(() => names(page)).toEqual(['Closed roofs'])
})

describe('archive and restore', () => {
  const action = (page: Page, row: string, name: string) => rowOf(page, row).getByRole('button', { name, exact: true })
  const actions = (page: Page, row: string) =>
    rowOf(page, row)
      .locator('td:last-child button')
      .evaluateAll((buttons) => buttons.map((button) => button.getAttribute('aria-label')))

  test('a row has the actions of its tab [CAMP-16] [CAMP-17]', async () => {
    const page = await open()
    await rowOf(page, 'Alpha roofs').waitFor()
    const active = await actions(page, 'Alpha roofs')
    expect(active).toEqual(expect.arrayContaining(['Edit', 'Working hours', 'Archive']))
    expect(active).not.toContain('Restore')
    await tab(page, 'Archived Campaigns').click()
    await rowOf(page, 'Closed roofs').waitFor()
    const archived = await actions(page, 'Closed roofs')
    expect(archived).toEqual(expect.arrayContaining(['Edit', 'Working hours', 'Restore']))
    expect(archived).not.toContain('Archive')
  })

  test('what lost its answer and was taken back is made again, not answered as the first time [CAMP-18]', async () => {
    const { id } = await app.make.campaign({ name: 'There and back', categories: [ids.roofing] })
    onTestFinished(async () => void (await app.context.db.delete(campaignsTable).where(eq(campaignsTable.id, id))))
    const page = await open()
    await page.route(`**/api/campaign/${id}/archive`, (route) => route.fetch().then(() => route.abort()), { times: 1 })
    const lost = page.waitForEvent('requestfailed')
    await action(page, 'There and back', 'Archive').click()
    await lost
    await tab(page, 'Archived Campaigns').click()
    await action(page, 'There and back', 'Restore').click()
    await see(() => names(page)).toEqual(['Closed roofs'])
    await tab(page, 'Active Campaigns').click()
    await action(page, 'There and back', 'Archive').click()
    await see(() => names(page)).not.toContain('There and back')
    expect((await root.call(campaignsContract.get, { params: { id } })).body.archived).toBe(1)
  })

  test('the campaign moves to the other tab, which is reloaded; Undo brings it back [CAMP-18] [CAMP-19]', async () => {
    const { id } = await app.make.campaign({ name: 'Mover', categories: [ids.roofing] })
    onTestFinished(async () => void (await app.context.db.delete(campaignsTable).where(eq(campaignsTable.id, id))))
    const isArchived = async () =>
      (await root.call(campaignsContract.all)).body.find((one: { id: number }) => one.id === id).archived
    const page = await open()
    await tab(page, 'Archived Campaigns').click()
    await rowOf(page, 'Closed roofs').waitFor()
    await tab(page, 'Active Campaigns').click()
    await action(page, 'Mover', 'Archive').click()
    await page.getByText('Campaign was changed successfully').waitFor()
    await see(() => names(page)).not.toContain('Mover')
    await page.getByText('Total Campaigns: 3').waitFor()
    page.calls.length = 0
    await tab(page, 'Archived Campaigns').click()
    await rowOf(page, 'Mover').waitFor()
    expect(callsTo(page, 'GET /api/campaigns/archived')).toHaveLength(1)
    await see(() => isArchived()).toBe(1)

    await action(page, 'Mover', 'Restore').click()
    await see(() => names(page)).toEqual(['Closed roofs'])
    await tab(page, 'Active Campaigns').click()
    await rowOf(page, 'Mover').waitFor()
    expect(await isArchived()).toBe(0)
    await action(page, 'Mover', 'Archive').click()
    await see(() => names(page)).not.toContain('Mover')
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await rowOf(page, 'Mover').waitFor()
    expect(await isArchived()).toBe(0)
    await root.call(campaignsContract.archive, { params: { id } })
  })

  test('pickers do not offer an archived campaign; their options have client and category color [CAMP-54]', async () => {
    const page = await visit(app, root, '/leads')
    await page.getByRole('button', { name: 'Campaigns' }).click()
    await page.getByPlaceholder('Type to find').fill('acme')
    const options = page.getByRole('listbox', { name: 'Campaigns' }).getByRole('option')
    await see(() => options.allTextContents()).toEqual(['Alpha roofs Acme', 'Beta pipes Acme'])
    const marker = options.first().locator('span').first()
    await see(() => marker.evaluate((element) => getComputedStyle(element).backgroundColor)).toBe('rgb(170, 51, 17)')
    await page.getByPlaceholder('Type to find').fill('Closed')
    await page.getByText('Nothing found').waitFor()
  })
})

test('axe finds nothing on the page', async () => {
  const page = await open(`?campaign_category_id=${ids.roofing}`)
  await rowOf(page, 'Alpha roofs').waitFor()
  await scrollRight(page)
  expect(await axeViolations(page)).toEqual([])
})
