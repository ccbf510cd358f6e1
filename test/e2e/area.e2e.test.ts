import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { campaignAreasContract } from '#domains/campaigns/area/contract.ts'
import { startTileStandIn } from '#integrations/fakes/tiles.ts'
import { setUp, startApp } from '#test/app.ts'
import { axeViolations } from '#test/axe.ts'
import { callsTo, confirmDialog, holdFirstWrite, pathOf, see, type Visit, visit } from '#test/visit.ts'

const tiles = await setUp(startTileStandIn([{ lat: 39, lng: -96, name: 'A town' }]))
const app = await setUp(startApp({ settings: { MAP_TILE_URL: tiles.url } }))
const keeper = await app.as(await app.make.superAdmin())

/** A square of Kansas, some hundred miles wide. */
const kansas = [
  { lat: 38, lng: -98 },
  { lat: 38, lng: -96 },
  { lat: 39.5, lng: -96 },
  { lat: 39.5, lng: -98 },
]
const campaign = async (points?: typeof kansas) => {
  const made = await app.make.campaign()
  if (points) await keeper.call(campaignAreasContract.save, { params: { id: made.id }, body: { points } })
  return made
}
const read = async (id: number) => (await keeper.call(campaignAreasContract.get, { params: { id } })).body
const dialogOf = (page: Page) => page.getByRole('dialog')
const button = (page: Page, name: string) => dialogOf(page).getByRole('button', { name, exact: true })
const rows = (page: Page) => dialogOf(page).getByRole('list', { name: 'Points' }).getByRole('button')
const waitForToast = (page: Page, words: string) => page.getByRole('status').getByText(words).first().waitFor()
const refused = (page: Page) => dialogOf(page).getByRole('alert').getByText("you can't draw that!", { exact: true })

async function open({ id, name }: { id: number; name: string }, who = keeper, options = {}): Promise<Visit> {
  const page = await visit(app, who, `/campaigns?q=${encodeURIComponent(name)}`, options)
  await page
    .getByRole('row')
    .filter({ hasText: name })
    .first()
    .getByRole('button', { name: 'Map', exact: true })
    .click()
  await page
    .getByRole('dialog', { name: `Map of ${name}` })
    .getByRole('application', { name: 'Map' })
    .waitFor()
  await see(async () => (await read(id)).points.length > 0 || (await button(page, 'Draw polygon').count()) > 0).toBe(
    true,
  )
  return page
}
/** Returns the page position of a relative position on the map: 0.5, 0.5 is its center. */
async function spot(page: Page, right: number, down: number): Promise<[number, number]> {
  const box = (await dialogOf(page).getByRole('application', { name: 'Map' }).boundingBox())!
  return [box.x + right * box.width, box.y + down * box.height]
}
async function click(page: Page, ...spots: [number, number][]) {
  for (const [right, down] of spots) {
    const [x, y] = await spot(page, right, down)
    await page.mouse.move(x, y)
    await page.mouse.click(x, y)
  }
}
async function drag(page: Page, [fromX, fromY]: [number, number], [toX, toY]: [number, number]) {
  await page.mouse.move(fromX, fromY)
  await page.mouse.down()
  await page.mouse.move((fromX + toX) / 2, (fromY + toY) / 2, { steps: 3 })
  await page.mouse.move(toX, toY, { steps: 3 })
  await page.mouse.up()
}
/** Returns the center of a corner's handle. */
async function cornerAt(page: Page, index: number): Promise<[number, number]> {
  const box = (await page.locator('[class*=corner]').nth(index).boundingBox())!
  return [box.x + box.width / 2, box.y + box.height / 2]
}
const square: [number, number][] = [
  [0.3, 0.3],
  [0.6, 0.3],
  [0.6, 0.6],
  [0.3, 0.6],
]

test('the row action opens a map of the country, full screen, that says there is no area yet [AREA-01] [AREA-02] [AREA-08]', async () => {
  const asked: string[] = [] // requested by the page; the browser may have them cached from another test
  const page = await open(await campaign(), keeper, {
    before: async (one: Page) => void one.on('request', (request) => asked.push(new URL(request.url()).pathname)),
  })
  const tilesAsked = () => asked.filter((path) => /^(\/\d+){3}\.png$/.test(path))
  const box = (await dialogOf(page).boundingBox())!
  expect([box.width, box.height]).toEqual([1440, 900])
  await dialogOf(page).getByRole('heading', { name: 'There is no area yet.' }).waitFor()
  await dialogOf(page).getByText('Draw it on the map with the polygon tool').waitFor()
  // The tile with the default center, 38.5 north and 96.5 west at zoom 5.
  await see(tilesAsked).toContain('/5/7/12.png')
  expect(tilesAsked().every((path) => path.startsWith('/5/'))).toBe(true)
  await dialogOf(page).getByRole('link', { name: '© OpenStreetMap contributors' }).waitFor()
})

