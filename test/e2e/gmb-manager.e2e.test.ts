import { eq, isNull, sql } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import { googleLocationsContract } from '#domains/listings/google/contract.ts'
import {
  getRefreshTokenContext,
  googleAccountsTable,
  googleEditsTable,
  googleLinkStatesTable,
  googleLocationsTable,
} from '#domains/listings/google/schema.ts'
import { googleEditJob } from '#domains/listings/google/server/edit-queue.ts'
import { syncAccount } from '#domains/listings/google/server/sync.ts'
import { startGoogleStandIn } from '#integrations/fakes/google/server.ts'
import { type GoogleUser, revokeAccess } from '#integrations/fakes/google/state.ts'
import { OutboundClient } from '#integrations/outbound/outbound.ts'
import { setUp, startApp } from '#test/app.ts'
import { axeViolations } from '#test/axe.ts'
import { callsTo, confirmDialog, errorToast, pathOf, see, visit } from '#test/visit.ts'

let person: GoogleUser
const google = await setUp(startGoogleStandIn())
const app = await setUp(startApp({ settings: google.settings, work: true }))
const keeper = await app.as(await app.make.superAdmin({ username: 'olivia' }))

const category = (words: string) => ({
  name: `categories/gcid:${words.toLowerCase().replaceAll(' ', '_')}`,
  displayName: words,
})
const shop = (number: number, title: string, values: object = {}) => ({
  name: `locations/${number}`,
  title,
  languageCode: 'en',
  phoneNumbers: { primaryPhone: '(512) 555-0100' },
  websiteUri: `https://shop-${number}.example/`,
  categories: { primaryCategory: category('Roofing contractor'), additionalCategories: [category('Gutter service')] },
  storefrontAddress: {
    regionCode: 'US',
    addressLines: [`${number} Main St`],
    locality: 'Austin',
    administrativeArea: 'TX',
    postalCode: '78701',
  },
  serviceArea: {
    places: {
      placeInfos: [
        { placeName: 'Austin, TX, USA', placeId: 'a' },
        { placeName: 'Waco, TX, USA', placeId: 'b' },
      ],
    },
  },
  profile: { description: `About ${title}.` },
  metadata: { mapsUri: `https://maps.google.com/maps?cid=12345678901234567${number}` },
  ...values,
})
beforeEach(async () => {
  app.context.outbound = new OutboundClient(app.context.settings)
  Object.assign(google, { before: () => {}, reviewed: new Set(), editsAMinute: 10 })
  for (const one of [
    google.locations,
    google.voices,
    google.edits,
    google.pending,
    google.refreshTokens,
    google.accessTokens,
  ])
    one.clear()
  google.failing.length = 0
  for (const one of [shop(1, 'Granite Roofing'), shop(2, 'Zinc Siding'), shop(3, 'Harbor Movers')])
    google.locations.set(one.name, one)
  person = {
    subject: 's1',
    email: 'agency@gmail.example',
    accounts: [
      { name: 'accounts/1', accountName: 'Our Agency', type: 'PERSONAL', locations: [...google.locations.keys()] },
    ],
  }
  google.people = [person]
  await app.context.db.delete(googleAccountsTable)
  await app.context.db.delete(googleLinkStatesTable)
})

/** Adds an account as if it had been linked and synced. */
async function linked() {
  google.refreshTokens.set('refresh', person)
  const [made] = await app.context.db
    .insert(googleAccountsTable)
    .values({ subject: 's1', email: person.email, account_name: 'Our Agency', refresh_token: Buffer.alloc(0) })
    .returning()
  const { id } = made!
  const refresh_token = app.context.secrets.seal('refresh', getRefreshTokenContext(id))
  await app.context.db.update(googleAccountsTable).set({ refresh_token }).where(eq(googleAccountsTable.id, id))
  await syncAccount(app.context, id)
  return id
}

