import type { Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import { inboundEventsTable } from '#domains/leads/intake/schema.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { clientSitesContract } from '#domains/sites/client/contract.ts'
import { clientSiteLogsTable, clientSitesTable } from '#domains/sites/client/schema.ts'
import { startLocalSites } from '#integrations/fakes/sites.ts'
import { OutboundClient } from '#integrations/outbound/outbound.ts'
import { setUp, startApp } from '#test/app.ts'
import { axeViolations } from '#test/axe.ts'
import { callsTo, confirmDialog, pathOf, see, visit } from '#test/visit.ts'

const sites = await setUp(startLocalSites())
const app = await setUp(startApp())
app.context.outbound = new OutboundClient({ ALLOWED_PRIVATE_RANGES: ['203.0.113.0/24', '127.0.0.1'] }, sites.world)
const root = await app.as(await app.make.superAdmin())
const campaign = await app.make.campaign({ name: 'Roofing Austin' })
beforeEach(async () => {
  await app.context.db.delete(inboundEventsTable) // they name their site
  await app.context.db.delete(leadsTable)
  await app.context.db.delete(clientSitesTable)
})

const open = async (search = '', options = {}) => {
  const page = await visit(app, root, `/client-sites${search}`, options)
  await page.getByRole('heading', { name: 'Client Sites', level: 1 }).waitFor()
  return page
}
const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
const urls = (page: Page) => page.locator('tbody tr td:first-child').allTextContents()
const two = async () => {
  const first = await app.make.clientSite({
    url: 'https://austin.roofs.example/',
    campaign_id: campaign.id,
    status: 1,
    ip: '203.0.113.7',
  })
  await app.make.clientSite({ url: 'http://www.dallas.roofs.example', status: 0, ip: '203.0.113.8' })
  await app.make.clientSite({ url: 'http://waco.roofs.example', status: null, ip: '203.0.113.70' })
  return first
}

test('the page lists 200 client sites with their columns and actions [CS-01] [CS-05] [CS-06]', async () => {
  await two()
  const page = await open()
  const row = rowOf(page, 'austin.roofs.example')
  await row.waitFor()
  await see(() => page.getByRole('columnheader').allTextContents()).toEqual([
    'URL',
    'Campaign',
    'Status',
    'IP',
    'Domains',
    'Links',
    "301's",
    'Actions',
  ])
  expect(callsTo(page, 'GET /api/clientsite?')).toContainEqual(expect.stringContaining('per_page=200'))
  for (const name of ['Check now', 'Edit', 'Logs', 'Hooks', 'Delete'])
    await see(() => row.getByRole('button', { name, exact: true }).count(), name).toBe(1)
  expect(await axeViolations(page)).toEqual([])
})

test("a URL opens the site in a new tab; Domains, Links and 301's open its lists [CS-07] [CS-08] [CS-09] [CS-10]", async () => {
  await two()
  const page = await open()
  const row = rowOf(page, 'austin.roofs.example')
  const link = row.getByRole('link', { name: 'austin.roofs.example' })
  expect([await link.getAttribute('href'), await link.getAttribute('target'), await link.getAttribute('rel')]).toEqual([
    'https://austin.roofs.example/',
    '_blank',
    'noreferrer noopener',
  ])
  const hrefs = (name: string) => rowOf(page, 'dallas').getByRole('link', { name, exact: true }).getAttribute('href')
  expect([await hrefs('Domains'), await hrefs('Links'), await hrefs("301's")]).toEqual([
    '/network-sites?host=dallas.roofs.example',
    '/network-sites/outgoing-links?url=dallas.roofs.example',
    '/redirect-domains?url=dallas.roofs.example',
  ])
})

test('a status is text, and green only when it is Live [CS-11]', async () => {
  await two()
  const page = await open()
  const kinds = async (name: string, words: string) =>
    rowOf(page, name).getByText(words, { exact: true }).getAttribute('data-kind')
  expect([await kinds('austin', 'Live'), await kinds('dallas', 'Offline'), await kinds('waco', '-')]).toEqual([
    'ok',
    'bad',
    'bad',
  ])
})

test('each filter narrows, and Reset is there only while one is set [CS-02] [CS-03]', async () => {
  await two()
  const page = await open()
  const reset = page.getByRole('button', { name: 'Reset', exact: true })
  await see(() => urls(page)).toHaveLength(3)
  expect(await reset.count()).toBe(0)
  await page.getByRole('searchbox', { name: 'URL' }).fill('dallas')
  await see(() => urls(page)).toEqual(['www.dallas.roofs.example'])
  await reset.click()
  await see(() => urls(page)).toHaveLength(3)
  expect(await reset.count()).toBe(0)
  await page.getByRole('searchbox', { name: 'IP' }).fill('203.0.113.7')
  await see(() => urls(page)).toEqual(['austin.roofs.example'])
  await reset.click()
  const filters = page.getByRole('group', { name: 'Filters' })
  await filters.getByRole('button', { name: 'Status' }).click()
  await page.getByRole('option', { name: 'Offline' }).click()
  await see(() => urls(page)).toEqual(['www.dallas.roofs.example'])
  await reset.click()
  await filters.getByRole('button', { name: 'Campaign' }).click()
  await page.getByRole('option', { name: /Roofing Austin/ }).click()
  await see(() => urls(page)).toEqual(['austin.roofs.example'])
})

test('an address with ip and campaign_id has its filters set [CS-04] [IP-05]', async () => {
  await two()
  const page = await open(`?ip=203.0.113.7&campaign_id=${campaign.id}`)
  await see(() => urls(page)).toEqual(['austin.roofs.example'])
  await see(() => page.getByRole('searchbox', { name: 'IP' }).inputValue()).toBe('203.0.113.7')
  await page.getByRole('button', { name: 'Campaign: Roofing Austin' }).waitFor()
})

test('a new site needs its three fields, with messages, and is then in the list [CS-12] [CS-13] [CS-14] [CS-15] [CS-19]', async () => {
  const page = await open()
  await page.getByRole('button', { name: 'Add Client Site' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add Client Site' })
  await dialog.getByLabel('URL', { exact: true }).waitFor()
  page.calls.length = 0
  await dialog.getByRole('button', { name: 'Save' }).click()
  for (const line of ['Please input URL', 'Please input CallRail Company ID', 'Please select Campaign'])
    await dialog.getByText(line, { exact: true }).waitFor()
  expect(page.calls).toEqual([])
  expect(await axeViolations(page)).toEqual([])
  await dialog.getByLabel('URL', { exact: true }).fill('new.roofs.example')
  await dialog.getByLabel('CallRail Company ID').fill('COM123')
  await dialog.getByRole('combobox', { name: 'Campaign' }).click()
  await page.getByRole('option', { name: /Roofing Austin/ }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Client Site was created successfully', { exact: true }).waitFor()
  await rowOf(page, 'new.roofs.example').waitFor()
})

test('editing starts from the current values, shows what another person has saved since, and is confirmed [CS-12] [CS-20]', async () => {
  const { id } = await two()
  const page = await open()
  await rowOf(page, 'austin').getByRole('button', { name: 'Edit' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit Client Site' })
  await see(() => dialog.getByLabel('URL', { exact: true }).inputValue()).toBe('https://austin.roofs.example/')
  await see(() => dialog.getByRole('combobox', { name: 'Campaign' }).inputValue()).toContain('Roofing Austin')
  await dialog.getByLabel('URL', { exact: true }).fill('https://houston.roofs.example')
  await dialog.getByLabel('CallRail Company ID').fill('COM9')
  const body = { url: 'https://austin.roofs.example/', callrail_campaign_identifier: 'COM5', campaign_id: campaign.id }
  await root.call(clientSitesContract.update, { params: { id }, body })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('Someone changed this to COM5').waitFor()
  await dialog.getByRole('button', { name: 'Keep mine' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Client Site was updated successfully', { exact: true }).waitFor()
  await rowOf(page, 'houston.roofs.example').waitFor()
})

test('the logs say when a site went up and down [CS-16]', async () => {
  const { id } = await two()
  await app.context.db.insert(clientSiteLogsTable).values([
    { site_id: id, status: 1, created_at: new Date('2026-03-01T14:05:00Z') },
    { site_id: id, status: 0, created_at: new Date('2026-03-02T14:05:00Z') },
  ])
  const page = await open()
  const button = rowOf(page, 'austin').getByRole('button', { name: 'Logs' })
  await button.click()
  const dialog = page.getByRole('dialog', { name: 'Status logs for https://austin.roofs.example/' })
  await dialog.getByText('03/01/2026 09:05').waitFor()
  await see(() => dialog.getByRole('columnheader').allTextContents()).toEqual(['Time', 'Status'])
  await see(() => dialog.locator('tbody tr').allTextContents()).toEqual([
    '03/02/2026 09:05Offline',
    '03/01/2026 09:05Live',
  ])
  expect(await axeViolations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  await see(() => button.evaluate((element) => element === document.activeElement)).toBe(true)
})

test('a cancelled delete sends nothing; a confirmed one is reported and removes the row [CS-17] [CS-18]', async () => {
  await two()
  const page = await open()
  const press = () => rowOf(page, 'austin').getByRole('button', { name: 'Delete' }).click()
  await press()
  page.calls.length = 0
  const asked = confirmDialog(page, 'Are you sure to remove this site?')
  await asked.getByRole('button', { name: 'Cancel' }).click()
  await asked.waitFor({ state: 'hidden' })
  expect(page.calls).toEqual([])
  await press()
  await asked.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('Client Site was removed successfully', { exact: true }).waitFor()
  await see(() => urls(page)).toHaveLength(2)
})

test('Check now checks the site and shows the result', async () => {
  sites.add('dallas.roofs.example')
  sites.known.set('www.dallas.roofs.example', sites.known.get('dallas.roofs.example')!)
  await two()
  const page = await open()
  await rowOf(page, 'dallas').getByText('Offline').waitFor()
  const check = rowOf(page, 'dallas').getByRole('button', { name: 'Check now' })
  await check.press('Enter')
  await page.getByText(/^Site was checked: Live\. The site answers 200/).waitFor()
  await see(() => check.evaluate((one) => one === document.activeElement)).toBe(true)
  await rowOf(page, 'dallas').getByText('Live').waitFor()
})

test('a status has its HTTP code, since when, and why; a site that was never reached is not called offline', async () => {
  const since = new Date('2026-03-04T12:00:00Z')
  const down = { status: 0, http_status_code: 503, problem: 'Error 503', checked_at: since }
  const lost = await app.make.clientSite({ url: 'https://lost.roofs.example', ...down })
  const coming = await app.make.clientSite({ url: 'https://coming.roofs.example', status: 0, checked_at: since })
  await app.context.db.insert(clientSiteLogsTable).values([
    { site_id: lost.id, status: 1, created_at: new Date('2026-03-01T12:00:00Z') },
    { site_id: lost.id, status: 0, created_at: since },
    { site_id: coming.id, status: 0, created_at: since },
  ])
  const page = await open()
  const status = (name: string) => rowOf(page, name).getByRole('cell').nth(2).textContent()
  await see(() => status('lost')).toMatch(/^Offline503since 03\/04\/2026 \d\d:\d\d( [AP]M)?Error 503$/)
  await see(() => status('coming')).toMatch(/^Not reached yet(?!since)/)
})

test('a site with only forms needs no CallRail company', async () => {
  const page = await open()
  await page.getByRole('button', { name: 'Add Client Site' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add Client Site' })
  await dialog.getByLabel('URL', { exact: true }).fill('forms.roofs.example')
  await dialog.getByRole('combobox', { name: 'Campaign' }).click()
  await page.getByRole('option', { name: /Roofing Austin/ }).click()
  await dialog.getByLabel('Only forms, no calls').click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await rowOf(page, 'forms.roofs.example').waitFor()
  // They move the rows down: a click before would miss.
  await page.getByRole('region', { name: 'Next steps' }).getByRole('listitem').first().waitFor()
  await rowOf(page, 'forms.roofs.example').getByRole('button', { name: 'Edit' }).click()
  const editing = page.getByRole('dialog', { name: 'Edit Client Site' })
  await see(() => editing.getByLabel('Only forms, no calls').isChecked()).toBe(true)
  await editing.getByLabel('Only forms, no calls').click()
  await editing.getByRole('button', { name: 'Save' }).click()
  const refusal = editing.getByText('Please input CallRail Company ID', { exact: true })
  await refusal.waitFor()
  await editing.getByLabel('Only forms, no calls').click()
  await see(() => refusal.count()).toBe(0) // it was refused for what was switched off
})

test('the addresses of the hooks can be copied, and creating a key asks first', async () => {
  const { id } = await two()
  const page = await open('', { viewport: { width: 390, height: 844 } })
  const card = page.getByRole('listitem').filter({ hasText: 'austin' })
  await card.getByRole('button', { name: 'More' }).click()
  await card.getByRole('button', { name: 'Hooks' }).click()
  const dialog = page.getByRole('dialog', { name: 'Hooks of https://austin.roofs.example/' })
  await see(() => dialog.getByLabel('Formidable', { exact: true }).inputValue()).toBe(
    `${app.url}/api/hooks/formidable/${id}`,
  )
  await see(() => dialog.getByLabel('CallRail', { exact: true }).inputValue()).toBe(`${app.url}/api/hooks/callrail`)
  expect(await axeViolations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Create a key' }).click()
  await confirmDialog(page, 'Are you sure you want to create a new key?').getByRole('button', { name: 'Yes' }).click()
  await page.getByText('New key was created', { exact: true }).waitFor()
  await see(async () => (await dialog.getByLabel('Key', { exact: true }).inputValue()).length).toBeGreaterThan(20)
  expect(pathOf(page)).toBe('/client-sites')
})

test('the hook dialog sends a test like a form, and says whether it arrived', async () => {
  const { id } = await two()
  const page = await open()
  await rowOf(page, 'austin').getByRole('button', { name: 'Hooks' }).click()
  const dialog = page.getByRole('dialog', { name: 'Hooks of https://austin.roofs.example/' })
  const send = dialog.getByRole('button', { name: 'Send a test' })
  await see(() => send.isDisabled()).toBe(true)
  await dialog.getByRole('button', { name: 'Create a key' }).click()
  await confirmDialog(page, 'Are you sure you want to create a new key?').getByRole('button', { name: 'Yes' }).click()
  await send.click()
  await page.getByText('The test arrived: forms with this key reach Leadline').waitFor()
  // A key that a colleague has since replaced is refused like any other.
  await root.call(clientSitesContract.newHookKey, { params: { id } })
  await send.click()
  await page.getByRole('alert').getByText('The test was refused: The signature or key is wrong').waitFor()
  await page.route('**/api/hooks/formidable/*', (route) =>
    route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' }),
  )
  await send.click()
  await page.getByRole('alert').getByText('The test was refused: 502').waitFor()
})