test('a saved polygon is there on reopening, with its ZIP codes and cities [AREA-03] [AREA-05] [AREA-09]', async () => {
  const made = await campaign()
  const page = await open(made)
  await button(page, 'Draw polygon').click()
  await click(page, ...square, square[0]!)
  await dialogOf(page).getByRole('heading', { name: '4 points' }).waitFor()
  await dialogOf(page)
    .getByRole('heading', { name: /\d ZIP codes$/ })
    .waitFor()
  await dialogOf(page)
    .getByRole('heading', { name: /\d cities$/ })
    .waitFor()
  expect((await read(made.id)).points).toEqual([])
  await button(page, 'Save').click()
  await waitForToast(page, 'Campaign area was saved successfully')
  const { points } = await read(made.id)
  expect(points).toHaveLength(4)
  // Saving closes it [MOVE-11].
  await dialogOf(page).waitFor({ state: 'hidden' })
  const again = await open(made)
  await see(() => rows(again).count()).toBe(4)
  await see(() => rows(again).first().textContent()).toContain(points[0].lat.toFixed(5))
})

test('ZIP codes and cities are copied, one per line [AREA-09]', async () => {
  const page = await open(await campaign(kansas))
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const { body } = await keeper.call(campaignAreasContract.objects, { body: { points: kansas } })
  const copied = () => page.evaluate(() => navigator.clipboard.readText())
  await dialogOf(page).getByRole('region', { name: 'ZIP codes' }).getByText(body.zipCodes.join(', ')).waitFor()
  await button(page, 'Copy ZIP codes').click()
  await waitForToast(page, 'Copied to clipboard')
  await see(copied).toBe(body.zipCodes.join('\n'))
  await button(page, 'Copy Cities').click()
  await see(copied).toBe(body.cities.join('\n'))
})

describe('a polygon that crosses itself is refused', () => {
  test('while it is drawn, by the next corner and by closing it [AREA-04]', async () => {
    const page = await open(await campaign())
    await button(page, 'Draw polygon').click()
    await click(page, [0.3, 0.3], [0.6, 0.3], [0.3, 0.6], [0.5, 0.2])
    await refused(page).waitFor()
    await click(page, [0.6, 0.6])
    await refused(page).waitFor({ state: 'hidden' })
    await button(page, 'Cancel drawing').click()
    await dialogOf(page).getByText('There is no area yet.').waitFor()

    // A spiral: the line from its end back to its start crosses.
    await button(page, 'Draw polygon').click()
    await click(page, [0.45, 0.45], [0.45, 0.35], [0.6, 0.35], [0.6, 0.6], [0.3, 0.6], [0.3, 0.2], [0.7, 0.2])
    await button(page, 'Finish').click()
    await refused(page).waitFor()
    await button(page, 'Undo').click()
    await refused(page).waitFor({ state: 'hidden' })
    await button(page, 'Finish').click()
    await see(() => rows(page).count()).toBe(6)
  })

  test('while a corner is dragged, by mouse and by key, and the corner goes back [AREA-04]', async () => {
    const made = await campaign(kansas)
    const page = await open(made)
    await see(() => rows(page).count()).toBe(4)
    const before = await rows(page).allTextContents()
    const [first, second, third] = [await cornerAt(page, 0), await cornerAt(page, 1), await cornerAt(page, 2)]
    await drag(page, first, [third[0] + 60, (second[1] + third[1]) / 2])
    await refused(page).waitFor()
    await see(() => rows(page).allTextContents()).toEqual(before)
    await see(() => cornerAt(page, 0)).toEqual(first)
    await see(() => button(page, 'Save').isDisabled()).toBe(true)
    expect((await read(made.id)).points).toEqual(kansas)
  })
})

