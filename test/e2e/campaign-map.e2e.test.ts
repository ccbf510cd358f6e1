import { inArray } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { campaignAreasContract } from '#domains/campaigns/area/contract.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { gmbsTable } from '#domains/listings/gmbs/schema.ts'
import { startTileStandIn } from '#integrations/fakes/tiles.ts'
import { setUp, startApp } from '#test/app.ts'
import { axeViolations } from '#test/axe.ts'
import { callsTo, errorToast, pathOf, see, type Visit, visit } from '#test/visit.ts'

const tiles = await setUp(startTileStandIn([{ lat: 39, lng: -96, name: 'A town' }]))
const app = await setUp(startApp({ settings: { MAP_TILE_URL: tiles.url } }))
const keeper = await app.as(await app.make.superAdmin())
const category = await app.make.category({ name: 'Roofing', color: '#8000ff' })
const roofs = await app.make.campaign({ name: 'Austin Roofs', categories: [category.id] })
const pools = await app.make.campaign({ name: 'Boise Pools' })
const [austin, boise] = [
  { campaign_id: roofs.id, latitude: 30.27, longitude: -97.74 },
  { campaign_id: pools.id, latitude: 43.6, longitude: -116.2 },
]
await app.make.gmb({ ...austin, title: 'Summit Roofing', status: 4, website: 'https://summit.example' })
await app.make.gmb({ ...boise, title: 'Blue Pools', is_client_location: true })
await app.make.gmb({ ...boise, title: 'Deep Pools', latitude: 44.6, longitude: -110, status: 2 })
await app.make.gmb({ campaign_id: pools.id, title: 'Pools somewhere', latitude: null, longitude: null })
for (const { campaign_id: id, latitude: lat, longitude: lng } of [austin, boise]) {
  const points = [
    { lat: lat - 2, lng: lng - 2 },
    { lat: lat - 2, lng: lng + 2 },
    { lat: lat + 2, lng: lng },
  ]
  await keeper.call(campaignAreasContract.save, { params: { id }, body: { points } })
}

const map = (page: Page) => page.getByRole('application', { name: 'Map' })
const pin = (page: Page, name: string | RegExp) => map(page).getByRole('button', { name, exact: true })
const pins = (page: Page) =>
  map(page)
    .getByRole('button')
    .evaluateAll((marks) =>
      marks.flatMap((mark) => mark.getAttribute('aria-label') ?? []).filter((name) => !/Zoom/.test(name)),
    )
const chip = (page: Page, name: string) => page.getByRole('group', { name: 'Filters' }).getByText(name)
async function open(search = '', options = {}): Promise<Visit> {
  const page = await visit(app, keeper, `/campaign-gmbs/map${search}`, options)
  await map(page).waitFor()
  return page
}
/** Returns the number of painted pixels of the canvas: the areas. */
const drawn = (page: Page) =>
  map(page)
    .locator('canvas')
    .evaluate((element) => {
      const canvas = element as HTMLCanvasElement
      const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height)
      return data.filter((value, index) => index % 4 === 3 && value > 0).length
    })

/** Removes campaigns and their listings, so that the other tests find the three pins in any order. */
const removeAfterTest = (ids: number[]) =>
  onTestFinished(async () => {
    await app.context.db.delete(gmbsTable).where(inArray(gmbsTable.campaign_id, ids))
    await app.context.db.delete(campaignsTable).where(inArray(campaignsTable.id, ids))
  })

test('the map shows the country, with the areas of campaigns and the pins of listings [CMAP-01, CMAP-02, CMAP-04, CMAP-06]', async () => {
  tiles.requested.length = 0
  const page = await open('', { alone: true }) // a shared browser may have the tiles already
  await page.getByRole('heading', { name: 'Campaign Map', level: 1 }).waitFor()
  await see(() => pins(page)).toEqual(['Summit Roofing, Suspended', 'Blue Pools, Live', 'Deep Pools, Pending'])
  // The tile with 42 north and 96 west at zoom 4.
  await see(() => tiles.requested).toContain('/4/3/5.png')
  expect(tiles.requested.every((path) => path.startsWith('/4/'))).toBe(true)
  await see(() => drawn(page)).toBeGreaterThan(100)
  const [call = ''] = callsTo(page, 'GET /api/campaign-gmb/map')
  for (const name of ['right-longitude', 'upper-latitude', 'down-latitude', 'left-longitude'])
    expect(call).toContain(name)
  await page.getByRole('link', { name: '© OpenStreetMap contributors' }).waitFor()
})

