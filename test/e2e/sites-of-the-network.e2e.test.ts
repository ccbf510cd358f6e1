import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import { addDays, getToday } from '#contract/days.ts'
import { ipsTable } from '#domains/sites/ips/schema.ts'
import { networkSitesContract } from '#domains/sites/network/contract.ts'
import { networkSiteLogsTable, networkSitesTable } from '#domains/sites/network/schema.ts'
import { registrationsTable } from '#domains/sites/registrations/schema.ts'
import { setUp, startApp } from '#test/app.ts'
import { axeViolations } from '#test/axe.ts'
import { callsTo, confirmDialog, pathOf, see, visit } from '#test/visit.ts'

const app = await setUp(startApp())
const root = await app.as(await app.make.superAdmin())
const blogs = await app.make.networkCategory({ name: 'Blogs' })
beforeEach(async () => {
  await app.context.db.delete(networkSitesTable)
  await app.context.db.delete(registrationsTable)
})

const open = async (path = '/network-sites', heading = 'Network Sites', options = {}) => {
  const page = await visit(app, root, path, options)
  await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
  return page
}
const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
const urls = (page: Page) => page.locator('main tbody tr td:first-child').allTextContents()
const soon = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10)

async function two() {
  await app.context.db.insert(registrationsTable).values({
    domain: 'first.example',
    registrar: 'Names Inc.',
    registrant: 'Redacted',
    registered_on: '2019-04-01',
    expires_on: soon,
    nameservers: ['ns1.x.example', 'ns2.x.example'],
  })
  await app.context.db
    .insert(ipsTable)
    .values({
      ip: '203.0.113.7',
      reverse_ip: 'web7.x.example',
      owner: 'Harbor Hosting',
      country: 'US',
      region: 'Texas',
    })
    .onConflictDoNothing()
  const first = await app.make.networkSite({
    url: 'https://first.example/',
    category_id: blogs.id,
    domain: 'first.example',
    ip: '203.0.113.7',
    status: 1,
    http_status_code: 200,
    redirect_url: 'https://www.first.example/',
    last_google_index: new Date('2026-03-01T12:00:00Z'),
    google_asked_at: new Date(),
  })
  const second = await app.make.networkSite({
    url: 'http://second.example',
    status: 0,
    http_status_code: 503,
    ip: '203.0.113.70',
    outgoing_links_parsing_error: 'robots.txt answers 500',
    outgoing_links_parsing_failed_at: new Date('2026-03-02T14:05:00Z'),
  })
  return { first, second }
}

const openWide = () => open('/network-sites', 'Network Sites', { viewport: { width: 2900, height: 900 } })

test('the page lists 200 network sites with their columns and actions [NS-01] [NS-04] [NS-05] [NS-07]', async () => {
  await two()
  const page = await openWide()
  const row = rowOf(page, 'first.example')
  await row.waitFor()
  await see(() => page.getByRole('columnheader').allTextContents()).toEqual([
    ...[
      'URL',
      'Category',
      'Status',
      'Http',
      'Registrar',
      'Registrant',
      'IP',
      'Registration Date',
      'Expiration Date',
      'Nameserver 1',
      'Nameserver 2',
    ],
    ...['Google Index', '301', 'Reverse IP', 'Outgoing links last error', 'Actions'],
  ])
  expect(callsTo(page, 'GET /api/networksite?')[0]).toContain('per_page=200')
  for (const name of ['Check now', 'Edit', 'Logs', 'Links', 'Delete'])
    await see(() => row.getByRole('button', { name, exact: true }).count(), name).toBe(1)
  expect(await axeViolations(page)).toEqual([])
})