test('corners are dragged, added and deleted by mouse, and each step is undone', async () => {
  const made = await campaign(kansas)
  const page = await open(made)
  await see(() => rows(page).count()).toBe(4)
  const before = await rows(page).allTextContents()
  const corner = await cornerAt(page, 2)
  await drag(page, corner, [corner[0] - 40, corner[1] + 40])
  await see(() => rows(page).nth(2).textContent()).not.toBe(before[2])
  await see(async () => (await page.locator('[class*=middle]').first().boundingBox()) !== null).toBe(true)
  const middle = (await page.locator('[class*=middle]').first().boundingBox())!
  await drag(page, [middle.x + 6, middle.y + 6], [middle.x + 6, middle.y - 40])
  await see(() => rows(page).count()).toBe(5)
  await see(() => page.locator('[class*=corner]').count()).toBe(5)
  await page.mouse.click(...(await cornerAt(page, 1)), { button: 'right' })
  await see(() => rows(page).count()).toBe(4)
  await button(page, 'Undo').click()
  await see(() => rows(page).count()).toBe(5)
  await page.keyboard.press('Control+z')
  await see(() => rows(page).count()).toBe(4)
  await page.keyboard.press('Control+z')
  await see(() => rows(page).allTextContents()).toEqual(before)
  await see(() => button(page, 'Undo').isDisabled()).toBe(true)
  await see(() => button(page, 'Save').isDisabled()).toBe(true)
})

test('an area can be drawn, moved, extended, reduced and saved by keyboard alone', async () => {
  const made = await campaign()
  const page = await open(made)
  await button(page, 'Place a triangle').focus()
  await page.keyboard.press('Enter')
  await see(() => rows(page).count()).toBe(3)
  await rows(page).first().focus()
  const latitude = async (index: number) =>
    Number((await rows(page).nth(index).textContent())!.match(/\d\d\.\d{5}/)![0])
  const start = await latitude(0)
  await page.keyboard.press('ArrowUp')
  await see(() => latitude(0)).toBeGreaterThan(start)
  const stride = (await latitude(0)) - start
  await page.keyboard.press('Shift+ArrowUp')
  await see(() => latitude(0)).toBeGreaterThan(start + stride)
  expect((await latitude(0)) - start - stride).toBeLessThan(stride / 5)
  await page.keyboard.press('Control+z')
  await see(() => latitude(0)).toBe(start) // small steps of one point are undone together
  await rows(page).first().focus()
  await page.keyboard.press('Insert')
  await see(() => rows(page).count()).toBe(4)
  await see(() =>
    rows(page)
      .nth(1)
      .evaluate((row) => row === document.activeElement),
  ).toBe(true)
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('PageDown')
  await see(() =>
    rows(page)
      .nth(2)
      .evaluate((row) => row === document.activeElement),
  ).toBe(true)
  await page.keyboard.press('Delete')
  await see(() => rows(page).count()).toBe(3)
  await page.keyboard.press('Delete')
  await dialogOf(page).getByText('An area needs at least 3 points').waitFor()
  await button(page, 'Save').focus()
  await page.keyboard.press('Enter')
  await waitForToast(page, 'Campaign area was saved successfully')
  expect((await read(made.id)).points).toHaveLength(3)
  await dialogOf(page).waitFor({ state: 'hidden' })
})

test('a cancelled removal keeps the area; a confirmed one is reported and leaves the empty state [AREA-06] [AREA-07]', async () => {
  const made = await campaign(kansas)
  const page = await open(made)
  const asked = confirmDialog(page, 'Are you sure to remove campaign area?')
  await button(page, 'Remove area').click()
  page.calls.length = 0
  await asked.getByRole('button', { name: 'Cancel' }).click()
  await asked.waitFor({ state: 'hidden' })
  expect(callsTo(page, 'DELETE')).toEqual([])
  await see(() => rows(page).count()).toBe(4)
  await button(page, 'Remove area').click()
  await asked.getByRole('button', { name: 'Delete' }).click()
  await waitForToast(page, 'Campaign area was removed successfully')
  await dialogOf(page).getByRole('heading', { name: 'There is no area yet.' }).waitFor()
  expect((await read(made.id)).points).toEqual([])
})

test('closing with unsaved changes asks first; Escape first ends the drawing', async () => {
  const page = await open(await campaign())
  await button(page, 'Draw polygon').click()
  await click(page, ...square.slice(0, 2))
  await page.keyboard.press('Escape')
  await dialogOf(page).getByText('There is no area yet.').waitFor()
  await button(page, 'Place a triangle').click()
  await page.keyboard.press('Escape')
  const asked = confirmDialog(page, 'Are you sure to close this dialog?')
  await asked.getByRole('button', { name: 'Cancel' }).click()
  await asked.waitFor({ state: 'hidden' })
  await see(() => rows(page).count()).toBe(3)
  await button(page, 'Close').first().click()
  await asked.getByRole('button', { name: 'Close' }).click()
  await dialogOf(page).waitFor({ state: 'hidden' })
  expect(pathOf(page)).toContain('/campaigns')
})

