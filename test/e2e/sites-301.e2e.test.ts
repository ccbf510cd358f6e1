import type { Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import { redirectDomainsTable, redirectTasksTable } from '#domains/sites/redirects/schema.ts'
import { registrationsTable } from '#domains/sites/registrations/schema.ts'
import { startCPanelStandIn } from '#integrations/fakes/cpanel.ts'
import { setUp, startApp } from '#test/app.ts'
import { axeViolations } from '#test/axe.ts'
import { confirmDialog, errorToast, see, visit } from '#test/visit.ts'

const cpanel = await setUp(startCPanelStandIn())
const app = await setUp(startApp({ settings: cpanel.settings, work: true }))
const root = await app.as(await app.make.superAdmin())
beforeEach(async () => {
  cpanel.failing.clear()
  cpanel.before = () => {}
  cpanel.domains.clear()
  cpanel.redirects.clear()
  await app.context.db.delete(redirectDomainsTable)
  await app.context.db.delete(redirectTasksTable)
  await app.context.db.delete(registrationsTable)
})

const open = async (search = '', options = {}) => {
  const page = await visit(app, root, `/redirect-domains${search}`, options)
  await page.getByRole('heading', { name: '301 Domains List', level: 1 }).waitFor()
  return page
}
const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
const domains = (page: Page) => page.locator('tbody tr td:first-child').allTextContents()
const make = (domain: string, values: object = {}) => {
  cpanel.domains.set(domain, `${domain}_agency.example`)
  return app.context.db
    .insert(redirectDomainsTable)
    .values({ domain, redirect_url: 'https://client.example/', domainkey: `${domain}_agency.example`, ...values })
}
async function fill(page: Page, domain: string, url = 'https://client.example/') {
  await page.getByRole('button', { name: 'Add 301 domain' }).click()
  const dialog = page.getByRole('dialog', { name: 'cPanel Addon Domains Tool' })
  await dialog.getByLabel('Domain', { exact: true }).fill(domain)
  await dialog.getByLabel('Redirect URL').fill(url)
  await dialog.getByRole('button', { name: 'Save' }).click()
  return dialog
}

async function makeTwo() {
  await app.context.db.insert(registrationsTable).values({
    domain: 'one.com',
    registrar: 'Names Inc.',
    registrant: 'Redacted',
    registered_on: '2019-04-01',
    expires_on: '2019-04-02',
    nameservers: ['ns1.x', 'ns2.x'],
  })
  await make('one.com', { live_status: 1, registered_domain: 'one.com' })
  await make('two.com', { live_status: 0, redirect_url: 'https://other.example/' })
}

test('a link sets the search, which can be reset [RD-02]', async () => {
  await makeTwo()
  const page = await open('?url=client.example')
  await see(() => domains(page)).toEqual(['one.com'])
  expect(await page.getByTitle('Not checked yet').count()).toBe(0) // nothing says when it was
  await see(() => page.getByRole('searchbox', { name: 'Search' }).inputValue()).toBe('client.example')
  await page.getByRole('button', { name: 'Reset', exact: true }).click()
  await see(() => domains(page)).toEqual(['one.com', 'two.com'])
})

test('the page lists the domains with their columns, and a live one is green [RD-01] [RD-03] [RD-04]', async () => {
  await makeTwo()
  const long = 'north-roofing-and-gutters-of-colorado-springs-and-of-pueblo.com'
  await make(long)
  const page = await open('', { viewport: { width: 1900, height: 900 } })
  await see(() => domains(page)).toEqual([long, 'one.com', 'two.com'])
  await see(() => page.getByRole('columnheader').allTextContents()).toEqual([
    ...[
      'URL',
      'Redirect',
      'Status',
      'Registrar',
      'Registrant',
      'Registration',
      'Expiration',
      'Nameserver 1',
      'Nameserver 2',
      'Actions',
    ],
  ])
  await rowOf(page, 'one.com').getByText('Expired').waitFor()
  const kind = (name: string, words: string) =>
    rowOf(page, name).getByText(words, { exact: true }).getAttribute('data-kind')
  expect([await kind('one.com', 'Live'), await kind('two.com', 'Offline')]).toEqual(['ok', 'bad'])
  expect(await axeViolations(page)).toEqual([])
  const name = page.getByRole('link', { name: long })
  await see(() => name.evaluate((link) => link.scrollHeight - link.clientHeight)).toBeLessThanOrEqual(2)
})

test('adding refuses empty fields with messages, shows its steps, and is confirmed when cPanel has accepted [RD-05] [RD-06] [RD-07] [RD-09]', async () => {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  cpanel.before = (name) => (name === 'add_redirect' ? held : undefined)
  const page = await open()
  const dialog = await fill(page, '', '')
  await dialog.getByText('Please input domain', { exact: true }).waitFor()
  await dialog.getByText('Please input redirect url', { exact: true }).waitFor()
  expect(await axeViolations(page)).toEqual([])
  await dialog.getByLabel('Domain', { exact: true }).fill('fresh.com')
  await dialog.getByLabel('Redirect URL').fill('https://client.example/')
  await dialog.getByRole('button', { name: 'Save' }).click()
  const work = page.getByRole('list', { name: 'Work at cPanel', includeHidden: true })
  await see(() => work.textContent()).toContain('Adding fresh.com')
  await see(() => work.textContent()).toContain('Add the redirect in cPanel')
  release()
  await page.getByText('Redirect was created successfully', { exact: true }).waitFor()
  await see(() => domains(page)).toEqual(['fresh.com'])
  await see(() => work.count()).toBe(0)
})

test('if cPanel refuses, its message is shown, what was typed stays, and there is no row', async () => {
  cpanel.failing.set('addaddondomain', { message: 'You have reached your limit of addon domains' })
  const page = await open('', { viewport: { width: 390, height: 844 } })
  const dialog = await fill(page, 'refused.com')
  await errorToast(page).filter({ hasText: 'You have reached your limit of addon domains' }).waitFor()
  await see(() => dialog.getByLabel('Domain', { exact: true }).inputValue()).toBe('refused.com')
  await page.keyboard.press('Escape')
  await confirmDialog(page, 'Are you sure to close this dialog?').getByRole('button', { name: 'Close' }).click()
  await page.getByText('Adding refused.com failed').waitFor()
  await page.getByText('List is empty').waitFor()
})

test('deleting asks first, is confirmed, and keeps the row if cPanel refuses [RD-08] [RD-10]', async () => {
  await make('leaves.com')
  await make('stays.com')
  const page = await open()
  const words = 'Are you sure you want to delete this additional domain? It will also be deleted from CPanel.'
  await rowOf(page, 'leaves.com').getByRole('button', { name: 'Delete' }).click()
  await confirmDialog(page, words).getByRole('button', { name: 'Delete' }).click()
  await page.getByText('Redirect Domain was removed successfully', { exact: true }).waitFor()
  await see(() => domains(page)).toEqual(['stays.com'])
  cpanel.failing.set('deladdondomain', { message: 'Domain is locked' })
  await rowOf(page, 'stays.com').getByRole('button', { name: 'Delete' }).click()
  await confirmDialog(page, words).getByRole('button', { name: 'Delete' }).click()
  await errorToast(page).filter({ hasText: 'Domain is locked' }).waitFor()
  await see(() => rowOf(page, 'stays.com').count()).toBe(1)
})

test('without cPanel the page says so, and what to do', async () => {
  const { CPANEL_URL } = app.context.settings
  app.context.settings.CPANEL_URL = undefined
  const page = await open()
  await page.getByText('cPanel is not connected, so domains can be neither added nor removed.').waitFor()
  app.context.settings.CPANEL_URL = CPANEL_URL
})
