import { sql } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import { addDays, addMonths, getToday } from '#contract/days.ts'
import { activityItemsContract } from '#domains/activity/contract.ts'
import { activityLogContract } from '#domains/activity/log/contract.ts'
import { activityItemsTable } from '#domains/activity/schema.ts'
import { campaignNotesContract } from '#domains/campaigns/notes/contract.ts'
import { setUp, startApp } from '#test/app.ts'
import { axeViolations } from '#test/axe.ts'
import { callsTo, confirmDialog, errorToast, holdFirstWrite, pathOf, see, type Visit, visit } from '#test/visit.ts'

const now = getToday('UTC')
const ids = { sticky: 0, alpha: 0, beta: 0, team: 0, olivia: 0, morgan: 0 }
const shown = (day: string) => day.replace(/(\d+)-(\d+)-(\d+)/, '$2/$3/$1')
const ago = (days: number) => addDays(now, -days)

const app = await setUp(startApp({ settings: { AGENCY_TIMEZONE: 'UTC' } }))
const { make } = app
ids.sticky = (await make.campaign({ name: 'Zeta first', fixed_to_top: true })).id
ids.alpha = (await make.campaign({ name: 'Alpha roofs', notes: 'Two crews\nhttps://example.com/crews' })).id
ids.beta = (await make.campaign({ name: 'Beta pipes' })).id
ids.team = (await make.team({ name: 'Ads' })).id
const olivia = await make.superAdmin({ username: 'olivia' })
const morgan = await make.admin({ username: 'morgan', campaigns: [ids.alpha] })
Object.assign(ids, { olivia: olivia.id, morgan: morgan.id })
const root = await app.as(olivia)
await makeItems()

async function makeItems() {
  const item = (date: string, note: string, values: object) =>
    app.make.activityItem({ date, note, user_id: ids.olivia, ...values })
  await item(ago(1), 'Raised the budget', { campaign_id: ids.alpha })
  await item(ago(1), 'New headline', { campaign_id: ids.alpha, user_id: ids.morgan })
  await item(ago(2), 'Weekly meeting', { team_id: ids.team })
  await item(ago(20), 'Long gone <b>bold</b>', { campaign_id: ids.beta })
  await item(addMonths(now, -3), 'Before the range', { campaign_id: ids.beta })
}

const open = (query = '', who = root, options: Parameters<typeof visit>[3] = {}) =>
  visit(app, who, `/campaigns-changelog${query}`, options)
const grid = (page: Page) => page.getByRole('grid', { name: 'Campaigns by day' })
const line = (page: Page, name: string) =>
  grid(page)
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name }) })
/** Column 0 has the names, 1 is today. */
const cell = (page: Page, name: string, column: number) => line(page, name).locator(`[data-column="${column}"]`)
const editor = (page: Page, name: string) => page.getByRole('dialog', { name })
const save = (page: Page) => page.getByRole('button', { name: 'Save' }).click()
const askedOf = (page: Visit) =>
  callsTo(page, 'GET /api/campaign-changelog?').map((call) =>
    Object.fromEntries(new URLSearchParams(call.split('?')[1])),
  )
const focused = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement
    const row = element?.closest('[role=row]')?.querySelector('[role=rowheader] > div')?.textContent
    return [row, element?.getAttribute('data-column')]
  })
async function choose(page: Page, filter: string, choice: string) {
  await page.getByRole('button', { name: filter, exact: true }).click()
  await page.getByRole('dialog', { name: filter }).getByRole('option', { name: choice }).click()
  await page.keyboard.press('Escape')
}

