import { eq } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { gmbsContract } from '#domains/listings/gmbs/contract.ts'
import { gmbsTable } from '#domains/listings/gmbs/schema.ts'
import { setUp, startApp } from '#test/app.ts'
import { axeViolations } from '#test/axe.ts'
import { callsTo, confirmDialog, errorToast, see, visit, writesOf } from '#test/visit.ts'

let count = 0
const app = await setUp(startApp())
const keeper = await app.as(await app.make.superAdmin({ username: 'olivia' }))
const campaign = await app.make.campaign({ name: 'Austin Roofs' })

const link = (digits: number) => `https://maps.google.com/maps?cid=${'12345678901234567890123'.slice(0, digits)}`
const made = async (values: object = {}) => {
  count += 1
  const body = { title: `Shop number ${count}`, link: link(19), campaign_id: campaign.id, status: 1, ...values }
  return (await keeper.call(gmbsContract.create, { body })).body
}
const stored = async (title: string) =>
  (await keeper.call(gmbsContract.list, { query: { search: title } })).body.data[0]
const open = (title = '', options = {}) =>
  visit(app, keeper, `/campaign-gmbs${title && `?search=${encodeURIComponent(title)}`}`, options)
const rowOf = (page: Page, title: string) => page.getByRole('row').filter({ hasText: title })
const dialogOf = (page: Page, name = 'Edit Campaign GMB') => page.getByRole('dialog', { name })
const field = (page: Page, name: string) => page.getByRole('dialog').getByLabel(name, { exact: true })
const save = (page: Page) => page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
const waitForToast = (page: Page, words: string) => page.getByRole('status').getByText(words).first().waitFor()
const refusal = (page: Page, words: string) => page.getByRole('dialog').getByText(words, { exact: true })

test('the page lists 200 listings with all their fields [GMB-01, GMB-02]', async () => {
  await made({
    title: 'Granite Roofing',
    address: '100 Main St, Austin, TX 78701',
    website: 'https://granite.example',
    phone: '+1 512-555-0100',
    email: 'granite@mail.example',
    recovery_email: 'rescue@mail.example',
    review_link: 'https://reviews.example/granite',
    notes: 'Opens late',
  })
  const page = await open()
  await page.getByRole('heading', { name: 'Campaign GMBs', level: 1 }).waitFor()
  await rowOf(page, 'Granite Roofing').waitFor()
  await see(() => page.getByRole('columnheader').allTextContents()).toEqual([
    'Title',
    'Status',
    'Changed',
    'Last Check',
    'Campaign',
    'Address',
    'Website',
    'Phone',
    'Email',
    'Recovery Email',
    'Link',
    'Review Link',
    'Client Owned',
    'Client Location',
    'Reviews Count',
    'Notes',
    'Updated At',
    'Actions',
  ])
  expect(callsTo(page, 'GET /api/campaign-gmb?')).toContainEqual(expect.stringContaining('per_page=200'))
  const cells = await rowOf(page, 'Granite Roofing').getByRole('cell').allTextContents()
  expect(cells.slice(0, 12)).toEqual([
    'Granite Roofing',
    'Live',
    '–',
    'Not checked yet',
    'Austin Roofs',
    '100 Main St, Austin, TX 78701',
    'granite.example',
    '+1 (512) 555-0100',
    'granite@mail.example',
    'rescue@mail.example',
    link(19).replace('https://', ''),
    'reviews.example/granite',
  ])
})

test('a phone is dialed and copied in one format, however it was entered', async () => {
  await made({ title: 'Shale Roofing', phone: '407.555.5016' })
  const page = await open()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const row = rowOf(page, 'Shale Roofing')
  const phone = row.getByRole('link', { name: '+1 (407) 555-5016' })
  await see(() => phone.getAttribute('href')).toBe('tel:+14075555016')
  await row.getByRole('button', { name: 'Copy phone' }).click()
  await see(() => page.evaluate(() => navigator.clipboard.readText())).toBe('+14075555016')
})

test('the listings are sorted and searched [GMB-01, GMB-02]', async () => {
  await made({ title: 'Basalt Roofing' })
  await made({ title: 'Zinc Roofing', status: 2 })
  const page = await open()
  await rowOf(page, 'Basalt Roofing').waitFor()
  await page.getByRole('columnheader', { name: 'Status' }).getByRole('button').click()
  await see(() => callsTo(page, 'GET /api/campaign-gmb?').at(-1)).toContain('sort=status')
  await page.getByRole('searchbox', { name: 'Search by Title, Address or Campaign' }).fill('zinc')
  await rowOf(page, 'Basalt Roofing').waitFor({ state: 'detached' })
  await page.getByText('Total Items: 1').waitFor()
})