const open = (query = '', options = {}) => visit(app, keeper, `/gmb-manager${query}`, options)
const rowOf = (page: Page, title: string) => page.getByRole('row').filter({ hasText: title })
const dialogOf = (page: Page, name = 'Edit Location') => page.getByRole('dialog', { name })
const field = (page: Page, name: string) => dialogOf(page).getByLabel(name, { exact: true })
const edit = (page: Page, title: string) => rowOf(page, title).getByRole('button', { name: 'Edit' }).click()
const save = (page: Page) => dialogOf(page).getByRole('button', { name: 'Save' }).click()
const waitForToast = (page: Page, words: string) => page.getByRole('status').getByText(words).first().waitFor()
const agree = (page: Page) =>
  confirmDialog(page, 'Change this at Google?').getByRole('button', { name: 'Change', exact: true }).click()

async function openLinked() {
  google.voices.set('locations/2', {
    hasVoiceOfMerchant: false,
    complyWithGuidelines: { recommendationReason: 'BUSINESS_LOCATION_SUSPENDED' },
  })
  await linked()
  const page = await open()
  await page.getByRole('heading', { name: 'GMB Manager', level: 1 }).waitFor()
  await rowOf(page, 'Granite Roofing').waitFor()
  return page
}

test('the page lists 200 locations with all their columns, up to the website in sight at 1440 pixels [GMAN-01] [DESK-06]', async () => {
  const page = await openLinked()
  await see(() => page.getByRole('columnheader').allTextContents()).toEqual([
    'Title',
    'Google status',
    'Edits',
    'Address',
    'Phone',
    'Website',
    'Service Area',
    'Primary Category',
    'Additional Categories',
    'Description',
    'Email',
    'Account',
    'Google Maps',
    'Review Link',
    'Last Read',
    'Actions',
  ])
  await page.setViewportSize({ width: 1440, height: 900 })
  const endOf = async (name: string, isStart?: true) => {
    const { x, width } = (await page.getByRole('columnheader', { name, exact: true }).boundingBox())!
    return isStart ? x : x + width
  }
  await see(async () => (await endOf('Website')) <= (await endOf('Actions', true)) + 1).toBe(true)
  const cells = await rowOf(page, 'Granite Roofing').getByRole('cell').allTextContents()
  expect(cells.slice(0, 14)).toEqual([
    'Granite Roofing',
    'Active',
    '–',
    '1 Main St, Austin, TX 78701',
    '+1 (512) 555-0100',
    'shop-1.example',
    'Austin, TX, USA; Waco, TX, USA',
    'Roofing contractor',
    'Gutter service',
    'About Granite Roofing.',
    'agency@gmail.example',
    'Our Agency',
    'Open the map',
    '–',
  ])
  expect(callsTo(page, 'GET /api/gmb/locations?')[0]).toMatch(/page=1.*per_page=200/)
})

test('the locations are sorted, searched and filtered [GMAN-01]', async () => {
  const page = await openLinked()
  await page.getByRole('button', { name: 'Title' }).click()
  await see(() => callsTo(page, 'GET /api/gmb/locations?').at(-1)).toContain('order=desc')
  await page.getByRole('searchbox', { name: 'Search by Title, Address or Category' }).fill('zinc')
  await rowOf(page, 'Granite Roofing').waitFor({ state: 'detached' })
  await rowOf(page, 'Zinc Siding').getByText('Suspended').waitFor()
  await page.getByRole('button', { name: 'Reset' }).click()
  await page.getByRole('button', { name: 'Google status', exact: true }).first().click()
  await page.getByRole('option', { name: 'Suspended' }).click()
  await page.getByText('Total Items: 1').waitFor()
  expect(pathOf(page)).toContain('standing=suspended')
})