describe('the grid', () => {
  // Removes items that other tests added, which would be counted.
  beforeEach(async () => {
    await app.context.db.delete(activityItemsTable)
    await makeItems()
  })

  test('the address opens campaigns by day in their groups, from a month back to today [CHG-01] [CHG-03] [CHG-04] [CHG-14]', async () => {
    const page = await open()
    await page.getByRole('heading', { name: 'Campaigns Changelog', level: 1 }).waitFor()
    await grid(page).waitFor()
    expect(askedOf(page)[0]).toEqual({ from: addMonths(now, -1), to: now })
    const first = await grid(page)
      .getByRole('row')
      .evaluateAll((rows) => rows.map((row) => row.firstElementChild?.firstChild?.textContent))
    expect(first).toEqual([
      'Campaign',
      'Sticky campaigns',
      'Zeta first',
      'Campaigns',
      'Alpha roofs',
      'Beta pipes',
      'Teams',
      'Ads',
    ])
    await see(() => cell(page, 'Alpha roofs', 2).getByText('Raised the budget').count()).toBe(1)
    await see(() => cell(page, 'Ads', 3).getByText('Weekly meeting').count()).toBe(1)
  })

  test('each day shows its count, and the total is below [CHG-05]', async () => {
    const page = await open()
    const head = (day: string) =>
      grid(page)
        .getByRole('columnheader')
        .filter({ hasText: shown(day) })
    await see(() => head(ago(1)).textContent()).toMatch(/2 notes$/)
    await see(() => head(ago(2)).textContent()).toMatch(/1 note$/)
    await see(() => head(now).textContent()).toMatch(/0 notes$/)
    await page.getByText('Total: 4').waitFor()
  })

  test('dates, users and campaigns filter it, and are in the address [CHG-02]', async () => {
    const page = await open()
    await choose(page, 'User', 'morgan')
    await page.getByText('Total: 1').waitFor()
    await choose(page, 'Campaign', 'Alpha roofs')
    await see(() => grid(page).getByRole('rowheader').count()).toBe(1)
    expect(pathOf(page)).toBe(`/campaigns-changelog?user_ids=${ids.morgan}&campaign_ids=campaign-${ids.alpha}`)
    await page.getByRole('button', { name: 'Reset' }).click()
    await page.getByText('Total: 4').waitFor()
    await page.getByRole('button', { name: /^Dates/ }).click()
    await page.getByRole('button', { name: 'Yesterday' }).click()
    await page.getByText('Total: 2').waitFor()
    await see(() => grid(page).getAttribute('aria-colcount')).toBe('2')
  })

  test('an admin sees their campaigns and every team', async () => {
    const page = await open('', await app.as({ id: ids.morgan }))
    await see(() => grid(page).getByRole('rowheader').locator('div:first-child').allTextContents()).toContain(
      'Alpha roofs',
    )
    expect(await line(page, 'Beta pipes').count()).toBe(0)
    await line(page, 'Ads').waitFor()
  })
})

describe('the note of a campaign', () => {
  test('is added or edited, without validation [CHG-06] [CHG-07] [CHG-13]', async () => {
    const page = await open()
    await see(() => line(page, 'Alpha roofs').getByRole('link').last().getAttribute('href')).toBe(
      'https://example.com/crews',
    )
    await cell(page, 'Beta pipes', 0).getByRole('button', { name: 'Add Note' }).click()
    const adding = editor(page, 'Add Note: Beta pipes')
    await adding.getByLabel('Note').fill('One crew')
    await save(page)
    await page.getByText('Note changed successfully', { exact: true }).waitFor()
    await cell(page, 'Beta pipes', 0).getByText('One crew').waitFor()
    await cell(page, 'Beta pipes', 0).getByRole('button', { name: 'Edit Note' }).click()
    const editing = editor(page, 'Edit Note: Beta pipes')
    await see(() => editing.getByLabel('Note').inputValue()).toBe('One crew')
    await editing.getByLabel('Note').fill('')
    await save(page)
    await editing.waitFor({ state: 'hidden' })
    await cell(page, 'Beta pipes', 0).getByRole('button', { name: 'Add Note' }).waitFor()
  })
})