test('Back asks before it discards an area that is not saved', async () => {
  const { name } = await campaign()
  const page = await visit(app, keeper, '/clients')
  await page.getByRole('link', { name: 'Campaigns', exact: true }).click()
  await page.getByRole('row', { name }).getByRole('button', { name: 'Map', exact: true }).click()
  await button(page, 'Place a triangle').click()
  await see(() => rows(page).count()).toBe(3)
  await page.goBack()
  const asked = confirmDialog(page, 'Are you sure to close this dialog?')
  await asked.getByRole('button', { name: 'Cancel' }).click()
  await asked.waitFor({ state: 'hidden' })
  expect(await rows(page).count()).toBe(3)
})

test('a version saved in the meantime is offered, and nothing is lost silently', async () => {
  const made = await campaign(kansas)
  const page = await open(made)
  await rows(page).first().focus()
  await page.keyboard.press('ArrowDown')
  const theirs = kansas.slice(0, 3)
  await keeper.call(campaignAreasContract.save, { params: { id: made.id }, body: { points: theirs } })
  await button(page, 'Save').click()
  await dialogOf(page).getByText('Someone else has changed this area.').waitFor()
  expect((await read(made.id)).points).toEqual(theirs)
  await button(page, 'Keep mine').click()
  await button(page, 'Save').click()
  await waitForToast(page, 'Campaign area was saved successfully')
  await see(async () => (await read(made.id)).points.length).toBe(4)
  await dialogOf(page).waitFor({ state: 'hidden' })

  await page.getByRole('row', { name: made.name }).getByRole('button', { name: 'Map' }).click()
  await see(() => rows(page).count()).toBe(4)
  await keeper.call(campaignAreasContract.save, { params: { id: made.id }, body: { points: theirs } })
  await rows(page).first().focus()
  await page.keyboard.press('ArrowDown')
  await button(page, 'Save').click()
  await button(page, 'Show theirs').click()
  await see(() => rows(page).count()).toBe(3)
})

test('a save that is answered after its map was closed leaves the map open that was opened since, with what is drawn [DESK-11]', async () => {
  const made = await campaign(kansas)
  const page = await open(made)
  const answer = await holdFirstWrite(page, '**/api/campaign/*/area/save')
  const move = async () => {
    await rows(page).first().focus()
    await page.keyboard.press('ArrowDown')
  }
  await move()
  await button(page, 'Save').click()
  await button(page, 'Close').first().click()
  const asked = confirmDialog(page, 'Are you sure to close this dialog?')
  await asked.getByRole('button', { name: 'Close' }).click()
  await dialogOf(page).waitFor({ state: 'hidden' })
  await page.getByRole('row', { name: made.name }).getByRole('button', { name: 'Map' }).click()
  await move()
  answer()
  await waitForToast(page, 'Campaign area was saved successfully')
  await button(page, 'Undo').click()
  await see(() => button(page, 'Undo').isDisabled()).toBe(true)
})

test('ZIP codes, a place and a radius make an area that is drawn on; saving closes the dialog [MOVE-11]', async () => {
  const made = await campaign()
  const page = await open(made)
  const field = (name: string) => dialogOf(page).getByLabel(name, { exact: true })
  await field('ZIP codes').fill('78701, 78704\n00000 abcde')
  await button(page, 'Make area').click()
  await dialogOf(page).getByText('Not known: 00000, abcde').waitFor()
  await see(() => button(page, 'Make area').evaluate((one) => one === document.activeElement)).toBe(true)
  await dialogOf(page).getByText(/78701/).last().waitFor()
  await see(() => rows(page).count()).toBeGreaterThan(3)
  const length = await rows(page).count()
  expect(await axeViolations(page)).toEqual([])
  await field('ZIP codes').fill('')
  await field('Place').fill('Springfield')
  await field('Radius in miles').fill('10')
  await button(page, 'Make area').click()
  await dialogOf(page)
    .getByText(/places of this name: add the state/)
    .waitFor()
  await field('Place').fill('Austin, TX')
  await field('Radius in miles').fill('12,5')
  await button(page, 'Make area').click()
  await see(() => rows(page).count()).toBe(48)
  await page.keyboard.press('Control+z')
  await see(() => rows(page).count()).toBe(length)
  await button(page, 'Save').click()
  await dialogOf(page).waitFor({ state: 'hidden' })
  expect((await read(made.id)).points).toHaveLength(length)
})

