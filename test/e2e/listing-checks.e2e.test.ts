import type { Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import { checkDueListings } from '#domains/listings/checks/server/check-listings.ts'
import { getCid } from '#domains/listings/gmbs/maps-link.ts'
import { gmbsTable } from '#domains/listings/gmbs/schema.ts'
import { spokenHostsTable } from '#domains/sites/checks/schema.ts'
import { type App, setUp } from '#test/app.ts'
import { axeViolations } from '#test/axe.ts'
import { startListingsApp } from '#test/public-listings.ts'
import { errorToast, see, visit } from '#test/visit.ts'

const { app, maps } = await setUp(startListingsApp())
const root = await app.as(await app.make.superAdmin({ username: 'olivia' }))
beforeEach(async () => {
  maps.instead = null
  await app.context.db.delete(spokenHostsTable)
  // Those of other tests are not due.
  await app.context.db.update(gmbsTable).set({ next_check_at: new Date('2099-01-01'), check_asked_at: null })
})

type Values = Parameters<App['make']['gmb']>[0]
/** Creates a listing that was read before, and its current public version. */
const listing = async (title: string, now: object = {}, values: Values = {}) => {
  const seen = { title, address: '100 Main St, Austin, TX 78701', phone: '(512) 555-0100' }
  const gmb = await app.make.gmb({
    title,
    seen,
    seen_by: 'link',
    seen_at: new Date(),
    next_check_at: new Date('2099-01-01'),
    ...values,
  })
  maps.known.set(getCid(gmb.link)!, { ...seen, ...now })
  return gmb
}
const open = (search: string, options = {}) =>
  visit(app, root, `/campaign-gmbs?search=${encodeURIComponent(search)}`, options)
const rowOf = (page: Page, title: string) => page.getByRole('row').filter({ hasText: title })
const cell = (page: Page, title: string, at: number) => rowOf(page, title).getByRole('cell').nth(at).textContent()
const waitForToast = (page: Page, words: string | RegExp) => page.getByRole('status').getByText(words).first().waitFor()
const checkRow = async (page: Page, title: string) => {
  await rowOf(page, title).getByRole('button', { name: 'Check now' }).click()
  await waitForToast(page, /^Listing was checked: /)
}

test('a row’s ‘Check now’ shows the differences and since when, the log has both values, and a change can be accepted [GMB-27]', async () => {
  await listing('Ridge Roofing', { phone: '(512) 555-0199' })
  const page = await open('Ridge Roofing')
  await see(() => cell(page, 'Ridge Roofing', 3)).toBe('Not checked yet')
  await checkRow(page, 'Ridge Roofing')
  await see(() => cell(page, 'Ridge Roofing', 2)).toMatch(
    /^Changedsince \d\d\/\d\d\/\d{4}PhoneAccept as the new state$/,
  )
  await see(() => cell(page, 'Ridge Roofing', 3)).toMatch(/^\d\d\/\d\d\/\d{4} \d\d:\d\d$/)
  await rowOf(page, 'Ridge Roofing').getByRole('button', { name: 'Logs' }).click()
  const dialog = page.getByRole('dialog', { name: 'Logs of Ridge Roofing' })
  const line = dialog.getByRole('row').filter({ hasText: 'Phone' })
  await line.waitFor()
  expect((await line.getByRole('cell').allTextContents()).slice(1)).toEqual([
    'Phone',
    '(512) 555-0100',
    '(512) 555-0199',
    'Check',
  ])
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Accept as the new state of Ridge Roofing' }).click()
  await waitForToast(page, 'Listing was accepted as it is now')
  await see(() => rowOf(page, 'Ridge Roofing').getAttribute('data-tint')).toBeNull()
  await see(() => cell(page, 'Ridge Roofing', 2)).toBe('–')
})

test('a difference that is newer than the page is not accepted unseen', async () => {
  const { id } = await listing('Late Roofing', { title: 'Late Roofing LLC' })
  const page = await open('Late Roofing')
  await checkRow(page, 'Late Roofing')
  await page.getByRole('button', { name: 'Accept as the new state of Late Roofing' }).waitFor()
  await app.context.db.execute(`update campaign_gmbs set version = version + 1 where id = ${id}`)
  await page.getByRole('button', { name: 'Accept as the new state of Late Roofing' }).click()
  await errorToast(page).getByText('This listing has changed in the meantime. Please review it again').waitFor()
  await see(() => rowOf(page, 'Late Roofing').getAttribute('data-tint')).toBe('suspended')
})

test('changed, suspended and both have their own bars in addition to words', async () => {
  const at = new Date('2026-03-04T17:00:00Z')
  await listing('Barred one', {}, { changed: true, changed_at: at })
  await listing('Barred two', {}, { status: 4, suspended_at: at })
  await listing('Barred three', {}, { changed: true, changed_at: at, status: 4, suspended_at: at })
  const page = await open('Barred')
  await rowOf(page, 'Barred three').waitFor()
  const bar = (title: string) =>
    rowOf(page, title)
      .getByRole('cell')
      .first()
      .evaluate((element) => {
        const { boxShadow, backgroundImage } = getComputedStyle(element)
        return [boxShadow !== 'none', backgroundImage !== 'none']
      })
  expect([await bar('Barred one'), await bar('Barred two'), await bar('Barred three')]).toEqual([
    [false, true],
    [true, false],
    [true, true],
  ])
})

test('an unusable response is shown in its place, with the reason', async () => {
  await listing('Walled Roofing')
  maps.instead = (_request, response) => response.writeHead(429).end()
  const page = await open('Walled Roofing')
  await checkRow(page, 'Walled Roofing')
  await see(() => cell(page, 'Walled Roofing', 3)).toContain('Could not readGoogle blocks automated requests (429)')
  await see(() => cell(page, 'Walled Roofing', 2)).toBe('–')
})

test('the page’s ‘Check now’ checks all of its listings, and results appear automatically', async () => {
  await listing('Together one', { title: 'Together one LLC' })
  await listing('Together two')
  const elsewhere = await listing('Elsewhere')
  const page = await open('Together')
  await rowOf(page, 'Together two').waitFor()
  await page.getByTitle('Check every listing of this page').click()
  await waitForToast(page, 'Listings are being checked, one after the other')
  await see(() => cell(page, 'Together one', 3)).toBe('Queued')
  expect(await checkDueListings(app.context, { between: 0 })).toBe(2)
  await see(() => cell(page, 'Together one', 2)).toContain('Title')
  await see(() => cell(page, 'Together two', 3)).toMatch(/^\d\d\/\d\d\/\d{4} \d\d:\d\d$/)
  expect(maps.requested, 'what is on another page is not asked for').not.toContain(getCid(elsewhere.link))
})

test('a listing that is not found says so, after one miss and after the second', async () => {
  await listing('Lost Roofing')
  maps.instead = (_request, response) => response.writeHead(404).end()
  const page = await open('Lost Roofing')
  await checkRow(page, 'Lost Roofing')
  await see(() => cell(page, 'Lost Roofing', 3)).toContain('Not found once')
  await app.context.db.delete(spokenHostsTable)
  await rowOf(page, 'Lost Roofing').getByRole('button', { name: 'Check now' }).click()
  await see(() => cell(page, 'Lost Roofing', 1)).toMatch(/^Not foundsince \d\d.*Set as Live$/)
  await see(() => cell(page, 'Lost Roofing', 2)).toContain('Google Maps')
})

test('a linked listing’s status at Google is shown beside its own', async () => {
  await listing('Standing one', {}, { standing: 'disabled', status: 4, suspended_at: new Date('2026-03-04T17:00:00Z') })
  await listing('Standing two', {}, { standing: 'active' })
  await listing('Standing three', {}, { standing: 'suspended', status: 4 })
  const page = await open('Standing')
  await see(() => cell(page, 'Standing one', 1)).toBe('Suspendedsince 03/04/2026Google: Disabled')
  await see(() => cell(page, 'Standing two', 1)).toBe('Live')
  await see(() => cell(page, 'Standing three', 1)).toBe('Suspendedby Google')
})

test('the results of checks are accessible', async () => {
  const at = new Date('2026-03-04T17:00:00Z')
  const name = 'Shown'
  await listing(`${name} 1`, {}, { changed: true, changed_at: at, changed_fields: ['Phone'], checked_at: at })
  await listing(
    `${name} 2`,
    {},
    { standing: 'suspended', gone_at: at, checked_at: at, status: 4, suspended_at: at, changed: true },
  )
  await listing(`${name} 3`, {}, { missed_at: at, checked_at: at })
  await listing(`${name} 4`, {}, { check_problem: 'Google answers 500', checked_at: at })
  await listing(`${name} 5`, {}, { check_asked_at: at })
  const page = await open(name)
  await rowOf(page, `${name} 5`).waitFor()
  expect(await axeViolations(page)).toEqual([])
})