test('a row shows the registration, the redirect, the last check and the last error; its URL opens in a new tab [NS-05] [NS-06]', async () => {
  await two()
  const page = await openWide()
  const row = rowOf(page, 'first.example')
  await see(() => row.getByRole('link', { name: 'first.example', exact: true }).getAttribute('target')).toBe('_blank')
  expect((await row.locator('td').allTextContents()).slice(4, 15)).toEqual([
    'Names Inc.',
    'Redacted',
    '203.0.113.7',
    '04/01/2019',
    expect.stringMatching(/days left$/),
    'ns1.x.example',
    'ns2.x.example',
    '03/01/2026',
    'www.first.example',
    'web7.x.example',
    '–',
  ])
  await rowOf(page, 'second').getByText('Not checked').waitFor()
  await rowOf(page, 'second').getByText('03/02/2026 09:05: robots.txt answers 500').waitFor()
})

test('a live status and the code 200 are green, anything else is red, as is a registration that ends soon [NS-08]', async () => {
  await two()
  const page = await openWide()
  const kind = (name: string, words: string) =>
    rowOf(page, name).getByText(words, { exact: true }).getAttribute('data-kind')
  expect([
    await kind('first', 'Live'),
    await kind('first', '200'),
    await kind('second', 'Offline'),
    await kind('second', '503'),
  ]).toEqual(['ok', 'ok', 'bad', 'bad'])
  await see(() =>
    rowOf(page, 'first')
      .getByText(/days left/)
      .getAttribute('data-kind'),
  ).toBe('bad')
})

test('the days that a certificate has left are those of the agency', async () => {
  const today = getToday(app.context.settings.AGENCY_TIMEZONE)
  await app.make.networkSite({
    url: 'https://tls.example/',
    http_status_code: 200,
    tls_expires_at: new Date(`${addDays(today, 4)}T01:00:00Z`), // the evening before in New York
  })
  const page = await open()
  await rowOf(page, 'tls.example').getByText('TLS 3 d').waitFor()
})

test('each filter works [NS-02]', async () => {
  await two()
  const page = await open()
  const reset = page.getByRole('button', { name: 'Reset', exact: true })
  await see(() => urls(page)).toHaveLength(2)
  const narrowed = async (act: () => Promise<void>, to: string) => {
    await act()
    await see(() => urls(page)).toEqual([to])
    await reset.click()
    await see(() => urls(page)).toHaveLength(2)
  }
  const choose = (label: string, option: string) => async () => {
    await page.getByRole('group', { name: 'Filters' }).getByRole('button', { name: label, exact: true }).click()
    await page.getByRole('option', { name: option }).click()
  }
  await narrowed(() => page.getByRole('searchbox', { name: 'URL' }).fill('second'), 'second.example')
  await narrowed(() => page.getByRole('searchbox', { name: 'IP' }).fill('203.0.113.7'), 'first.example')
  await narrowed(choose('Category', 'Blogs'), 'first.example')
  await narrowed(choose('Status', 'Offline'), 'second.example')
})

test('category, address and host come from links, and the list is fetched once, with them [NS-03] [IP-04] [NCAT-03]', async () => {
  const { second } = await two()
  await app.make.outgoingLink({ network_site_id: second.id, url: 'https://www.client.example/x' })
  const page = await open(`/network-sites?category_id=${blogs.id}`)
  await see(() => urls(page)).toEqual(['first.example'])
  await page.getByRole('button', { name: 'Category: Blogs' }).waitFor()
  expect(callsTo(page, 'GET /api/networksite?')).toHaveLength(1)
  expect(callsTo(page, 'GET /api/networksite?')[0]).toContain(`category=${blogs.id}`)

  const categories = await open('/categories', 'Categories')
  await rowOf(categories, 'Blogs').getByRole('link', { name: '1', exact: true }).click()
  await see(() => urls(categories)).toEqual(['first.example'])
  const addresses = await open('/ips', 'IP Addresses')
  await rowOf(addresses, '203.0.113.7').getByRole('link', { name: '1', exact: true }).click()
  await see(() => urls(addresses)).toEqual(['first.example'])
  expect(pathOf(addresses)).toBe('/network-sites?ip=203.0.113.7')
  const host = await open('/network-sites?host=client.example')
  await see(() => urls(host)).toEqual(['second.example'])
  await see(() => host.getByLabel('Host', { exact: true }).inputValue()).toBe('client.example')
})