test('an account is linked on Google’s own page; the code leaves the address, and the locations appear automatically [GMAN-02, GMAN-03, GMAN-04, GMAN-06]', async () => {
  const page = await open()
  await page.getByText('No Google account is linked yet. Link one').waitFor()
  await page.getByText('List is empty').waitFor()
  await page.getByRole('button', { name: 'Manage Accounts' }).click()
  await dialogOf(page, 'Manage Accounts').getByText('No Google account is linked yet.').waitFor()
  await dialogOf(page, 'Manage Accounts').getByRole('button', { name: 'Add New Account' }).click()
  await page.getByRole('link', { name: 'Continue as agency@gmail.example' }).click()
  await waitForToast(page, 'Account was linked successfully')
  expect(pathOf(page)).toBe('/gmb-manager')
  await rowOf(page, 'Harbor Movers').waitFor()
  // Data fetched before the account is linked would be stale at once, and stay on screen.
  const since = page.calls.slice(page.calls.findLastIndex((line) => line.includes('/api/user/me')))
  expect(since.filter((line) => line.includes('/api/gmb/'))[0]).toBe('POST /api/gmb/store_access_token')
  await page.getByRole('button', { name: 'Manage Accounts' }).click()
  const dialog = dialogOf(page, 'Manage Accounts')
  await dialog.getByRole('heading', { name: 'Connected accounts' }).waitFor()
  await dialog.getByText('agency@gmail.example').waitFor()
  await dialog.getByText(/^3 locations · synced \d+:\d\d/).waitFor()
  await page.goBack()
  expect(page.url()).not.toContain('code=')
})

test('the locations appear even if they are read before the page asks how far that is', async () => {
  const listed = Promise.withResolvers<void>()
  google.before = ({ url }) => (url.pathname.includes('/locations') ? listed.promise : undefined)
  const page = await open()
  await page.getByRole('button', { name: 'Manage Accounts' }).click()
  await dialogOf(page, 'Manage Accounts').getByRole('button', { name: 'Add New Account' }).click()
  const isLinked = () => callsTo(page, 'POST /api/gmb/store_access_token').length > 0
  await page.route('**/api/gmb/locations?*', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response })
    if (isLinked()) listed.resolve()
  })
  await page.route('**/api/gmb/auth/accounts', async (route) => {
    if (!isLinked()) return route.continue()
    await see(() => app.context.db.$count(googleLocationsTable)).toBe(3)
    await see(() => app.context.db.$count(googleAccountsTable, isNull(googleAccountsTable.sync_ended_at))).toBe(0)
    await route.continue()
  })
  await page.getByRole('link', { name: 'Continue as agency@gmail.example' }).click()
  await rowOf(page, 'Harbor Movers').waitFor()
})

test('Unlink unlinks the account and says so; its locations are removed [GMAN-05]', async () => {
  await linked()
  const page = await open()
  await rowOf(page, 'Granite Roofing').waitFor()
  await page.getByRole('button', { name: 'Manage Accounts' }).click()
  await dialogOf(page, 'Manage Accounts').getByRole('button', { name: 'Unlink agency@gmail.example' }).click()
  await waitForToast(page, 'Account was unlinked successfully')
  await dialogOf(page, 'Manage Accounts').getByText('No Google account is linked yet.').waitFor()
  await page.keyboard.press('Escape')
  await page.getByText('No Google account is linked yet. Link one').waitFor()
  expect([await app.context.db.$count(googleLocationsTable), google.refreshTokens.size]).toEqual([0, 0])
})

test('a code with an unknown state, or without one, is dropped with a message [GMAN-02]', async () => {
  for (const [query, words] of [
    ['?code=4/foreign&state=foreign', 'This link was not started here, or more than ten minutes ago'],
    ['?code=4/foreign', 'This link was not started here. Please start it again'],
    ['?error=access_denied&state=x', 'No account was linked: access was declined at Google'],
  ] as const) {
    const page = await open(query)
    await errorToast(page).getByText(words).first().waitFor()
    await see(() => pathOf(page)).toBe('/gmb-manager')
  }
  expect(await app.context.db.$count(googleAccountsTable)).toBe(0)
})

