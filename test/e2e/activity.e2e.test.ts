import { eq } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import { addDays, addMonths, getToday } from '#contract/days.ts'
import { activityItemsContract } from '#domains/activity/contract.ts'
import { activityLogContract } from '#domains/activity/log/contract.ts'
import { activityItemsTable } from '#domains/activity/schema.ts'
import { setUp, startApp } from '#test/app.ts'
import { axeViolations } from '#test/axe.ts'
import { callsTo, confirmDialog, errorToast, isFocused, pathOf, see, type Visit, visit } from '#test/visit.ts'

const now = getToday('UTC')
const ids = { alpha: 0, beta: 0, team: 0, olivia: 0, morgan: 0 }

const app = await setUp(startApp({ settings: { AGENCY_TIMEZONE: 'UTC' } }))
const { make } = app
const acme = await make.client({ name: 'Acme' })
ids.alpha = (await make.campaign({ name: 'Alpha roofs', client_id: acme.id })).id
ids.beta = (await make.campaign({ name: 'Beta pipes', client_id: acme.id })).id
ids.team = (await make.team({ name: 'Ads' })).id
const olivia = await make.superAdmin({ username: 'olivia' })
const morgan = await make.admin({ username: 'morgan', campaigns: [ids.alpha, ids.beta] })
Object.assign(ids, { olivia: olivia.id, morgan: morgan.id })
const root = await app.as(olivia)
const admin = await app.as(morgan)
const item = (date: string, note: string, values: object) =>
  make.activityItem({ date, note, user_id: olivia.id, ...values })
await item(addDays(now, 3), 'Ahead', { campaign_id: ids.beta, assignee_id: olivia.id })
await item(now, 'Saw https://example.com/a?b=1, twice.\n<b>Not bold</b> javascript:alert(1)', {
  campaign_id: ids.alpha,
})
await item(addDays(now, -2), 'Late', { campaign_id: ids.beta, assignee_id: morgan.id })
await item(addDays(now, -3), 'Finished', {
  team_id: ids.team,
  user_id: morgan.id,
  assignee_id: morgan.id,
  is_done: true,
})
await item(addMonths(now, -2), 'Long ago', { campaign_id: ids.alpha })

const open = (query = '', who = root, options: Parameters<typeof visit>[3] = {}) =>
  visit(app, who, `/activity-log${query}`, options)
const rowOf = (page: Page, note: string) => page.locator('tr[data-index]').filter({ hasText: note })
const notes = async (page: Page) =>
  (await page.locator('tr[data-index] td:nth-child(4)').allTextContents()).map((note) => note.split(' ')[0])
const askedOf = (page: Visit) =>
  callsTo(page, 'GET /api/activity-log?')
    .map((call) => Object.fromEntries(new URLSearchParams(call.split('?')[1])))
    .filter(({ per_page }) => per_page !== '1') // the counts of views
async function choose(page: Page, filter: string, choice: string) {
  await page.getByRole('button', { name: filter }).click()
  await page.getByRole('dialog', { name: filter }).getByRole('option', { name: choice }).click()
  await page.keyboard.press('Escape')
}

