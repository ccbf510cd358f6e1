import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { getToday } from '#contract/days.ts'
import { preferencesContract } from '#domains/access/preferences/contract.ts'
import { sessionContract } from '#domains/access/sign-in/contract.ts'
import { type Caller, setUp, startApp } from '#test/app.ts'
import { measureListOverflow } from '#test/cut-values.ts'
import { callsTo, holdFirstWrite, pathOf, see, visit } from '#test/visit.ts'

const app = await setUp(startApp())
await app.make.client({ name: 'Granite' })

const signInAsAdmin = async () => app.as(await app.make.superAdmin())
const open = async (who: Caller) => {
  const page = await visit(app, who, '/clients')
  await page.getByRole('cell', { name: 'Granite', exact: true }).waitFor()
  return page
}
const heads = (page: Page) => page.getByRole('columnheader').allTextContents()
const head = (page: Page, name: string) => page.getByRole('columnheader', { name })
const width = async (page: Page, name: string) => Math.round((await head(page, name).boundingBox())!.width)
const usual = [
  'NM ID',
  'Client Name',
  'Client Email',
  'Notifications',
  'Client timezone',
  'Campaigns',
  'Active',
  'Actions',
]
const saved = (page: Page) => see(() => callsTo(page as never, 'POST /api/user/saveTable').length).toBeGreaterThan(0)

test('a header can be dragged to another place; the order survives a reload and is that person’s own', async () => {
  const who = await signInAsAdmin()
  const page = await open(who)
  await see(() => heads(page)).toEqual(usual)
  await drag(page, 'Client Email', 'NM ID')
  const moved = ['Client Email', 'Client Name', 'NM ID', ...usual.slice(3)] // the name is pinned
  await see(() => heads(page)).toEqual(moved)
  expect(pathOf(page)).toBe('/clients') // a drag does not sort
  await saved(page)
  await page.reload()
  await see(() => heads(page)).toEqual(moved)
  expect(await heads(await open(await signInAsAdmin()))).toEqual(usual)
})

test('a press that does not move still sorts', async () => {
  const page = await open(await signInAsAdmin())
  await head(page, 'Client Email').getByRole('button').click()
  await see(() => pathOf(page)).toContain('sort=user.email')
})

test('an edge can be dragged to another width, and a double click resets it', async () => {
  const page = await open(await signInAsAdmin())
  const before = await width(page, 'NM ID')
  const edge = head(page, 'NM ID').locator('[aria-hidden=true]').last()
  const { x, y, width: wide, height } = (await edge.boundingBox())!
  await page.mouse.move(x + wide / 2, y + height / 2)
  await page.mouse.down()
  await page.mouse.move(x + wide / 2 + 40, y + height / 2, { steps: 4 })
  await page.mouse.move(x + wide / 2 + 60, y + height / 2)
  await page.mouse.up()
  await see(() => width(page, 'NM ID')).toBeGreaterThan(before + 30)
  await saved(page)
  const after = await width(page, 'NM ID')
  await page.reload()
  await see(() => width(page, 'NM ID')).toBe(after)
  await head(page, 'NM ID').locator('[aria-hidden=true]').last().dblclick()
  await see(() => width(page, 'NM ID')).toBe(before)
})

test('arrow keys do the same, and Reset columns restores the default', async () => {
  const page = await open(await signInAsAdmin())
  await head(page, 'NM ID').getByRole('button').focus()
  await page.keyboard.press('Control+ArrowRight')
  await see(() => heads(page)).toEqual(['Client Email', 'Client Name', 'NM ID', ...usual.slice(3)])
  const before = await width(page, 'NM ID')
  await page.keyboard.press('Shift+ArrowLeft')
  await page.keyboard.press('Shift+ArrowLeft')
  await see(() => width(page, 'NM ID')).toBeLessThan(before)
  await page.keyboard.press('ArrowLeft')
  await see(() => page.evaluate(() => document.activeElement?.closest('th')?.textContent)).toBe('Client Name')
  await page.getByRole('button', { name: 'Reset columns' }).click()
  await see(() => heads(page)).toEqual(usual)
  await page.getByRole('button', { name: 'Reset columns' }).waitFor({ state: 'detached' })
})

test('of the widths of a held key the last is the one that is saved, also when the first save takes long', async () => {
  const page = await open(await signInAsAdmin())
  await head(page, 'NM ID').getByRole('button').focus()
  const release = await holdFirstWrite(page, '**/api/user/saveTable')
  const before = await width(page, 'NM ID')
  for (let times = 0; times < 4; times += 1) await page.keyboard.press('Shift+ArrowRight')
  await see(() => width(page, 'NM ID')).toBeGreaterThan(before + 30)
  release()
  const after = await width(page, 'NM ID')
  // The one that was held and the last: those in between are not sent.
  await see(() => callsTo(page, 'POST /api/user/saveTable').length).toBe(2)
  await page.reload() // once both are answered
  await see(() => width(page, 'NM ID')).toBe(after)
})

