import { inArray } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { leadsContract } from '#domains/leads/contract.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { setUp, startApp } from '#test/app.ts'
import { axeViolations } from '#test/axe.ts'
import { ann, bob, cat, type NewLead, opened, openLeadDesk, paneOf, row } from '#test/lead-desk.ts'
import { callsTo, confirmDialog, see, type Visit, visit } from '#test/visit.ts'

const app = await setUp(startApp({ work: true }))
const root = await app.as(await app.make.superAdmin())

const desk = (given: NewLead[], who = root) => openLeadDesk(app, who, given)
const many = (count: number): NewLead[] =>
  Array.from({ length: count }, (_, index) => ({ lead_name: `Lead ${index}.` }))
const box = (page: Visit, name: string) => page.getByRole('checkbox', { name: `Select ${name}`, exact: true })
const pageBox = (page: Visit) => page.getByRole('checkbox', { name: 'Select all on this page' })
const bar = (page: Visit) => page.getByRole('group', { name: 'Selected leads' })
const stored = (made: { id: number }[]) =>
  app.context.db
    .select()
    .from(leadsTable)
    .where(
      inArray(
        leadsTable.id,
        made.map(({ id }) => id),
      ),
    )
const countVerified = async (made: { id: number }[]) => (await stored(made)).filter(({ confirmed }) => confirmed).length

describe('selecting', () => {
  test('a click selects one, Shift and a click the range, x the focused row, the header the page [WORK-09]', async () => {
    const { page } = await desk(many(8))
    await box(page, 'Lead 1.').click()
    await bar(page).getByText('1 lead selected').waitFor()
    expect(opened(page)).toBeNull()
    await box(page, 'Lead 4.').click({ modifiers: ['Shift'] })
    await bar(page).getByText('4 leads selected').waitFor()
    await box(page, 'Lead 2.').click()
    await bar(page).getByText('3 leads selected').waitFor()
    await see(() => pageBox(page).evaluate((input) => (input as HTMLInputElement).indeterminate)).toBe(true)
    await row(page, 'Lead 6.').focus()
    await page.keyboard.press('x')
    await bar(page).getByText('4 leads selected').waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    await bar(page).getByText('5 leads selected').waitFor()
    expect(await axeViolations(page)).toEqual([])

    await pageBox(page).click()
    await bar(page).getByText('8 leads selected').waitFor()
    await pageBox(page).click()
    await see(() => bar(page).count()).toBe(0)

    await row(page, 'Lead 3.').focus()
    await page.keyboard.press('Enter')
    await paneOf(page, 'Lead 3.').waitFor()
    await page.keyboard.press('x')
    await see(() => box(page, 'Lead 3.').isChecked()).toBe(true)
    await page.keyboard.press('?')
    await page.getByRole('dialog').getByText('Select or deselect').first().waitFor()
  })

  test('another page keeps the selection, another filter clears it; nothing moves when the bar appears [WORK-09]', async () => {
    const { page } = await desk(many(52))
    const place = () => page.getByRole('table').boundingBox()
    const before = await place()
    await box(page, 'Lead 1.').click()
    await bar(page).waitFor()
    expect(await place()).toEqual(before)
    await page.getByRole('button', { name: 'Page 2' }).click()
    await box(page, 'Lead 51.').click()
    await bar(page).getByText('2 leads selected').waitFor()
    await page.getByRole('searchbox', { name: 'Search' }).fill('Lead 3')
    await see(() => bar(page).count()).toBe(0)
  })

  test('handlers and clients select nothing [WORK-09]', async () => {
    const { campaign } = await desk([ann])
    const handler = await app.as(await app.make.handler({ campaigns: [campaign.id] }))
    const page = await visit(app, handler, '/leads')
    await row(page, 'Ann').waitFor()
    expect(await page.getByRole('checkbox', { name: /^Select / }).count()).toBe(0)
    await row(page, 'Ann').focus()
    await page.keyboard.press('x')
    expect(await bar(page).count()).toBe(0)
  })
})