describe('the list', () => {
  // Another test has switched it to done.
  beforeEach(async () => {
    await app.context.db.update(activityItemsTable).set({ is_done: false }).where(eq(activityItemsTable.note, 'Late'))
  })

  test('the address opens the page: a month back, a month ahead, 200 a page [ACT-01] [ACT-03] [ACT-04]', async () => {
    const page = await open()
    await page.getByRole('heading', { name: 'Activity Log', level: 1 }).waitFor()
    await see(() => notes(page)).toEqual(['Ahead', 'Saw', 'Late', 'Finished'])
    expect(askedOf(page)[0]).toMatchObject({
      from: addMonths(now, -1),
      to: addMonths(now, 1),
      page: '1',
      per_page: '200',
    })
    await page.getByText('Total Items: 4').waitFor()
    expect(await page.getByLabel('Page size').count()).toBe(0) // all are on one page of any size
  })

  test('more rows than a page has are paged, and the address has the page [ACT-04]', async () => {
    const date = addMonths(now, -10)
    const note = (n: number) =>
      app.make.activityItem({ date, note: `Many ${n}`, campaign_id: ids.alpha, user_id: ids.olivia })
    await Promise.all(Array.from({ length: 55 }, (_, n) => note(n)))
    const page = await open(`?from=${date}&to=${date}`)
    await see(() => page.getByLabel('Page size').inputValue()).toBe('200')
    await page.getByLabel('Page size').selectOption('50')
    await see(() => askedOf(page).at(-1)?.per_page).toBe('50')
    expect(new URL(page.url()).searchParams.get('per_page')).toBe('50')
    await see(() => page.locator('tr[data-index]').count()).toBe(50)
    await page.getByRole('button', { name: 'Next page' }).click()
    await see(() => page.locator('tr[data-index]').count()).toBe(5)
    expect(new URL(page.url()).searchParams.get('page')).toBe('2')
    await page.goBack()
    await see(() => page.locator('tr[data-index]').count()).toBe(50)
  })

  test('a row shows date, campaign or team, note, files, user and assignee [ACT-05]', async () => {
    const page = await open()
    await rowOf(page, 'Finished').waitFor()
    expect((await page.getByRole('columnheader').allTextContents()).slice(0, 7)).toEqual([
      'Done',
      'Date',
      'Campaign or team',
      'Note',
      'Files',
      'User',
      'Assignee',
    ])
    const shown = (day: string) => day.replace(/(\d+)-(\d+)-(\d+)/, '$2/$3/$1')
    const cells = (note: string) => rowOf(page, note).locator('td').allTextContents()
    expect((await cells('Finished')).slice(1, 7)).toEqual([
      shown(addDays(now, -3)),
      'Ads Team',
      'Finished',
      '–',
      'morgan',
      'morgan',
    ])
    expect((await cells('Ahead')).slice(1, 7)).toEqual([
      shown(addDays(now, 3)),
      'Beta pipes',
      'Ahead',
      '–',
      'olivia',
      'olivia',
    ])
  })

  test('a note is plain text with its line breaks; only web addresses become links', async () => {
    const page = await open()
    const row = rowOf(page, 'Saw')
    await row.waitFor()
    const link = row.getByRole('link').filter({ hasNotText: 'Alpha roofs' })
    expect([
      await link.count(),
      await link.textContent(),
      await link.getAttribute('href'),
      await link.getAttribute('rel'),
    ]).toEqual([1, 'https://example.com/a?b=1', 'https://example.com/a?b=1', 'noreferrer noopener'])
    expect(await row.locator('b').count()).toBe(0)
    const text = row.getByText('Saw')
    await see(() => text.textContent()).toBe(
      'Saw https://example.com/a?b=1, twice.\n<b>Not bold</b> javascript:alert(1)',
    )
    await see(() => text.evaluate((element) => getComputedStyle(element).whiteSpace)).toBe('pre-wrap')
  })

  test('campaigns and teams, users and dates filter it; a link keeps the filters [ACT-02]', async () => {
    const page = await open()
    await choose(page, 'Campaigns and teams', 'Beta pipes')
    await see(() => notes(page)).toEqual(['Ahead', 'Late'])
    await choose(page, 'Campaigns and teams', 'Ads')
    await see(() => notes(page)).toEqual(['Ahead', 'Late', 'Finished'])
    await choose(page, 'Admin users', 'morgan')
    await see(() => notes(page)).toEqual(['Late', 'Finished'])
    expect(pathOf(page)).toBe(`/activity-log?campaign_ids=campaign-${ids.beta},team-${ids.team}&user_ids=${ids.morgan}`)
    const linked = await open(pathOf(page).slice('/activity-log'.length))
    await see(() => notes(linked)).toEqual(['Late', 'Finished'])
    await linked.getByRole('button', { name: 'Reset' }).click()
    await see(() => notes(linked)).toEqual(['Ahead', 'Saw', 'Late', 'Finished'])
    await linked.getByRole('button', { name: /^Dates/ }).click()
    await linked.getByRole('button', { name: 'Next 7 days' }).click()
    await see(() => notes(linked)).toEqual(['Ahead', 'Saw'])
  })

  test('My tasks is one click, and an overdue task says so', async () => {
    const page = await open('', admin)
    await page.getByText('My tasks').click()
    await see(() => notes(page)).toEqual(['Late', 'Finished'])
    expect(pathOf(page)).toBe('/activity-log?my_tasks=1')
    await rowOf(page, 'Late').getByText('Overdue').waitFor()
    await see(() => page.getByText('Overdue').count()).toBe(1)
  })

  test('an empty result says so and offers a way back', async () => {
    const page = await open(`?from=2020-01-01&to=2020-01-02`)
    await page.getByText('List is empty').waitFor()
    await page.getByRole('button', { name: 'Reset filters' }).click()
    await rowOf(page, 'Late').waitFor()
  })
})