test('a listing has one status, and the list can be filtered by it', async () => {
  const lost = await made({ title: 'Lost Basin Plumbing' })
  await app.context.db
    .update(gmbsTable)
    .set({ gone_at: new Date('2026-03-04T12:00:00Z'), checked_at: new Date('2026-03-05T12:00:00Z') })
    .where(eq(gmbsTable.id, lost.id))
  await made({ title: 'Found Basin Plumbing' })
  const page = await open('Basin Plumbing')
  const status = (title: string) => rowOf(page, title).getByRole('cell').nth(1).textContent()
  await see(() => status('Lost Basin')).toBe('Not foundsince 03/04/2026Set as Live')
  expect(await rowOf(page, 'Lost Basin').getByText('Not found').count()).toBe(1)
  const filters = page.getByRole('group', { name: 'Filters' })
  await filters.getByRole('button', { name: 'Status' }).click()
  await page.getByRole('option', { name: 'Live' }).click()
  await rowOf(page, 'Lost Basin').waitFor({ state: 'detached' })
  await rowOf(page, 'Found Basin').waitFor()
  await filters.getByRole('button', { name: 'Status' }).click()
  await page.getByRole('option', { name: 'Not found' }).click()
  await rowOf(page, 'Lost Basin').waitFor()
  await rowOf(page, 'Found Basin').waitFor({ state: 'detached' })
})

test('a new listing has its fields, is confirmed, and is in the list [GMB-03, GMB-15]', async () => {
  const page = await open()
  await page.getByRole('button', { name: 'Add New Campaign GMB' }).click()
  await dialogOf(page, 'Add New Campaign GMB').waitFor()
  for (const name of ['Website', 'Review Link', 'Password', 'Client Owned', 'Client Location'])
    await see(() => field(page, name).count(), name).toBe(1)
  await field(page, 'Title').fill('Harbor Movers')
  await field(page, 'Campaign').click()
  await page.getByRole('option', { name: 'Austin Roofs' }).click()
  await field(page, 'Status').click()
  await page.getByRole('option', { name: 'Unverified' }).click()
  await field(page, 'Link').fill('1234567890123456')
  await field(page, 'Address').fill('1 Pier, Austin, TX 78701')
  await field(page, 'Phone').fill('512-555-0199')
  await field(page, 'Email').fill('harbor@mail.example')
  await field(page, 'Recovery Email').fill('rescue@harbor.example')
  await field(page, 'Password').fill('word of the harbor')
  await field(page, 'Notes').fill('By the water')
  await save(page)
  await waitForToast(page, 'Campaign GMB was created successfully')
  await rowOf(page, 'Harbor Movers').getByText('Unverified').waitFor()
  expect(await stored('Harbor Movers')).toMatchObject({
    link: 'https://maps.google.com/maps?cid=1234567890123456',
    status: 3,
    campaign_id: campaign.id,
    recovery_email: 'rescue@harbor.example',
    has_password: true,
    notes: 'By the water',
  })
})

async function openNew() {
  const page = await open()
  await page.getByRole('button', { name: 'Add New Campaign GMB' }).click()
  await dialogOf(page, 'Add New Campaign GMB').waitFor()
  page.calls.length = 0
  return page
}

test('a listing needs a title, a link, a status and a campaign [GMB-04, GMB-05, GMB-07, GMB-08]', async () => {
  const page = await openNew()
  await save(page)
  for (const words of [
    'Please input category name',
    'Please input GMB link',
    'Please select status',
    'Please select category',
  ])
    await refusal(page, words).waitFor()
  expect(writesOf(page)).toEqual([])
})

test('a link must be from Google Maps, with 15 to 20 digits [GMB-05, GMB-06]', async () => {
  const page = await openNew()
  for (const [digits, isWrong] of [
    [14, true],
    [15, false],
    [21, true],
    [20, false],
  ] as const) {
    await field(page, 'Link').fill(link(digits).replace(/^.*=/, ''))
    await see(() => field(page, 'Link').inputValue()).toBe(link(digits))
    await save(page)
    await refusal(page, 'Wrong link format').waitFor({ state: isWrong ? 'visible' : 'detached' })
  }
  await field(page, 'Link').fill('https://maps.google.com.evil.example/maps?cid=1234567890123456')
  await save(page)
  await refusal(page, 'Wrong link format').waitFor()
  expect(writesOf(page)).toEqual([])
})