describe('a note that another person has changed since is not overwritten, and both are shown', () => {
  test('the note of a campaign [CHG-13]', async () => {
    const { id } = await make.campaign({ name: 'Nu notes', notes: 'As read' })
    const page = await open(`?campaign_ids=${id}`)
    await line(page, 'Nu notes').getByRole('button', { name: 'Edit Note' }).click()
    const editing = editor(page, 'Edit Note: Nu notes')
    await editing.getByLabel('Note').fill('Mine')
    await root.call(campaignNotesContract.update, { params: { id }, body: { note: 'Theirs' } })
    await save(page)
    await editing.getByText('Someone changed this to Theirs').waitFor()
    await see(() => editing.getByLabel('Note').inputValue()).toBe('Mine')
    await editing.getByRole('button', { name: 'Keep mine' }).click()
    await save(page)
    await line(page, 'Nu notes').getByText('Mine', { exact: true }).waitFor()
  })

  async function meetNewerNote(name: string) {
    const campaign = await make.campaign({ name })
    const date = ago(1)
    const { body } = await root.call(activityItemsContract.create, {
      body: { campaignId: String(campaign.id), date, note: 'As read' },
    })
    const page = await open(`?campaign_ids=${campaign.id}`)
    await cell(page, name, 2).getByText('As read').click()
    const editing = editor(page, `Edit Note: ${name}`)
    await editing.getByLabel('Note').fill('Mine')
    const { id, version } = body.data[0]
    await root.call(activityItemsContract.update, { params: { id }, body: { note: 'Theirs', version } })
    await save(page)
    await editing.getByText('Someone changed this to Theirs').waitFor()
    await see(() => editing.getByLabel('Note').inputValue()).toBe('Mine')
    return { page, editing, name }
  }

  test('a note of a day, in its cell [CHG-09]', async () => {
    const { page, editing, name } = await meetNewerNote('Xi notes')
    await save(page)
    await editing.getByRole('button', { name: 'Keep mine' }).click()
    await save(page)
    await cell(page, name, 2).getByText('Mine', { exact: true }).waitFor()
  })

  test('and what was typed there goes along into the full dialog [CHG-09]', async () => {
    const { page, editing } = await meetNewerNote('Pi notes')
    await editing.getByRole('button', { name: 'Task and images' }).click()
    const whole = editor(page, 'Edit Item')
    await see(() => whole.getByLabel('Note').inputValue()).toBe('Mine')
    await save(page)
    await whole.getByText('Someone changed this to Theirs').waitFor()
    await see(() => whole.getByLabel('Note').inputValue()).toBe('Mine')
  })
})