test('a pin has the color of its status, and of its category if that has one [CMAP-05]', async () => {
  const page = await open()
  const colours = (name: string) =>
    pin(page, name).evaluate((mark) => {
      const { backgroundColor, borderTopColor } = getComputedStyle(mark, '::before')
      return [backgroundColor, borderTopColor]
    })
  const [green, red, orange, violet] = ['rgb(46, 158, 107)', 'rgb(196, 53, 42)', 'rgb(217, 122, 6)', 'rgb(128, 0, 255)']
  await see(() => colours('Blue Pools, Live')).toEqual([green, green])
  await see(() => colours('Deep Pools, Pending')).toEqual([orange, orange])
  await see(() => colours('Summit Roofing, Suspended')).toEqual([violet, red])
  const legend = page.locator('details')
  for (const words of ['Live', 'Suspended', 'Any other status', 'Roofing'])
    await see(() => legend.getByText(words, { exact: true }).count(), words).toBe(1)
  await see(() => legend.getByText('1 listing has no place here').count()).toBe(1)
})

test('each filter leaves fewer pins and areas, and is in the address [CMAP-03]', async () => {
  const page = await open()
  await see(() => pins(page)).toHaveLength(3)
  await see(() => drawn(page)).toBeGreaterThan(100)
  const all = await drawn(page)
  await chip(page, 'Clients only').click()
  await see(() => pins(page)).toEqual(['Blue Pools, Live'])
  await see(() => drawn(page)).toBeLessThan(all)
  expect(pathOf(page)).toBe('/campaign-gmbs/map?clients_only=1')
  await page.getByRole('button', { name: 'Reset' }).click()
  await see(() => pins(page)).toHaveLength(3)
  await chip(page, 'Campaigns').click()
  await page.getByRole('option', { name: 'Boise Pools' }).click()
  await see(() => pins(page)).toEqual(['Blue Pools, Live', 'Deep Pools, Pending'])
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Reset' }).click()
  await chip(page, 'Category').click()
  await page.getByRole('option', { name: 'Roofing' }).click()
  await see(() => pins(page)).toEqual(['Summit Roofing, Suspended'])
  await see(() => drawn(page)).toBeLessThan(all)
  await page.reload()
  await see(() => pins(page)).toEqual(['Summit Roofing, Suspended'])
})

test('filters without results say so and offer a reset', async () => {
  const nothing = await app.make.category({ name: 'Nothing yet' })
  const page = await open(`?category_id=${nothing.id}`)
  await page.getByText('There is nothing to show here.').waitFor()
  await page.getByRole('button', { name: 'Reset filters' }).click()
  await see(() => pins(page)).toHaveLength(3)
})

test('a pin opens a card by mouse and by keyboard, which leads to its listing, campaign and site', async () => {
  const page = await open()
  const mark = pin(page, 'Summit Roofing, Suspended')
  await mark.focus()
  await page.keyboard.press('Enter')
  const card = page.getByRole('region', { name: 'Summit Roofing' })
  await card.getByText('Suspended').waitFor()
  await see(() => card.getByRole('link', { name: 'Austin Roofs' }).getAttribute('href')).toEqual(
    expect.stringMatching(/^\/campaign\/\d+$/),
  )
  await see(() => card.getByRole('link', { name: 'Summit Roofing' }).getAttribute('href')).toMatch(/^\/listing\/\d+$/)
  await see(() => card.getByRole('link', { name: 'Website' }).getAttribute('href')).toBe('https://summit.example')
  await page.keyboard.press('Control+k')
  const find = page.getByRole('dialog', { name: 'Find' })
  await find.getByRole('combobox').waitFor()
  await page.keyboard.press('Escape') // closes only what is in front
  await find.waitFor({ state: 'detached' })
  expect(await card.isVisible()).toBe(true)
  await page.keyboard.press('Escape')
  await card.waitFor({ state: 'detached' })
  await see(() => mark.evaluate((element) => element === document.activeElement)).toBe(true)
  await mark.click()
  await card.getByRole('link', { name: 'Listing' }).click()
  await page.getByRole('heading', { name: 'Campaign GMBs' }).waitFor()
  await page.getByRole('row').filter({ hasText: 'Summit Roofing' }).waitFor()
})