test('keys pressed while ZIP codes are typed change nothing on the map, and leaving asks before it loses what is typed', async () => {
  const page = await open(await campaign(kansas))
  const zips = dialogOf(page).getByLabel('ZIP codes', { exact: true })
  await zips.pressSequentially('78701')
  await button(page, 'Draw again').click()
  await page.keyboard.press('Escape')
  await see(() => zips.inputValue()).toBe('78701')
  await rows(page).first().focus()
  await page.keyboard.press('Delete')
  await see(() => rows(page).count()).toBe(3)
  await zips.press('Control+z')
  expect(await rows(page).count()).toBe(3)
  await button(page, 'Undo').click()
  await see(() => rows(page).count()).toBe(4)
  await zips.fill('78701, 78702')
  await zips.press('Escape')
  const asked = confirmDialog(page, 'Are you sure to close this dialog?')
  await asked.getByRole('button', { name: 'Cancel' }).click()
  await asked.waitFor({ state: 'hidden' })
  expect(await zips.inputValue()).toBe('78701, 78702')
  await zips.fill('')
  await zips.press('Escape')
  await dialogOf(page).waitFor({ state: 'hidden' })
})

test('in the dark the box for the area of the listing is as large as in the light', async () => {
  const made = await campaign()
  const sizes = []
  for (const colorScheme of ['light', 'dark']) {
    const page = await open(made, keeper, { colorScheme })
    const box = dialogOf(page).getByLabel('From the listing')
    await box.waitFor()
    sizes.push(await box.evaluate(({ offsetWidth, offsetHeight }: HTMLElement) => [offsetWidth, offsetHeight]))
  }
  expect(sizes).toEqual([
    [13, 13],
    [13, 13],
  ])
})

test('without tiles the map says so, and still draws and saves', async () => {
  const made = await campaign()
  const page = await open(made, keeper, { before: (one: Page) => one.route('**/*.png', (route) => route.abort()) })
  await dialogOf(page).getByText('The map images cannot be loaded. Everything else works.').waitFor()
  await button(page, 'Draw polygon').click()
  await click(page, ...square, square[0]!)
  await button(page, 'Save').click()
  await waitForToast(page, 'Campaign area was saved successfully')
})

test('one of 500 corners is dragged and moved, and no other is redrawn', async () => {
  const round = Array.from({ length: 500 }, (_, index) => {
    const angle = (index / 500) * 2 * Math.PI
    return { lat: 38.5 + Math.sin(angle), lng: -97 + Math.cos(angle) }
  })
  const made = await campaign(round)
  const page = await open(made)
  await see(() => rows(page).count()).toBe(500)
  await rows(page).first().focus()
  const changed = await dialogOf(page).evaluateHandle((dialog) => {
    const elements = new Set<Node>()
    new MutationObserver((list) => {
      for (const { target } of list) elements.add(target)
    }).observe(dialog, { subtree: true, childList: true, characterData: true, attributes: true })
    return elements
  })
  for (let times = 0; times < 10; times += 1) await page.keyboard.press('ArrowRight')
  const corner = await cornerAt(page, 125)
  await drag(page, corner, [corner[0], corner[1] - 30])
  // Redrawing either would take time: every corner, or every row of the list.
  const count = await changed.evaluate((elements) => elements.size)
  expect(count).toBeGreaterThan(2)
  expect(count).toBeLessThan(200)
  await button(page, 'Save').click()
  await waitForToast(page, 'Campaign area was saved successfully')
})

test('an area that cannot be read offers to try again', async () => {
  const made = await campaign(kansas)
  const page = await visit(app, keeper, `/campaigns?q=${encodeURIComponent(made.name)}`)
  await page.route(`**/api/campaign/${made.id}/area`, (route) => route.abort(), { times: 1 })
  await page
    .getByRole('row')
    .filter({ hasText: made.name })
    .first()
    .getByRole('button', { name: 'Map', exact: true })
    .click()
  await dialogOf(page).getByText('The area could not be loaded: The server could not be reached').waitFor()
  await button(page, 'Retry').click()
  await see(() => rows(page).count()).toBe(4)
})

test('the map is accessible', async () => {
  const page = await open(await campaign(kansas), keeper)
  await dialogOf(page)
    .getByRole('heading', { name: /ZIP codes$/ })
    .waitFor()
  expect(await axeViolations(page)).toEqual([])
  const empty = await open(await campaign(), keeper)
  expect(await axeViolations(empty)).toEqual([])
})