describe('notes of a day', () => {
  test('are added in their cell, on any day of the grid [CHG-08] [CHG-15]', async () => {
    const page = await open()
    await cell(page, 'Beta pipes', 5).getByRole('button', { name: 'Add Note' }).click()
    const adding = editor(page, `Add Note: Beta pipes, ${shown(ago(4))}`)
    await save(page)
    await adding.getByText('Please input your note', { exact: true }).waitFor()
    await adding.getByLabel('Note').fill('From the cell')
    await page.keyboard.press('Control+Enter')
    await page.getByText('Activity Log item was added successfully', { exact: true }).waitFor()
    await cell(page, 'Beta pipes', 5).getByText('From the cell').waitFor()
    const { data } = (await root.call(activityLogContract.list, { query: { from: ago(4), to: ago(4) } })).body
    expect(data).toMatchObject([{ campaign_id: ids.beta, note: 'From the cell' }])
  })

  test('open for editing where they are clicked, and are deleted there [CHG-09]', async () => {
    const { note, date } = { note: 'Click me', date: ago(1) }
    await root.call(activityItemsContract.create, { body: { campaignId: `team-${ids.team}`, date, note } })
    const page = await open()
    await cell(page, 'Ads', 2).getByText('Click me').click()
    const editing = editor(page, `Edit Note: Ads, ${shown(date)}`)
    await see(() => editing.getByLabel('Note').inputValue()).toBe('Click me')
    await editing.getByLabel('Note').fill('Clicked <i>here</i>')
    await save(page)
    await page.getByText('Activity Log item was updated successfully', { exact: true }).waitFor()
    const changed = cell(page, 'Ads', 2).getByText('Clicked <i>here</i>')
    await changed.click()
    await editing.getByRole('button', { name: 'Delete' }).click()
    await confirmDialog(page, 'Are you sure to remove this item?').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Activity Log item was deleted successfully', { exact: true }).waitFor()
    await see(() => changed.count()).toBe(0)
  })

  test('what is typed is not lost: closing asks, and a failed save keeps it', async () => {
    const { body } = await root.call(activityItemsContract.create, {
      body: { campaignId: ids.sticky, date: ago(2), note: 'Gone soon' },
    })
    const page = await open()
    await cell(page, 'Zeta first', 3).getByText('Gone soon').click()
    const typed = editor(page, 'Edit Note: Zeta first').getByLabel('Note')
    await typed.fill('Typed')
    await cell(page, 'Alpha roofs', 1).getByRole('button', { name: 'Add Note' }).click()
    await confirmDialog(page, 'Are you sure to close this dialog?').getByRole('button', { name: 'Cancel' }).click()
    await root.call(activityItemsContract.remove, { params: { id: body.data[0].id } })
    await save(page)
    await errorToast(page).filter({ hasText: 'This no longer exists, or you don’t have access to it' }).waitFor()
    await see(() => typed.inputValue()).toBe('Typed')
    await page.getByRole('link', { name: 'Clients', exact: true }).click()
    await confirmDialog(page, 'Are you sure to close this dialog?').getByRole('button', { name: 'Cancel' }).click()
    await see(() => typed.inputValue()).toBe('Typed')
    await typed.press('Escape')
    await confirmDialog(page, 'Are you sure to close this dialog?').getByRole('button', { name: 'Close' }).click()
    await see(() => typed.count()).toBe(0)
  })

  test('a save that is answered after its editor was closed leaves the next one open, with what is typed', async () => {
    await root.call(activityItemsContract.create, {
      body: { campaignId: ids.sticky, date: ago(2), note: 'Answered late' },
    })
    const page = await open()
    const held = Promise.withResolvers<void>()
    await page.route('**/api/campaign-changelog/*', async (route) => {
      await held.promise
      await route.continue()
    })
    await cell(page, 'Zeta first', 3).getByText('Answered late').click()
    const note = page.getByRole('dialog', { name: /^(Edit|Add) Note/ }).getByLabel('Note')
    await note.fill('Answered then')
    await save(page)
    await note.press('Escape')
    await confirmDialog(page, 'Are you sure to close this dialog?').getByRole('button', { name: 'Close' }).click()
    await see(() => note.count()).toBe(0)
    await cell(page, 'Beta pipes', 1).getByRole('button', { name: 'Add Note' }).click()
    await note.fill('Typed')
    held.resolve()
    await cell(page, 'Zeta first', 3).getByText('Answered then').waitFor()
    expect(await note.inputValue()).toBe('Typed')
  })

  test('a removal that is answered after its editor was closed leaves the next one open, with what is typed', async () => {
    await root.call(activityItemsContract.create, {
      body: { campaignId: ids.sticky, date: ago(2), note: 'Removed late' },
    })
    const page = await open()
    const answer = await holdFirstWrite(page, '**/api/campaign-changelog/*')
    await cell(page, 'Zeta first', 3).getByText('Removed late').click()
    const opened = page.getByRole('dialog', { name: /^(Edit|Add) Note/ })
    await opened.getByRole('button', { name: 'Delete' }).click()
    await confirmDialog(page, /^Are you sure to/)
      .getByRole('button', { name: 'Delete' })
      .click()
    await opened.getByRole('button', { name: 'Cancel' }).click()
    await see(() => opened.count()).toBe(0)
    await cell(page, 'Beta pipes', 1).getByRole('button', { name: 'Add Note' }).click()
    await opened.getByLabel('Note').fill('Typed')
    answer()
    await see(() => cell(page, 'Zeta first', 3).getByText('Removed late').count()).toBe(0)
    expect(await opened.getByLabel('Note').inputValue()).toBe('Typed')
  })

  test('keep the focus while they are written: Tab stays in the editor', async () => {
    const page = await open()
    await cell(page, 'Alpha roofs', 1).getByRole('button', { name: 'Add Note' }).click()
    const adding = editor(page, 'Add Note: Alpha roofs')
    const isOn = (name: string) =>
      adding.getByRole('button', { name }).evaluate((one) => one === document.activeElement)
    await see(() => adding.getByLabel('Note').evaluate((one) => one === document.activeElement)).toBe(true)
    for (const name of ['Cancel', 'Save']) {
      await page.keyboard.press('Tab')
      await see(() => isOn(name)).toBe(true)
    }
    await page.keyboard.press('Tab')
    await see(() => adding.getByLabel('Note').evaluate((one) => one === document.activeElement)).toBe(true)
    await page.keyboard.press('Escape')
    await see(() => adding.count()).toBe(0)
  })

  test('become tasks in the full dialog', async () => {
    await root.call(activityItemsContract.create, {
      body: { campaignId: ids.sticky, date: ago(1), note: 'To be done' },
    })
    const page = await open()
    await cell(page, 'Zeta first', 2).getByText('To be done').click()
    await page.getByRole('button', { name: 'Task and images' }).click()
    const whole = editor(page, 'Edit Item')
    await see(() => whole.getByLabel('Campaigns and teams').inputValue()).toBe('Zeta first')
    await whole.getByRole('switch', { name: 'Task' }).click()
    await whole.getByLabel('Assignee').click()
    await page.getByRole('option', { name: 'morgan' }).click()
    await save(page)
    await page.getByText('Activity Log item was updated successfully', { exact: true }).waitFor()
    await cell(page, 'Zeta first', 2)
      .getByRole('button', { name: /^Edit: To be done, .*overdue$/ })
      .waitFor()
  })

  test('a new item can also be added with the button [CHG-10]', async () => {
    const page = await open()
    await page.getByRole('button', { name: 'Create New Item' }).click()
    const dialog = editor(page, 'Create New Item')
    await dialog.getByLabel('Campaigns and teams').first().click()
    await page.getByRole('option', { name: 'Alpha roofs' }).click()
    await page.keyboard.press('Tab')
    await dialog.getByLabel('Date').fill(shown(now))
    await dialog.getByLabel('Note').fill('By the button')
    await save(page)
    await page.getByText('Activity Log item was added successfully', { exact: true }).waitFor()
    await cell(page, 'Alpha roofs', 1).getByText('By the button').waitFor()
  })
})