test('a new site needs a URL and a category, and is created [NS-09] [NS-10] [NS-11] [NS-16]', async () => {
  const page = await open()
  await page.getByRole('button', { name: 'Create New Site' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create New Site' })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('Please input URL', { exact: true }).waitFor()
  await dialog.getByText('Please select Campaign', { exact: true }).waitFor()
  await dialog.getByLabel('URL', { exact: true }).fill('https://third.example')
  await dialog.getByRole('combobox', { name: 'Category' }).click()
  await page.getByRole('option', { name: 'Blogs' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Site was created successfully', { exact: true }).waitFor()
  await rowOf(page, 'third.example').waitFor()
})

test('editing a site starts from its URL, and takes the category that another person has chosen since [NS-17]', async () => {
  const { id } = await app.make.networkSite({ url: 'https://third.example', category_id: blogs.id })
  const page = await open()
  await rowOf(page, 'third.example').getByRole('button', { name: 'Edit' }).click()
  const editing = page.getByRole('dialog', { name: 'Edit Site' })
  await see(() => editing.getByLabel('URL', { exact: true }).inputValue()).toBe('https://third.example')
  await editing.getByLabel('URL', { exact: true }).fill('https://fourth.example')
  const { id: category_id } = await app.make.networkCategory({ name: 'Magazines' })
  await root.call(networkSitesContract.update, { params: { id }, body: { url: 'https://third.example', category_id } })
  await editing.getByRole('button', { name: 'Save' }).click()
  await editing.getByText('Someone changed this: the new value is shown').waitFor()
  await editing.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Site was updated successfully', { exact: true }).waitFor()
  await rowOf(page, 'fourth.example').filter({ hasText: 'Magazines' }).waitFor()
})

test('the logs of a site [NS-12]', async () => {
  const { first } = await two()
  await app.context.db
    .insert(networkSiteLogsTable)
    .values({ site_id: first.id, status: 1, created_at: new Date('2026-03-01T14:05:00Z') })
  const page = await open()
  await rowOf(page, 'first').getByRole('button', { name: 'Logs' }).click()
  const dialog = page.getByRole('dialog', { name: 'Status logs for https://first.example/' })
  await see(() => dialog.locator('tbody tr').allTextContents()).toEqual(['03/01/2026 09:05Live'])
  await see(() => dialog.getByRole('columnheader').allTextContents()).toEqual(['Time', 'Status'])
})

test('the links of one site, without the column and the filter that would say the same everywhere [NS-13]', async () => {
  const { first, second } = await two()
  await app.make.outgoingLink({ network_site_id: first.id, url: 'https://a.example/', anchor: 'roofs' })
  await app.make.outgoingLink({
    network_site_id: first.id,
    url: 'https://b.example/',
    anchor: 'walls',
    lost_at: new Date('2026-03-03T04:05:00Z'), // still the 2nd for the agency
  })
  await app.make.outgoingLink({ network_site_id: second.id, url: 'https://c.example/' })
  const page = await open()
  await rowOf(page, 'first').getByRole('button', { name: 'Links' }).click()
  const dialog = page.getByRole('dialog', { name: 'Links for https://first.example/' })
  await see(() => dialog.locator('tbody tr td:first-child').allTextContents()).toEqual(['a.example', 'b.example'])
  await see(() => dialog.getByRole('columnheader').allTextContents()).toEqual([
    'URL',
    'Anchor',
    'Rel',
    'Content Type',
    'Seen',
  ])
  await dialog.getByText('Lost 03/02/2026').waitFor()
  await see(() => dialog.getByRole('searchbox').count()).toBe(1)
  await dialog.getByRole('searchbox', { name: 'Outgoing Link' }).fill('walls')
  await see(() => dialog.locator('tbody tr td:first-child').allTextContents()).toEqual(['b.example'])
  expect(pathOf(page)).toBe('/network-sites')
  expect(await axeViolations(page)).toEqual([])
})

test('a cancelled delete sends nothing; a confirmed one is reported [NS-14] [NS-15]', async () => {
  await two()
  const page = await open()
  const press = () => rowOf(page, 'first').getByRole('button', { name: 'Delete' }).click()
  await press()
  const asked = confirmDialog(page, 'Are you sure to remove this site?')
  page.calls.length = 0
  await asked.getByRole('button', { name: 'Cancel' }).click()
  await asked.waitFor({ state: 'hidden' })
  expect(page.calls).toEqual([])
  await press()
  await asked.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('Site was removed successfully', { exact: true }).waitFor()
  await see(() => urls(page)).toEqual(['second.example'])
})

const saved = async (page: Page) => {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export' }).click(),
  ])
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') }
}

test('Export saves network_sites.csv with the filtered rows [NS-18]', async () => {
  await two()
  const page = await open('/network-sites?url=second')
  await see(() => urls(page)).toEqual(['second.example'])
  const { name, text } = await saved(page)
  expect(name).toBe('network_sites.csv')
  expect(text.trim().split('\r\n').slice(1)).toEqual([expect.stringContaining('http://second.example')])
})

async function withLinks() {
  const { first, second } = await two()
  await app.make.outgoingLink({
    network_site_id: first.id,
    url: 'https://www.client.example/a',
    anchor: 'Zebra',
    rel: 'nofollow',
  })
  await app.make.outgoingLink({ network_site_id: second.id, url: 'https://client.example/b', anchor: 'apple' })
  await app.make.outgoingLink({ network_site_id: second.id, url: 'https://other.example/', anchor: null })
}

test('the Links page lists 200 links, of the host that its address names [OL-01] [OL-02] [OL-04]', async () => {
  await withLinks()
  const page = await open('/network-sites/outgoing-links?url=client.example', 'Links')
  await see(() => urls(page)).toEqual(['client.example/b', 'www.client.example/a'])
  expect(callsTo(page, 'GET /api/networksite/outgoing-links')).toHaveLength(1)
  expect(callsTo(page, 'GET /api/networksite/outgoing-links')[0]).toContain('per_page=200')
  const host = page.getByLabel('Host', { exact: true })
  expect([await host.inputValue(), await host.getAttribute('readonly')]).toEqual(['client.example', ''])
  await page.getByRole('button', { name: 'Clear Host' }).click()
  await see(() => urls(page)).toHaveLength(3)
  expect(await axeViolations(page)).toEqual([])
})

test('the links that are shown are exported [OL-05]', async () => {
  await withLinks()
  const page = await open('/network-sites/outgoing-links?url=client.example', 'Links')
  await see(() => urls(page)).toHaveLength(2)
  const { name, text } = await saved(page)
  expect([name, text.trim().split('\r\n').length]).toEqual(['outgoing-links.csv', 3])
})

test('links are sorted by each column, and filtered by link and site [OL-02] [OL-03]', async () => {
  await withLinks()
  const page = await open('/network-sites/outgoing-links', 'Links')
  await see(() => urls(page)).toHaveLength(3)
  for (const column of ['URL', 'Anchor', 'Network Site', 'Rel', 'Content Type'])
    await see(() => page.getByRole('columnheader', { name: column }).getByRole('button').count(), column).toBe(1)
  await page.getByRole('columnheader', { name: 'Anchor' }).getByRole('button').click()
  await see(() => urls(page)).toEqual(['client.example/b', 'www.client.example/a', 'other.example'])
  await page.getByRole('searchbox', { name: 'Outgoing Link' }).fill('zebra')
  await see(() => urls(page)).toEqual(['www.client.example/a'])
  await page.getByRole('button', { name: 'Reset', exact: true }).click()
  await page.getByRole('searchbox', { name: 'Network Site' }).fill('second')
  await see(() => urls(page)).toEqual(['client.example/b', 'other.example'])
})

async function openIps() {
  await two()
  await app.context.db
    .insert(ipsTable)
    .values({ ip: '203.0.113.99', owner: 'Nordic Cloud', country: 'NO' })
    .onConflictDoNothing()
  const page = await open('/ips', 'IP Addresses')
  await see(() => urls(page)).toEqual(['203.0.113.7', '203.0.113.99'])
  return page
}

test('the IP Addresses page lists 200 addresses with their columns [IP-01] [IP-03] [IP-06]', async () => {
  const page = await openIps()
  await see(() => page.getByRole('columnheader').allTextContents()).toEqual([
    'IP Address',
    'Network Sites',
    'Client Sites',
    'Owner',
    'Country',
    'Region',
  ])
  expect(callsTo(page, 'GET /api/ip?')[0]).toContain('per_page=200')
  expect(await axeViolations(page)).toEqual([])
})

test('addresses are filtered by each field, and reset [IP-02]', async () => {
  const page = await openIps()
  for (const [label, typed, expected] of [
    ['IP', ' 203.0.113.99 ', '203.0.113.99'],
    ['Owner', 'harbor', '203.0.113.7'],
    ['Country', 'no', '203.0.113.99'],
    ['Region', 'texas', '203.0.113.7'],
  ] as const) {
    await page.getByRole('searchbox', { name: label, exact: true }).fill(typed)
    await see(() => urls(page)).toEqual([expected])
    await page.getByRole('button', { name: 'Reset', exact: true }).click()
    await see(() => urls(page)).toHaveLength(2)
  }
})

test('the Categories page lists categories with their sites [NCAT-01] [NCAT-02]', async () => {
  const page = await open('/categories', 'Categories')
  await rowOf(page, 'Blogs').waitFor()
  await see(() => page.getByRole('columnheader').allTextContents()).toEqual(['Network Name', 'Sites', 'Actions'])
  expect(await axeViolations(page)).toEqual([])
})

test('a category needs a name, and is created [NCAT-04] [NCAT-05] [NCAT-07]', async () => {
  const page = await open('/categories', 'Categories')
  await page.getByRole('button', { name: 'Create New Category' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create New Category' })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('Please input category name', { exact: true }).waitFor()
  await dialog.getByLabel('Name', { exact: true }).fill('Shops')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Network Category was created successfully', { exact: true }).waitFor()
  await rowOf(page, 'Shops').waitFor()
})

test('editing a category starts from its name [NCAT-04] [NCAT-08]', async () => {
  await app.make.networkCategory({ name: 'Portals' })
  const page = await open('/categories', 'Categories')
  await rowOf(page, 'Portals').getByRole('button', { name: 'Edit' }).click()
  const editing = page.getByRole('dialog', { name: 'Edit Category' })
  await see(() => editing.getByLabel('Name', { exact: true }).inputValue()).toBe('Portals')
  await editing.getByLabel('Name', { exact: true }).fill('Stores')
  await editing.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Network Category was updated successfully', { exact: true }).waitFor()
  await rowOf(page, 'Stores').waitFor()
})

test('deleting a category asks first [NCAT-06] [NCAT-09]', async () => {
  await app.make.networkCategory({ name: 'Forums' })
  const page = await open('/categories', 'Categories')
  await rowOf(page, 'Forums').getByRole('button', { name: 'Delete' }).click()
  await confirmDialog(page, 'Are you sure to remove this category?').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('Network Category was removed successfully', { exact: true }).waitFor()
  await see(() => rowOf(page, 'Forums').count()).toBe(0)
})