describe('acting', () => {
  test('the bar verifies, tags and archives the selection, and Undo restores it [WORK-09] [WORK-05]', async () => {
    const { page, made } = await desk([ann, bob, cat])
    await box(page, 'Ann').click()
    await box(page, 'Cat').click()
    await bar(page).getByRole('button', { name: 'Verify' }).click()
    await page.getByText('2 leads verified').waitFor()
    await see(() => countVerified(made)).toBe(2)
    await see(() => row(page, 'Ann').getByRole('switch', { name: 'Verified' }).isChecked()).toBe(true)
    await page.getByRole('button', { name: 'Undo' }).click()
    await see(() => countVerified(made)).toBe(0)
    await see(() => row(page, 'Ann').getByRole('switch', { name: 'Verified' }).isChecked()).toBe(false)

    await pageBox(page).click()
    await bar(page).getByRole('button', { name: 'Tag', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Low Value' }).click()
    await see(async () => (await stored(made)).map(({ tags }) => tags)).toEqual(made.map(() => ['Low Value']))
    await row(page, 'Bob').getByRole('list', { name: 'Tags' }).getByText('Low Value').waitFor()
    await see(() => row(page, 'Ann').evaluate((one) => one === document.activeElement)).toBe(true)
    await page.keyboard.press('u')
    await see(async () => (await stored(made)).flatMap(({ tags }) => tags)).toEqual([])

    await box(page, 'Bob').click()
    await bar(page).getByRole('button', { name: 'Archive' }).click()
    await see(() => row(page, 'Bob').count()).toBe(0)
    await see(() => page.evaluate(() => document.activeElement?.matches('tr[data-index]'))).toBe(true)
    await page.keyboard.press('u')
    await row(page, 'Bob').waitFor()

    await box(page, 'Bob').click()
    await bar(page).getByRole('button', { name: 'Select none' }).click()
    await see(() => row(page, 'Bob').evaluate((one) => one === document.activeElement)).toBe(true)
    // Also where none is left.
    await pageBox(page).click()
    await bar(page).getByRole('button', { name: 'Archive' }).click()
    await see(() => row(page, 'Bob').count()).toBe(0)
    await page.keyboard.press('u')
    await row(page, 'Bob').waitFor()
  })

  test('an undo says for how many leads it was undone, once it was [WORK-08] [WORK-09]', async () => {
    const { page, made } = await desk([ann, bob])
    await pageBox(page).click()
    await bar(page).getByRole('button', { name: 'Verify' }).click()
    await page.getByText('2 leads verified').waitFor()
    const [first] = made
    const other = await app.as(await app.make.superAdmin())
    await other.call(leadsContract.update, { params: { id: first!.id }, body: { notes: 'Called' } })
    await page.getByRole('button', { name: 'Undo' }).click()
    await page
      .getByText(`Undone for 1 lead. 1 lead has changed since and was left as it is: No. ${first!.id}`)
      .waitFor()
    expect(await page.getByText('Undone: 2 leads verified').count()).toBe(0)
    await see(() => countVerified(made)).toBe(1)
  })

  test('a batch that fails on its way says why, the list shows what it has changed by then, and Undo restores that, at the second try, too [WORK-08]', async () => {
    const { page, made } = await desk([ann, bob])
    await page.route('**/api/leads/batch', async (route) => {
      const response = await route.fetch()
      const failed = { ...(await response.json()), state: 'failed', problem: 'Failed several times' }
      await route.fulfill({ response, json: failed })
    })
    await box(page, 'Ann').click()
    await bar(page).getByRole('button', { name: 'Verify' }).click()
    await page.getByRole('alert').getByText('Failed several times').waitFor()
    await see(() => row(page, 'Ann').getByRole('switch', { name: 'Verified' }).isChecked()).toBe(true)
    await bar(page).getByText('1 lead selected').waitFor()
    await page.route('**/api/leads/batch/*/undo', (route) => route.abort(), { times: 1 })
    await page.getByText('1 lead verified').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('alert').getByText('The server could not be reached').waitFor()
    expect(await countVerified(made)).toBe(1)
    await page.getByRole('button', { name: 'Undo' }).click()
    await see(() => countVerified(made)).toBe(0)
  })

  test('leads are moved to a campaign and one of its sites [WORK-09]', async () => {
    const { page, made } = await desk([ann, bob])
    const to = await app.make.campaign({ name: 'South Plumbing' })
    const site = await app.make.clientSite({ campaign_id: to.id, url: 'https://south.example' })
    await page.reload()
    await page.locator('tr[data-index]').first().waitFor()
    await pageBox(page).click()
    await bar(page).getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Move to a campaign' }).click()
    const dialog = page.getByRole('dialog', { name: 'Move to a campaign' })
    await dialog.getByRole('combobox', { name: 'Campaign' }).fill('South')
    await page.getByRole('option', { name: 'South Plumbing' }).click()
    await dialog.getByRole('combobox', { name: 'Client Site' }).click()
    await page.getByRole('option', { name: 'south.example' }).click()
    expect(await axeViolations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Move' }).click()
    await see(async () => (await stored(made)).map(({ clientsite_id }) => clientsite_id)).toEqual([site.id, site.id])
  })

  test('over 50 it asks first; all matches can be selected, a job shows its progress, and u undoes it [WORK-09]', async () => {
    const { page, made } = await desk(many(260))
    await pageBox(page).click()
    await bar(page).getByText('50 leads selected').waitFor()
    await bar(page).getByRole('button', { name: 'Select all 260' }).click()
    await bar(page).getByText('260 leads selected').waitFor()
    await bar(page).getByRole('button', { name: 'Verify' }).click()
    const question = confirmDialog(page, 'Verify 260 leads?')
    await question.getByRole('button', { name: 'Cancel' }).click()
    expect(callsTo(page, 'POST /api/leads/batch')).toEqual([])
    await bar(page).getByRole('button', { name: 'Verify' }).click()
    await question.getByRole('button', { name: 'Verify' }).click()
    await page.getByRole('progressbar', { name: 'Leads processed' }).waitFor()
    await page.getByText('260 leads verified').waitFor()
    expect(await countVerified(made)).toBe(260)
    expect(callsTo(page, 'GET /api/leads/batch/').length).toBeGreaterThan(0)
    await see(() => page.evaluate(() => document.activeElement?.matches('tr[data-index]'))).toBe(true)
    await page.keyboard.press('u')
    await see(() => countVerified(made)).toBe(0)
  })

  test('if more leads match by then it says so and asks again; deselecting one row selects the page again [WORK-09]', async () => {
    const { page, campaign, made } = await desk(many(53))
    await pageBox(page).click()
    await bar(page).getByRole('button', { name: 'Select all 53' }).click()
    await app.make.lead({ campaign_id: campaign.id })
    await bar(page).getByRole('button', { name: 'Verify' }).click()
    await confirmDialog(page, 'Verify 53 leads?').getByRole('button', { name: 'Verify' }).click()
    await page.getByRole('alert').getByText('54 leads match now').waitFor()
    expect(await countVerified(made)).toBe(0)
    await bar(page).getByText('54 leads selected').waitFor()
    await box(page, 'Lead 2.').click()
    await bar(page).getByText('49 leads selected').waitFor()
  })
})

describe('page after page', () => {
  test('v on the last row of a page continues on the next page, with and without an open lead [WORK-03]', async () => {
    const { page, made } = await desk(many(52))
    const list = page.getByRole('region', { name: 'Leads', exact: true })
    await list.evaluate((section) => section.scrollTo(0, section.scrollHeight))
    await row(page, 'Lead 49.').focus()
    await page.keyboard.press('v')
    await row(page, 'Lead 50.').waitFor()
    await see(() => row(page, 'Lead 50.').evaluate((tr) => tr === document.activeElement)).toBe(true)
    await page.keyboard.press('k')
    await row(page, 'Lead 49.').waitFor()
    await see(() => row(page, 'Lead 49.').evaluate((tr) => tr === document.activeElement)).toBe(true)
    await page.keyboard.press('Enter')
    await paneOf(page, 'Lead 49.').waitFor()
    await page.keyboard.press('j')
    await paneOf(page, 'Lead 50.').waitFor()
    await see(() => countVerified(made)).toBe(1)
  })

  test('each lead appears once although judged leads leave the filter, with and without an open lead [WORK-03] [WORK-04]', async () => {
    const { page, made } = await desk(many(13))
    await page.goto(`${page.url()}&unmarked=1&per_page=3`)
    await row(page, 'Lead 2.').waitFor()
    await page.getByRole('region', { name: 'Leads', exact: true }).focus()
    await page.keyboard.press('ArrowDown')
    const hasFocus = (name: string) =>
      page.evaluate(
        (text) => document.activeElement?.matches('tr') && document.activeElement.textContent.includes(text),
        name,
      )
    const passed = [1, 8] // only viewed: these stay in the list
    for (const [index] of made.entries()) {
      if (index < 6) await see(() => hasFocus(`Lead ${index}.`)).toBe(true)
      else await paneOf(page, `Lead ${index}.`).waitFor()
      if (index === 5) await page.keyboard.press('Enter')
      if (index === 5) await paneOf(page, 'Lead 5.').waitFor()
      await page.keyboard.press(passed.includes(index) ? 'j' : index % 2 ? 's' : 'v')
    }
    const judged = async () => (await stored(made)).filter(({ confirmed, hide }) => confirmed || hide).length
    await see(judged).toBe(made.length - passed.length)
    expect(opened(page)).toBe(String(made.at(-1)!.id))
    for (const name of ['Lead 8.', 'Lead 1.']) {
      await page.keyboard.press('k') // back past leads that have left
      await paneOf(page, name).waitFor()
    }
  })
})