describe('by keyboard', () => {
  test('Ctrl C copies the notes of a cell; rows have the row height of every table', async () => {
    const page = await open()
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const copied = () => page.evaluate(() => navigator.clipboard.readText())
    await cell(page, 'Alpha roofs', 2).focus()
    await page.keyboard.press('Control+c')
    await see(async () => (await copied()).split('\n').toSorted()).toEqual(['New headline', 'Raised the budget'])
    await page.keyboard.press('Home')
    await page.keyboard.press('Control+c')
    await see(copied).toBe('Alpha roofs')
    const height = async () => Math.round((await line(page, 'Beta pipes').boundingBox())!.height)
    const normal = await height()
    await page.goto(`${app.url}/profile`)
    await page.getByRole('radio', { name: 'Compact' }).check()
    await page.goBack()
    await see(height).toBeLessThan(normal)
    await page.goForward()
    await page.getByRole('radio', { name: 'Normal' }).check()
    await page.goBack()
    await see(height).toBe(normal)
  })

  test('Tab leads to a cell, from there to its own links, and out of the grid', async () => {
    const page = await open()
    await cell(page, 'Zeta first', 1).waitFor()
    await page.getByRole('button', { name: 'Campaign', exact: true }).focus()
    await page.keyboard.press('Tab')
    await see(() => focused(page)).toEqual(['Zeta first', '1'])
    await page.keyboard.press('ArrowLeft')
    await see(() => focused(page)).toEqual(['Zeta first', '0'])
    await page.keyboard.press('Tab')
    const link = line(page, 'Zeta first').getByRole('link', { name: 'Zeta first' })
    await see(() => link.evaluate((one) => one === document.activeElement)).toBe(true)
    await page.keyboard.press('Tab')
    await see(() => grid(page).evaluate((one) => one.contains(document.activeElement))).toBe(false)
  })

  test('arrows move between cells, Enter edits, Shift+Enter adds, Escape returns', async () => {
    const page = await open()
    await cell(page, 'Zeta first', 1).focus()
    await page.keyboard.press('ArrowDown')
    await see(() => focused(page)).toEqual(['Alpha roofs', '1'])
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    await see(() => focused(page)).toEqual(['Alpha roofs', '0'])
    await page.keyboard.press('Enter')
    await editor(page, 'Edit Note: Alpha roofs').waitFor()
    await page.keyboard.press('Escape')
    await see(() => focused(page)).toEqual(['Alpha roofs', '0'])
    await page.keyboard.press('End')
    await see(() => focused(page)).toEqual(['Alpha roofs', await lastColumn(page)])
    await page.keyboard.press('Enter')
    await editor(page, `Add Note: Alpha roofs, ${shown(addMonths(now, -1))}`).waitFor()
    await page.keyboard.press('Escape')
    await see(() => focused(page)).toEqual(['Alpha roofs', await lastColumn(page)])
    await page.keyboard.press('Home')
    await cell(page, 'Ads', 3).focus()
    await page.keyboard.press('Enter')
    await editor(page, `Edit Note: Ads, ${shown(ago(2))}`).waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Shift+Enter')
    await editor(page, `Add Note: Ads, ${shown(ago(2))}`).waitFor()
  })
})

