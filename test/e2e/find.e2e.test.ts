import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { setUp, startApp } from '#test/app.ts'
import { axeViolations } from '#test/axe.ts'
import { callsTo, pathOf, see, visit } from '#test/visit.ts'

const app = await setUp(startApp())
const root = await app.as(await app.make.superAdmin())
const client = await app.make.client({ name: 'Acme Roofing Company' })
const campaign = (await app.make.campaign({ name: 'North Roofing', client_id: client.id })).id
await app.make.lead({
  campaign_id: campaign,
  lead_name: 'Ann Finder',
  lead_phone: '+13035550101',
  occurred_at: new Date('2024-02-03T18:00:00Z'),
})

const box = (page: Page) => page.getByRole('combobox', { name: /^Find a screen/ })
const options = (page: Page) => page.getByRole('listbox', { name: 'Found' }).getByRole('option')
/** The keys open it as soon as its button is there. */
async function openFind(page: Page) {
  await page.getByRole('button', { name: 'Find (Ctrl K)' }).waitFor()
  await page.keyboard.press('Control+k')
}
async function find(page: Page, words: string, option: string) {
  await openFind(page)
  await box(page).fill(words)
  await options(page).filter({ hasText: option }).first().waitFor()
}

test('Ctrl K finds screens, campaigns, clients and leads by phone, and goes there [WORK-12]', async () => {
  const page = await visit(app, root, '/')
  await openFind(page)
  await see(() => options(page).count()).toBeGreaterThan(3)
  expect(await axeViolations(page, { within: '[role=dialog]' })).toEqual([])
  await box(page).fill('campaign cat')
  await see(() => options(page).first().textContent()).toContain('Campaign Categories')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Campaign Categories' }).waitFor()

  // A screen that no menu has.
  await find(page, 'billing', 'Statements')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Statements' }).waitFor()

  await find(page, 'north roof', 'North Roofing')
  await options(page).filter({ hasText: 'Campaign' }).first().click()
  await see(() => pathOf(page)).toMatch(/^\/campaign\/\d+$/)
  await page.getByRole('heading', { name: 'Campaign North Roofing', level: 1 }).waitFor()

  await find(page, 'acme', 'Acme Roofing Company')
  await options(page)
    .filter({ hasText: /Client$/ })
    .first()
    .click()
  await see(() => pathOf(page)).toMatch(/^\/client\/\d+$/)
  await page.getByRole('heading', { name: 'Client Acme Roofing Company', level: 1 }).waitFor()

  await find(page, '303-555-0101', 'Ann Finder')
  await options(page).getByText('+1 (303) 555-0101 · North Roofing').waitFor()
  await page.keyboard.press('Enter')
  await see(() => pathOf(page)).toMatch(/^\/lead\/\d+$/)
  await page.getByRole('heading', { name: 'Ann Finder', level: 1 }).waitFor()

  await openFind(page) // the last visited place comes first
  await see(() => options(page).first().textContent()).toContain('Ann Finder')
  await page.keyboard.press('Escape')
  await box(page).waitFor({ state: 'detached' })
}, 90_000)

test('the number of a lead finds it before the phones that have it, and a number that no lead has finds nothing [WORK-12]', async () => {
  const page = await visit(app, root, '/')
  const number = 4_203_551
  await app.context.pool.query(`select setval(pg_get_serial_sequence('leads', 'id'), $1, false)`, [number])
  await app.make.lead({ campaign_id: campaign, lead_name: 'Numa Found', lead_phone: null })
  await app.make.lead({ campaign_id: campaign, lead_name: 'Phil Phone', lead_phone: `+1303${number}` })
  await find(page, String(number), 'Phil Phone')
  await see(() => options(page).first().textContent()).toContain('Numa Found')
  await options(page).first().getByText(`No. ${number} · North Roofing`).waitFor()
  await box(page).fill('4203599')
  await page.getByText('Nothing found').waitFor()
  await box(page).fill(`#${number}`)
  await page.keyboard.press('Enter')
  await see(() => pathOf(page)).toBe(`/lead/${number}`)
  await page.getByRole('heading', { name: 'Numa Found', level: 1 }).waitFor()
}, 90_000)

test('Enter right after the last letter waits for what is typed, and a failed search says so', async () => {
  const page = await visit(app, root, '/')
  await find(page, 'acme', 'Acme Roofing Company')
  await box(page).fill('303-555-0101')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Ann Finder', level: 1 }).waitFor()

  await page.route('**/api/leads/list/data?*', (route) => route.fulfill({ status: 500, json: { message: 'Broken' } }))
  await openFind(page)
  await box(page).fill('somebody unknown')
  await page.getByText('Not everything could be searched: Broken').waitFor()
  expect(await page.getByText('Nothing found').count()).toBe(0)
}, 90_000)

test('people are not offered what they may not open, and no request is sent for it', async () => {
  const handler = await app.as(await app.make.handler({ permissions: ['archivedleads'], campaigns: [campaign] }))
  const page = await visit(app, handler, '/leads/archive')
  await page.getByRole('button', { name: 'Find (Ctrl K)' }).click()
  await box(page).fill('roofing')
  await options(page).filter({ hasText: 'North Roofing' }).waitFor()
  await see(() => options(page).count()).toBe(1)
  expect(callsTo(page, 'GET /api/client')).toEqual([])
  expect(callsTo(page, 'GET /api/leads/list/data')).toEqual([])
  await box(page).fill('cpanel') // a page that says nothing yet
  await page.getByText('Nothing found').waitFor()
}, 90_000)

test('Enter goes to the client whose whole name was typed, before campaigns, and archived ones come last [WORK-12]', async () => {
  const exact = await app.make.client({ name: 'Delta Fences' })
  await app.make.campaign({ name: 'Delta Fences Tulsa', client_id: exact.id, archived: true })
  await app.make.campaign({ name: 'Delta Fences Reno', client_id: exact.id })
  for (let count = 0; count < 8; count += 1) await app.make.client({ name: `A${count} Delta Fences` })
  const page = await visit(app, root, '/')
  await find(page, 'delta fences', 'Tulsa')
  const found = await options(page).allTextContents()
  expect(found[0]).toBe('Delta FencesClient')
  expect(found.at(-1)).toContain('Tulsa')
  await page.keyboard.press('Enter')
  await see(() => pathOf(page)).toBe(`/client/${exact.id}`)
}, 90_000)

test('Find lists sites and listings too, each kind in its place, and opens their pages', async () => {
  const site = await app.make.clientSite({ campaign_id: campaign, url: 'https://everywhere-site.example' })
  const category = await app.make.networkCategory({ name: 'Directories' })
  await app.make.networkSite({ url: 'https://everywhere-network.example', category_id: category.id })
  const listing = await app.make.gmb({ campaign_id: campaign, title: 'Everywhere Roofing' })
  const page = await visit(app, root, '/')
  await openFind(page)
  await box(page).fill('everywhere')
  await see(() => options(page).allTextContents()).toEqual([
    'https://everywhere-site.exampleClient site',
    'https://everywhere-network.exampleDirectoriesNetwork site',
    'Everywhere RoofingNorth RoofingListing',
  ])
  await options(page).filter({ hasText: 'Client site' }).click()
  await see(() => pathOf(page)).toBe(`/site/client/${site.id}`)
  await find(page, 'everywhere', 'Listing')
  await options(page).filter({ hasText: 'North Roofing' }).click()
  await see(() => pathOf(page)).toBe(`/listing/${listing.id}`)
}, 90_000)