test('Edit Location is prefilled, shows each change, and confirms it [GMAN-07, GMAN-08]', async () => {
  await linked()
  const page = await open()
  await edit(page, 'Granite Roofing')
  await see(() => field(page, 'Title').inputValue()).toBe('Granite Roofing')
  await see(() => field(page, 'Primary Category').inputValue()).toBe('Roofing contractor')
  await see(() => field(page, 'Phone').inputValue()).toBe('(512) 555-0100')
  await see(() => field(page, 'Website').inputValue()).toBe('https://shop-1.example/')
  await see(() => field(page, 'Address').inputValue()).toBe('1 Main St, Austin, TX 78701')
  await see(() => field(page, 'Description').inputValue()).toBe('About Granite Roofing.')
  expect(await dialogOf(page).locator('[data-required]').count()).toBe(0)
  await field(page, 'Title').fill('Granite & Sons')
  await field(page, 'Description').fill('')
  await save(page)
  const asked = confirmDialog(page, 'Change this at Google?')
  await asked.waitFor()
  await see(() => asked.getByRole('row').allTextContents()).toEqual([
    'FieldNowAfter',
    'TitleGranite RoofingGranite & Sons',
    'DescriptionAbout Granite Roofing.nothing',
  ])
  await asked.getByRole('button', { name: 'Cancel' }).click()
  await asked.waitFor({ state: 'detached' })
  expect([await field(page, 'Title').inputValue(), google.locations.get('locations/1')?.title]).toEqual([
    'Granite & Sons',
    'Granite Roofing',
  ])
  await save(page)
  await agree(page)
  await waitForToast(page, 'GMB location was changed successfully')
  await rowOf(page, 'Granite & Sons').waitFor()
  expect(google.locations.get('locations/1')?.title).toBe('Granite & Sons')
})

test('primary and additional categories are found by any word of their names [GMAN-09]', async () => {
  await linked()
  const page = await open()
  const offered = (name: string) => page.getByRole('listbox', { name }).getByRole('option')
  await edit(page, 'Granite Roofing')
  await field(page, 'Primary Category').click()
  await field(page, 'Primary Category').fill('food')
  await offered('Primary Category').filter({ hasText: 'Fast food' }).waitFor()
  await see(() => offered('Primary Category').allTextContents()).toEqual([
    'Fast food restaurant',
    'Food court',
    'Seafood restaurant',
  ])
  await field(page, 'Primary Category').fill('supply roofing')
  await offered('Primary Category').filter({ hasText: 'Roofing supply store' }).click()
  await field(page, 'Additional Categories').fill('repair air')
  await offered('Additional Categories').filter({ hasText: 'Air conditioning repair service' }).click()
  await page.keyboard.press('Tab')
  await save(page)
  await agree(page)
  await waitForToast(page, 'GMB location was changed successfully')
  await rowOf(page, 'Roofing supply store').getByText('Gutter service, Air conditioning repair service').waitFor()
})

test('Google’s refusals are shown at their fields, and what was typed stays [GMAN-07]', async () => {
  await linked()
  const page = await open()
  await edit(page, 'Zinc Siding')
  await field(page, 'Title').fill('Zinc & Sons')
  await field(page, 'Phone').fill('none')
  await save(page)
  await dialogOf(page).getByText('The phone number is not valid.').waitFor()
  await see(() => field(page, 'Phone').evaluate((input) => input === document.activeElement)).toBe(true)
  await see(() => field(page, 'Title').inputValue()).toBe('Zinc & Sons')
  await field(page, 'Phone').fill('(512) 555-0123')
  await save(page)
  await agree(page)
  await rowOf(page, 'Zinc & Sons').getByText('+1 (512) 555-0123').waitFor()
})