test('the column with the row’s name stays visible, wherever it stands', async () => {
  const campaign = await app.make.campaign()
  await app.make.activityItem({ campaign_id: campaign.id, note: 'Scrolled', date: getToday('UTC') })
  const page = await visit(app, await signInAsAdmin(), '/activity-log', { viewport: { width: 800, height: 800 } })
  const date = page.locator('tr[data-index] td').nth(1) // behind the switch
  await date.waitFor()
  const before = (await date.boundingBox())!.x
  await page.getByRole('region', { name: 'Activity Log' }).evaluate((scroller) => scroller.scrollTo(150, 0))
  const campaignName = page.locator('tr[data-index] td').nth(2)
  await see(async () => (await campaignName.boundingBox())!.x).toBeLessThan(before + 50)
  expect((await date.boundingBox())!.x).toBeLessThanOrEqual(before)
  expect((await date.boundingBox())!.x).toBeGreaterThan(before - 100)
})

test('without such a column the first one stays visible, and a shade says that text goes on under the actions', async () => {
  const campaign = await app.make.campaign()
  await app.make.lead({ campaign_id: campaign.id })
  const page = await visit(app, await signInAsAdmin(), '/leads', { viewport: { width: 800, height: 800 } })
  const cell = (index: number) => page.locator('tr[data-index] td').nth(index)
  await cell(1).waitFor() // the campaign, behind the checkbox
  const left = async (index: number) => (await cell(index).boundingBox())!.x
  const [before, next] = [await left(1), await left(2)]
  await page.getByRole('region', { name: 'Leads' }).evaluate((scroller) => scroller.scrollTo(150, 0))
  await see(() => left(2)).toBeLessThan(next)
  expect(await left(1)).toBe(before)

  const shade = () =>
    page
      .locator('tr[data-index] td:last-child')
      .first()
      .evaluate((last) => {
        const { width, backgroundImage } = getComputedStyle(last, '::before')
        return `${width} ${backgroundImage.split('(')[0]}`
      })
  await page.goto(`${app.url}/clients`)
  await see(shade).toBe('16px linear-gradient')
  await page.setViewportSize({ width: 1440, height: 800 })
  await see(shade).toBe('0px linear-gradient')
})

test('what a table lacks at 1280 pixels it takes from the margins of its columns, not from what stands in them', async () => {
  await app.make.clientSite({ url: 'https://granite.example' })
  const page = await open(await signInAsAdmin())
  const room = (name: string) =>
    head(page, name).evaluate((one) => {
      const { paddingLeft, paddingRight } = getComputedStyle(one)
      return Math.round(
        one.getBoundingClientRect().width - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight),
      )
    })
  for (const [path, ...names] of [
    ['/clients', 'Client Name', 'Client Email', 'Active'],
    ['/client-sites', 'URL', 'IP'],
  ] as const) {
    await page.goto(app.url + path)
    await page.locator('tr[data-index]').first().waitFor()
    const rooms = () => Promise.all(names.map(room))
    await page.setViewportSize({ width: 1440, height: 800 })
    const [before, wide] = [await rooms(), await width(page, names[0])]
    await page.setViewportSize({ width: 1280, height: 800 })
    await see(() => width(page, names[0])).toBeLessThan(wide)
    expect(await page.evaluate(measureListOverflow)).toBe(0)
    expect(await rooms()).toEqual(before)
  }
})

test('an unknown table or column and an invalid width are refused by name, and nothing is saved', async () => {
  const who = await signInAsAdmin()
  const refusals = async (body: object) => (await who.call(preferencesContract.saveTable, { body })).body.errors
  const layout = { table: 'clients', order: ['name'], widths: { name: 200 } }
  expect(await refusals({ ...layout, table: 'tea' })).toEqual({ table: ['There is no such table'] })
  expect(Object.keys(await refusals({ ...layout, order: ['<b>'] }))).toEqual(['order'])
  expect(Object.keys(await refusals({ ...layout, widths: { name: 4 } }))).toEqual(['widths.name'])
  expect((await who.call(sessionContract.me)).body.tables).toEqual({})
  expect((await who.call(preferencesContract.saveTable, { body: layout })).body.tables).toEqual({
    clients: { order: ['name'], widths: { name: 200 } },
  })
})

async function drag(page: Page, from: string, to: string) {
  const [start, end] = [(await head(page, from).boundingBox())!, (await head(page, to).boundingBox())!]
  await page.mouse.move(start.x + 30, start.y + start.height / 2)
  await page.mouse.down()
  await page.mouse.move(end.x + end.width / 2, end.y + end.height / 2, { steps: 6 })
  await page.mouse.move(end.x + 4, end.y + end.height / 2)
  await page.mouse.up()
}