test('a failed load is reported, and can be retried', async () => {
  const page = await open('', {
    before: (fresh: Page) => fresh.route('**/api/campaign-gmb/map?*', (route) => route.abort(), { times: 1 }),
  })
  await errorToast(page).getByText('The server could not be reached').waitFor()
  await page.getByRole('button', { name: 'Retry' }).click()
  await see(() => pins(page)).toHaveLength(3)
})

test('map, legend and card are accessible', async () => {
  const page = await open()
  await pin(page, 'Blue Pools, Live').click()
  await page.getByRole('region', { name: 'Blue Pools' }).waitFor()
  expect(await axeViolations(page)).toEqual([])
})

test('listings at one place can be chosen from, even zoomed out', async () => {
  const { id } = await app.make.campaign()
  removeAfterTest([id])
  for (const title of ['Upstairs', 'Downstairs'])
    await app.make.gmb({ campaign_id: id, title, latitude: 40.1, longitude: -100.2 })
  const page = await open(`?campaign_ids=${id}`)
  await pin(page, '2 listings').click()
  const card = page.getByRole('region', { name: '2 listings at this place' })
  await card.getByRole('heading', { name: 'Upstairs' }).waitFor()
  await card.getByRole('heading', { name: 'Downstairs' }).waitFor()
  await card.getByRole('button', { name: 'Close' }).click()
  await card.waitFor({ state: 'detached' })
})

test('pins that would overlap form a cluster, which zooms in until each can be clicked', async () => {
  const { id } = await app.make.campaign()
  removeAfterTest([id])
  // 40 pixels apart at the first zoom.
  for (const [title, longitude] of [
    ['West', -100],
    ['East', -96.5],
  ] as const)
    await app.make.gmb({ campaign_id: id, title, latitude: 40, longitude })
  const page = await open(`?campaign_ids=${id}`)
  await pin(page, '2 listings').click()
  await see(() => pins(page)).toHaveLength(2)
  await pin(page, /^West/).click()
  await page.getByRole('region', { name: 'West' }).waitFor()
})

test('ten thousand pins and five hundred areas: a few hundred marks, read by their bounds, opened cluster by cluster', async () => {
  const many = 10_000
  const db = app.context.db
  const place = (index: number) => ({
    latitude: 31 + (index % 100) / 7,
    longitude: -120 + Math.floor(index / 100) / 2.5,
  })
  const client_id = (await app.make.client()).id
  const made = await db
    .insert(campaignsTable)
    .values(Array.from({ length: 500 }, (_, index) => ({ name: `Many ${index}`, client_id })))
    .returning({ id: campaignsTable.id })
  removeAfterTest(made.map(({ id }) => id))
  for (let from = 0; from < many; from += 2000)
    await db.insert(gmbsTable).values(
      Array.from({ length: 2000 }, (_, index) => ({
        campaign_id: made[(from + index) % 500]!.id,
        title: `Pin ${from + index}`,
        link: 'https://maps.google.com/maps?cid=1234567890123456',
        status: 1,
        ...place(from + index),
      })),
    )
  const page = await open()
  await see(() => pins(page)).not.toHaveLength(0)
  await see(async () => (await pins(page)).every((name) => / listings$/.test(name))).toBe(true)
  expect((await pins(page)).length).toBeLessThan(400)
  await page.getByText('Only 10,000 listings are shown. Zoom in to see the others.').waitFor()
  const before = callsTo(page, 'GET /api/campaign-gmb/map').length
  await map(page)
    .getByRole('button', { name: / listings$/ })
    .first()
    .focus()
  await page.keyboard.press('Enter')
  await see(() => callsTo(page, 'GET /api/campaign-gmb/map').length).toBeGreaterThan(before)
  await see(async () => (await pins(page)).length).toBeGreaterThan(0)
})