test('two people edit one location: the second sees the changes of the first, and loses nothing', async () => {
  await linked()
  const page = await open()
  await edit(page, 'Harbor Movers')
  await field(page, 'Title').fill('Harbor by me')
  const { body } = await keeper.call(googleLocationsContract.list, { query: { search: 'Harbor' } })
  const theirs = { title: 'Harbor by them', phone: '(512) 555-0177' }
  expect(
    (await keeper.call(googleLocationsContract.update, { params: { id: body.data[0].id }, body: theirs })).status,
  ).toBe(200)
  await save(page)
  await dialogOf(page).getByText('Someone else has changed this').waitFor()
  await see(() => field(page, 'Phone').inputValue()).toBe('(512) 555-0177')
  await dialogOf(page).getByText('Someone changed this to Harbor by them').waitFor()
  await dialogOf(page).getByRole('button', { name: 'Keep mine' }).click()
  await save(page)
  await agree(page)
  await rowOf(page, 'Harbor by me').getByText('+1 (512) 555-0177').waitFor()
})

test('the eleventh edit within a minute waits and says so, and its row updates automatically when it is sent', async () => {
  const id = await linked()
  const [row] = await app.context.db
    .select()
    .from(googleLocationsTable)
    .where(eq(googleLocationsTable.name, 'locations/3'))
  const done = { location_id: row!.id, fields: {}, state: 'done' as const, sent_at: new Date() }
  await app.context.db.insert(googleEditsTable).values(Array.from({ length: 10 }, () => done))
  const page = await open()
  await edit(page, 'Harbor Movers')
  await field(page, 'Title').fill('Harbor later')
  await save(page)
  await agree(page)
  await waitForToast(page, 'The change is queued: Google accepts ten edits of a location a minute')
  await rowOf(page, 'Harbor Movers').getByText('Queued').waitFor()
  await rowOf(page, 'Harbor Movers').getByText('Title, by olivia').waitFor()
  await edit(page, 'Harbor Movers')
  await see(() => field(page, 'Title').inputValue()).toBe('Harbor later')
  await dialogOf(page).getByText('Queued edits are shown as done.').waitFor()
  await page.keyboard.press('Escape')
  await app.context.db.update(googleEditsTable).set({ sent_at: sql`sent_at - interval '61 seconds'` })
  await app.context.db.transaction((tx) => app.context.jobs.send(tx, googleEditJob, { id: row!.id })) // the first waits for its minute
  await rowOf(page, 'Harbor later').waitFor()
  expect(id).toBeGreaterThan(0)
})

test('an account that must be relinked is distinguished from suspended ones, and can be linked from there', async () => {
  google.voices.set('locations/2', {
    hasVoiceOfMerchant: false,
    complyWithGuidelines: { recommendationReason: 'BUSINESS_LOCATION_SUSPENDED' },
  })
  const id = await linked()
  revokeAccess(google, person)
  app.context.outbound = new OutboundClient(app.context.settings)
  await syncAccount(app.context, id)
  const page = await open()
  await page.getByText('agency@gmail.example must be linked again.').waitFor()
  for (const title of ['Granite Roofing', 'Zinc Siding']) {
    await rowOf(page, title).getByText('Reconnect account').waitFor()
    expect(await rowOf(page, title).getByText('Suspended').count()).toBe(0)
    await see(() => rowOf(page, title).getByRole('button', { name: 'Edit' }).isDisabled()).toBe(true)
  }
  await page.getByRole('button', { name: 'Link again' }).click()
  await page.getByRole('link', { name: 'Continue as agency@gmail.example' }).click()
  await waitForToast(page, 'Account was linked successfully')
  await rowOf(page, 'Zinc Siding').getByText('Suspended').waitFor()
  await see(() => page.getByText('must be linked again').count()).toBe(0)
})