describe('the done switch', () => {
  test('is shown for tasks only, is saved, and can be undone [ACT-06] [ACT-07]', async () => {
    const page = await open()
    const late = rowOf(page, 'Late').getByRole('switch', { name: 'Done' })
    await late.waitFor()
    expect(await rowOf(page, 'Saw').getByRole('switch').count()).toBe(0)
    await late.click()
    await page.getByText('State changed successfully', { exact: true }).waitFor()
    await page.reload()
    await see(() => late.isChecked()).toBe(true)
    expect(await rowOf(page, 'Late').getByText('Overdue').count()).toBe(0)
    await late.click()
    await see(() => late.isChecked()).toBe(false)
    await page.getByRole('button', { name: 'Undo' }).click()
    await see(() => late.isChecked()).toBe(true)
    await page.reload()
    await see(() => late.isChecked()).toBe(true)
  })

  test('goes back with a message if the item was deleted in the meantime', async () => {
    const note = 'Removed meanwhile'
    const { id } = await app.make.activityItem({
      date: now,
      note,
      campaign_id: ids.alpha,
      user_id: ids.olivia,
      assignee_id: ids.olivia,
    })
    const page = await open()
    const done = rowOf(page, note).getByRole('switch', { name: 'Done' })
    await done.waitFor()
    await root.call(activityItemsContract.remove, { params: { id } })
    await done.click()
    await errorToast(page).filter({ hasText: 'This no longer exists, or you don’t have access to it' }).waitFor()
  })
})

describe('deleting', () => {
  test('asks first, does nothing when cancelled, and confirms [ACT-19] [ACT-22]', async () => {
    const note = 'To be deleted'
    await app.make.activityItem({ date: now, note, campaign_id: ids.alpha, user_id: ids.olivia })
    const page = await open()
    const remove = rowOf(page, note).getByRole('button', { name: 'Delete' })
    await remove.click()
    const asked = confirmDialog(page, 'Are you sure to remove this item?')
    await asked.getByText(/^Note of .*: To be deleted$/).waitFor()
    await asked.getByRole('button', { name: 'Cancel' }).click()
    await asked.waitFor({ state: 'hidden' })
    expect(callsTo(page, 'DELETE')).toEqual([])
    await remove.click()
    await asked.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Activity Log item was deleted successfully', { exact: true }).waitFor()
    await see(() => rowOf(page, note).count()).toBe(0)
  })
})

describe('teams', () => {
  test('a super admin adds, renames and removes them in a small dialog [ACT-23]', async () => {
    const page = await open()
    await page.getByRole('button', { name: 'Teams', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Teams' })
    const exampleColor = () =>
      dialog.getByLabel('New team').evaluate((input) => getComputedStyle(input, '::placeholder').color)
    const color = await exampleColor()
    await dialog.getByRole('button', { name: 'Add' }).click()
    await dialog.getByText('Please input team name', { exact: true }).waitFor()
    expect(await exampleColor()).toBe(color)
    await dialog.getByLabel('New team').fill('Contents')
    await page.keyboard.press('Enter')
    await page.getByText('Team was created successfully', { exact: true }).waitFor()
    await dialog.getByLabel('Name of Contents').fill('Content')
    await dialog.getByRole('button', { name: 'Rename' }).click()
    await page.getByText('Team was updated successfully', { exact: true }).waitFor()
    await see(() => isFocused(dialog.getByLabel('Name of Content'))).toBe(true)
    expect(await axeViolations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Delete Content' }).click()
    await confirmDialog(page, 'Are you sure to remove this team?').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Team was removed successfully', { exact: true }).waitFor()
    await see(() => dialog.getByLabel(/^Name of/).count()).toBe(1)
    await see(() => isFocused(dialog.getByLabel('New team'))).toBe(true)
    await page.keyboard.press('Escape')
    await see(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Teams')
  })

  test('closing the dialog asks before it loses a name that is typed [ACT-23, SHELL-30]', async () => {
    const page = await open()
    await page.getByRole('button', { name: 'Teams', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Teams' })
    const name = dialog.getByLabel('Name of Ads')
    await name.fill('Advertising')
    await page.keyboard.press('Escape')
    const asked = confirmDialog(page, 'Are you sure to close this dialog?')
    await asked.getByRole('button', { name: 'Cancel' }).click()
    await asked.waitFor({ state: 'hidden' })
    expect(await name.inputValue()).toBe('Advertising')
    await name.fill('Ads')
    await page.keyboard.press('Escape')
    await see(() => dialog.count()).toBe(0)
  })

  test('others do not see the dialog [ACT-23]', async () => {
    const page = await open('', admin)
    await page.getByRole('button', { name: 'Create New Item' }).waitFor()
    expect(await page.getByRole('button', { name: 'Teams', exact: true }).count()).toBe(0)
  })
})

test('the page is accessible', async () => {
  const page = await open('', root)
  await rowOf(page, 'Late').waitFor()
  expect(await axeViolations(page)).toEqual([])
})

test('a person without the page is told so, and has no entry in the menu', async () => {
  const other = await app.as(await app.make.admin({ permissions: ['campaigns'] }))
  const page = await open('', other)
  await page.getByText('You do not have access to this page').waitFor()
  expect(await page.getByRole('link', { name: 'Activity Log' }).count()).toBe(0)
  expect((await other.call(activityLogContract.list)).status).toBe(403)
})