test('editing starts from the current values, and is confirmed [GMB-03, GMB-16]', async () => {
  const { title } = await made({ phone: '512-555-0111', notes: 'Old', client_owned: true })
  const page = await open(title)
  await rowOf(page, title).getByRole('button', { name: 'Edit' }).click()
  await dialogOf(page).waitFor()
  await see(() => field(page, 'Campaign').inputValue()).toBe('Austin Roofs')
  await see(() => field(page, 'Title').inputValue()).toBe(title)
  await see(() => field(page, 'Status').inputValue()).toBe('Live')
  await see(() => field(page, 'Link').inputValue()).toBe(link(19))
  await see(() => field(page, 'Phone').inputValue()).toBe('512-555-0111')
  await see(() => field(page, 'Client Owned').isChecked()).toBe(true)
  await field(page, 'Notes').fill('New')
  await save(page)
  await waitForToast(page, 'Campaign GMB was changed successfully')
  await rowOf(page, title).getByText('New').waitFor()
})

test('values that a colleague saved in the meantime are shown beside what was typed', async () => {
  const { id, title, version } = await made({ notes: 'Old' })
  const page = await open(title)
  await rowOf(page, title).getByRole('button', { name: 'Edit' }).click()
  await field(page, 'Notes').fill('Mine')
  const body = { title, link: link(19), campaign_id: campaign.id, status: 2, notes: 'Theirs', version }
  await keeper.call(gmbsContract.update, { params: { id }, body })
  await save(page)
  await page.getByRole('dialog').getByText('Theirs', { exact: true }).waitFor()
  await see(() => field(page, 'Notes').inputValue()).toBe('Mine')
  await see(() => field(page, 'Status').inputValue()).toBe('Pending')
})

test('the password is fetched on request, not before [GMB-26]', async () => {
  const { id, title } = await made({ password: 'the word itself' })
  const page = await open(title)
  await rowOf(page, title).getByRole('button', { name: 'Edit' }).click()
  await dialogOf(page).waitFor()
  expect(await field(page, 'Password').inputValue()).toBe('')
  expect(await field(page, 'Current Password').inputValue()).toBe('')
  expect(callsTo(page, `GET /api/campaign-gmb/${id}/secret`)).toEqual([])
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await see(() => field(page, 'Current Password').inputValue()).toBe('the word itself')
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await dialogOf(page).waitFor({ state: 'hidden' })
})

test.each([
  ['is client owned', 'client_owned'],
  ['is a client location', 'is_client_location'],
] as const)(
  'the switch ‘%s’ is seen at once, saved, survives a reload, and is undone [GMB-09, GMB-10]',
  async (words, name) => {
    const { title } = await made()
    const page = await open(title)
    const toggle = page.getByRole('switch', { name: `${title} ${words}` })
    await toggle.click()
    await see(() => toggle.isChecked()).toBe(true)
    await waitForToast(page, 'Campaign GMB was changed successfully')
    await see(async () => (await stored(title))[name]).toBe(true)
    await page.getByRole('button', { name: 'Undo' }).click()
    await see(async () => (await stored(title))[name]).toBe(false)
    await toggle.click()
    await see(async () => (await stored(title))[name]).toBe(true)
    await page.reload()
    await see(() => toggle.isChecked()).toBe(true)
  },
)

test('a switch that fails goes back and says why', async () => {
  const { title } = await made()
  const page = await open(title)
  await page.route('**/toggle-client-owned', (route) => route.abort())
  const toggle = page.getByRole('switch', { name: `${title} is client owned` })
  await toggle.click()
  await errorToast(page).getByText('The server could not be reached').waitFor()
  await see(() => toggle.isChecked()).toBe(false)
})

test('changed and suspended are distinguished, and both highlight the row [GMB-11]', async () => {
  const at = new Date('2026-03-04T17:00:00Z')
  const mark = await app.make.campaign({ name: 'Marked ones' })
  const gmb = (title: string, values: object) => app.make.gmb({ campaign_id: mark.id, title, ...values })
  await gmb('Plain', {})
  await gmb('Moved away', { changed: true, changed_at: at })
  await gmb('Shut by Google', { status: 4, suspended_at: at })
  const page = await open('Marked ones')
  const tint = (title: string) => rowOf(page, title).getAttribute('data-tint')
  await rowOf(page, 'Plain').waitFor()
  expect([await tint('Plain'), await tint('Moved away'), await tint('Shut by Google')]).toEqual([
    null,
    'suspended',
    'suspended',
  ])
  await see(() => rowOf(page, 'Moved away').getByRole('cell').nth(1).textContent()).toBe('Live')
  await see(() => rowOf(page, 'Moved away').getByRole('cell').nth(2).textContent()).toContain('since 03/04/2026')
  await see(() => rowOf(page, 'Shut by Google').getByRole('cell').nth(1).textContent()).toBe(
    'Suspendedsince 03/04/2026',
  )
  await see(() => rowOf(page, 'Shut by Google').getByRole('cell').nth(2).textContent()).toBe('–')
  await page.getByRole('button', { name: 'Accept as the new state of Moved away' }).click()
  await waitForToast(page, 'Listing was accepted as it is now')
  await see(() => tint('Moved away')).toBeNull()
})