const lastColumn = async (page: Page) => String(Number(await grid(page).getAttribute('aria-colcount')) - 1)

test('a row is as tall as its contents, collapsed or not', async () => {
  const page = await open()
  await line(page, 'Beta pipes').waitFor()
  const height = async (name: string) => (await line(page, name).boundingBox())!.height
  expect(await height('Beta pipes')).toBeLessThan(90)
  expect(await height('Ads')).toBeLessThan(90)
  // Two short notes and the button to add another.
  const full = await height('Alpha roofs')
  const last = (await cell(page, 'Alpha roofs', 2).getByRole('button').last().boundingBox())!
  const top = (await line(page, 'Alpha roofs').boundingBox())!.y
  expect(full - (last.y + last.height - top)).toBeLessThan(20)
  expect(last.y + last.height - top).toBeLessThanOrEqual(full)
})

test('on a phone each campaign and team is a card with the days that have notes; notes are edited and added in it [WORK-14]', async () => {
  const page = await open('', root, { viewport: { width: 390, height: 844 } })
  const card = page.getByRole('listitem').filter({ hasText: 'Beta pipes' })
  await card.getByText('Long gone <b>bold</b>').waitFor()
  expect(await grid(page).count()).toBe(0)
  const wide = () =>
    page.evaluate(() =>
      [...document.querySelectorAll('main, main *')].some(
        ({ scrollWidth: all, clientWidth: seen }) => seen > 390 || (seen > 300 && all > seen),
      ),
    )
  expect(await wide()).toBe(false)
  await card.getByRole('button', { name: /^Edit: Long gone/ }).press('Enter')
  await editor(page, `Edit Note: Beta pipes, ${shown(ago(20))}`)
    .getByLabel('Note')
    .fill('Long ago')
  const heights = ['Cancel', 'Save'].map(async (name) => (await card.getByRole('button', { name }).boundingBox())?.y)
  expect(new Set(await Promise.all(heights)).size).toBe(1)
  await save(page)
  await card.getByText('Long ago').waitFor()
  await see(() => card.evaluate((element) => element === document.activeElement)).toBe(true)
  await card.getByRole('button', { name: 'Add Note: Beta pipes' }).click()
  await editor(page, `Add Note: Beta pipes, ${shown(now)}`)
    .getByLabel('Note')
    .fill('Called them')
  expect(await wide()).toBe(false)
  expect(await axeViolations(page)).toEqual([])
  await save(page)
  await card.getByText('Called them').waitFor()
  await card.getByRole('button', { name: 'About the campaign: Beta pipes' }).click()
  await page.getByRole('dialog', { name: 'Add Note: Beta pipes' }).waitFor()
})