test('Sync now reads Google again; locations that are gone there are marked', async () => {
  await linked()
  const page = await open()
  await rowOf(page, 'Harbor Movers').waitFor()
  person.accounts[0]!.locations.pop()
  google.locations.set('locations/9', shop(9, 'Newcomer'))
  person.accounts[0]!.locations.push('locations/9')
  await page.getByRole('button', { name: 'Sync now' }).click()
  await waitForToast(page, 'The locations are being read from Google')
  await rowOf(page, 'Newcomer').waitFor()
  await rowOf(page, 'Harbor Movers').getByText('Removed on Google').waitFor()
  await see(() => rowOf(page, 'Harbor Movers').getByRole('button', { name: 'Edit' }).isDisabled()).toBe(true)
})

test('without the settings the page says what is missing and how to get it, and shows what is kept', async () => {
  await linked()
  const { settings } = app.context
  const { GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET } = settings
  Object.assign(settings, { GOOGLE_CLIENT_ID: undefined, GOOGLE_CLIENT_SECRET: undefined })
  try {
    const page = await open()
    const guide = page.getByRole('region', { name: 'Google is not connected' })
    await guide.getByText('GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET', { exact: true }).waitFor()
    await guide.getByText(`${app.url}/gmb-manager`).waitFor()
    await guide.getByText('https://www.googleapis.com/auth/business.manage openid email').waitFor()
    expect(
      await guide.getByRole('link', { name: 'access to the Business Profile APIs' }).getAttribute('href'),
    ).toContain('api_default')
    await rowOf(page, 'Granite Roofing').waitFor()
    expect(await axeViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Manage Accounts' }).click()
    await see(() =>
      dialogOf(page, 'Manage Accounts').getByRole('button', { name: 'Add New Account' }).isDisabled(),
    ).toBe(true)
  } finally {
    Object.assign(settings, { GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET })
  }
})

test('axe finds nothing in screen and dialogs', async () => {
  google.pending.set('locations/1', new Set(['title']))
  google.voices.set('locations/2', {
    hasVoiceOfMerchant: false,
    complyWithGuidelines: { recommendationReason: 'BUSINESS_LOCATION_DISABLED' },
  })
  const id = await linked()
  await app.context.db
    .update(googleAccountsTable)
    .set({ problem: 'Google could not be reached' })
    .where(eq(googleAccountsTable.id, id))
  const page = await open()
  await rowOf(page, 'Granite Roofing').getByText('In review at Google').waitFor()
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Manage Accounts' }).click()
  await dialogOf(page, 'Manage Accounts')
    .getByText(/3 locations/)
    .waitFor()
  expect(await axeViolations(page, { within: '[role=dialog]' })).toEqual([])
  await page.keyboard.press('Escape')
  await dialogOf(page, 'Manage Accounts').waitFor({ state: 'detached' })
  await edit(page, 'Zinc Siding')
  await field(page, 'Title').fill('Zinc & Sons')
  expect(await axeViolations(page, { within: '[role=dialog]' })).toEqual([])
  await save(page)
  await confirmDialog(page, 'Change this at Google?').waitFor()
  expect(await axeViolations(page, { within: '[role=dialog]' })).toEqual([])
  await page.keyboard.press('Escape')
  await confirmDialog(page, 'Change this at Google?').waitFor({ state: 'detached' })
  await see(() => dialogOf(page).count()).toBe(1)
})

test('accounts that cannot be read are said, not taken for a missing connection', async () => {
  const page = await open('', {
    before: (page: Page) =>
      page.route('**/api/gmb/auth/accounts', (route) => route.fulfill({ status: 500, json: { message: 'Broken' } })),
  })
  await page.getByText('The accounts could not be loaded: Broken').waitFor()
  await page.unroute('**/api/gmb/auth/accounts')
  await page.getByRole('button', { name: 'Manage Accounts' }).click()
  const dialog = dialogOf(page, 'Manage Accounts')
  await dialog.getByRole('heading', { name: 'Connected accounts' }).waitFor()
  expect(await dialog.getByText('Google is not connected').count()).toBe(0)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Retry' }).click()
  await page.getByText('The accounts could not be loaded').waitFor({ state: 'detached' })
})