test('the log says when each value changed, from what to what, and by whom [GMB-12]', async () => {
  const { id, title } = await made({ phone: '1' })
  const body = { title, link: link(19), campaign_id: campaign.id, status: 1, phone: '2', password: 'a new word' }
  await keeper.call(gmbsContract.update, { params: { id }, body })
  const page = await open(title)
  const button = rowOf(page, title).getByRole('button', { name: 'Logs' })
  await button.click()
  const dialog = dialogOf(page, `Logs of ${title}`)
  const line = dialog.getByRole('row').filter({ hasText: 'Phone' })
  await line.waitFor()
  const cells = await line.getByRole('cell').allTextContents()
  expect(cells[0]).toMatch(/^\d\d\/\d\d\/\d{4} \d\d:\d\d$/)
  expect(cells.slice(1)).toEqual(['Phone', '1', '2', 'olivia'])
  expect(await dialog.getByRole('row').filter({ hasText: 'Password' }).textContent()).not.toContain('a new word')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  await see(() => button.evaluate((element) => element === document.activeElement)).toBe(true)
})

test('a cancelled delete sends nothing; a confirmed one is reported and removes the row [GMB-13, GMB-14]', async () => {
  const { title } = await made()
  const page = await open(title)
  const ask = () => rowOf(page, title).getByRole('button', { name: 'Delete' }).click()
  const asked = confirmDialog(page, 'Are you sure you want to delete this item?')
  await ask()
  page.calls.length = 0
  await asked.getByRole('button', { name: 'Cancel' }).click()
  await asked.waitFor({ state: 'hidden' })
  expect(writesOf(page)).toEqual([])
  await ask()
  await asked.getByRole('button', { name: 'Delete' }).click()
  await waitForToast(page, 'Campaign GMB was deleted successfully')
  await page.getByText('List is empty').waitFor()
})

test('a check of the page that is refused for a listing that is gone shows the list as it is now [GMB-13]', async () => {
  const { id } = await made({ title: 'Checked and gone' })
  const page = await open('Checked and gone')
  await rowOf(page, 'Checked and gone').waitFor()
  await keeper.call(gmbsContract.remove, { params: { id } })
  await page.getByTitle('Check every listing of this page').click()
  await errorToast(page).getByText('There is no such listing').waitFor()
  await see(() => rowOf(page, 'Checked and gone').count()).toBe(0)
})

test('a button at the end of a wide row gets the focus back, and the table does not move', async () => {
  const { title } = await made({ title: 'Wide Roofing' })
  const page = await open(title)
  const remove = rowOf(page, title).getByRole('button', { name: 'Delete' })
  await remove.press('Enter')
  await confirmDialog(page, gmbsContract.remove.confirm).getByRole('button', { name: 'Cancel' }).press('Enter')
  await see(() => remove.evaluate((one) => one === document.activeElement)).toBe(true)
  const scroller = page.getByRole('region', { name: 'Campaign GMBs' })
  expect(await scroller.evaluate((one) => [one.scrollWidth > one.clientWidth, one.scrollLeft])).toEqual([true, 0])
})

test('list and dialogs are accessible', async () => {
  const { title } = await made({ status: 4, email: 'a@b.example', password: 'x', website: 'https://w.example' })
  const page = await open(title)
  await rowOf(page, title).waitFor()
  expect(await axeViolations(page)).toEqual([])
  await rowOf(page, title).getByRole('button', { name: 'Edit' }).click()
  await field(page, 'Current Password').waitFor()
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await rowOf(page, title).getByRole('button', { name: 'Logs' }).click()
  await dialogOf(page, `Logs of ${title}`).getByRole('row').nth(1).waitFor()
  expect(await axeViolations(page)).toEqual([])
})

test('the form stays open with what is typed while its row leaves the list', async () => {
  const { id } = await made({ title: 'Leaving Roofs' })
  const staying = await made({ title: 'Staying Roofs' })
  // A row that waits for its check makes the list read itself again.
  await app.context.db.update(gmbsTable).set({ check_asked_at: new Date() }).where(eq(gmbsTable.id, staying.id))
  const page = await open('Roofs')
  await rowOf(page, 'Leaving Roofs').getByRole('button', { name: 'Edit' }).click()
  await field(page, 'Notes').fill('Half a note')
  await app.context.db.update(gmbsTable).set({ title: 'Elsewhere' }).where(eq(gmbsTable.id, id))
  await see(() => rowOf(page, 'Leaving Roofs').count()).toBe(0)
  expect(await field(page, 'Notes').inputValue()).toBe('Half a note')
})