test('300 campaigns by 60 days draw only what is visible; header and names stay', async () => {
  const big = await startApp({ settings: { AGENCY_TIMEZONE: 'UTC' } })
  try {
    const client = await big.make.client()
    await big.context.db.execute(sql`
      insert into campaigns (name, client_id) select 'Campaign ' || lpad(n::text, 3, '0'), ${client.id} from generate_series(1, 300) n`)
    const user = await big.make.superAdmin()
    await big.context.db.execute(sql`
      insert into activity_items (campaign_id, date, note, user_id)
      select n % 300 + 1, ${now}::date - n % 60, 'Note ' || n, ${user.id} from generate_series(1, 6000) n`)
    const page = await visit(big, await big.as(user), `/campaigns-changelog?from=${ago(59)}`)
    await page.getByText('Total: 6,000').waitFor()
    expect([await grid(page).getAttribute('aria-rowcount'), await grid(page).getAttribute('aria-colcount')]).toEqual([
      '302',
      '61',
    ])
    const drawn = () => grid(page).locator('[data-column]').count()
    expect(await drawn()).toBeLessThan(400)
    const scroller = grid(page).locator('..')
    // Smoothness is measured by `npm run bench`: here the machine does a lot else.
    await scroller.evaluate((element) => element.scrollBy(2400, 7200))
    await see(drawn).toBeLessThan(400)
    const top = await scroller.evaluate((element) => element.getBoundingClientRect().top)
    const corner = await grid(page).getByRole('columnheader', { name: 'Campaign' }).boundingBox()
    expect(Math.round(corner!.y - top)).toBe(0)
    await grid(page).getByRole('rowheader').first().waitFor()
    await page.keyboard.press('Tab')
    await grid(page).locator('[tabindex="0"]').focus()
    await page.keyboard.press('Control+End')
    await see(() => focused(page)).toEqual(['Campaign 300', '60'])
  } finally {
    await big.close()
  }
})

test('an address that cannot be read shows the last month; an empty grid offers a way back', async () => {
  const page = await open('?from=nonsense')
  await page.getByText(/Total: \d/).waitFor()
  expect(askedOf(page)[0]).toEqual({ from: addMonths(now, -1), to: now })
  const none = await open('?campaign_ids=999999')
  await none.getByText('List is empty').waitFor()
  await none.getByRole('button', { name: 'Reset filters' }).click()
  await grid(none).waitFor()
})

test('the page and its editor are accessible', async () => {
  const page = await open('', root)
  await cell(page, 'Alpha roofs', 2).getByText('Raised the budget').click()
  await editor(page, 'Edit Note: Alpha roofs').waitFor()
  expect(await axeViolations(page)).toEqual([])
})
