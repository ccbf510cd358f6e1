import { eq, sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { auditTable } from '#core/db/schema.ts'
import { setUp, startApp } from '#test/app.ts'
import { areaTooLargeMessage, campaignAreasContract } from '../contract.ts'
import { maxPolygonPoints } from '../polygon.ts'
import { zipCodesTable } from '../schema.ts'
import { readZipCodes } from './zip-codes.ts'

const app = await setUp(startApp())
const keeper = await app.as(await app.make.superAdmin())

/** Around Austin, Texas. */
const austin = [
  { lat: 30.1, lng: -97.95 },
  { lat: 30.1, lng: -97.55 },
  { lat: 30.5, lng: -97.55 },
  { lat: 30.5, lng: -97.95 },
]
const circle = (count: number, radius = 1) =>
  Array.from({ length: count }, (_, index) => {
    const angle = (index / count) * 2 * Math.PI
    return { lat: 38 + radius * Math.sin(angle), lng: -96 + radius * Math.cos(angle) }
  })
const save = (id: number, body: object, caller = keeper) =>
  caller.call(campaignAreasContract.save, { params: { id }, body })
const read = async (id: number) => (await keeper.call(campaignAreasContract.get, { params: { id } })).body

test('an area is saved as its points and read back in order [AREA-10] [AREA-11] [AREA-15]', async () => {
  const { id } = await app.make.campaign()
  expect(await read(id)).toEqual({ points: [], version: 0 })
  const { status, body } = await save(id, { points: austin })
  expect([status, body]).toEqual([200, { points: austin, version: 1 }])
  expect(await read(id)).toEqual({ points: austin, version: 1 })
  await save(id, { points: circle(3) })
  expect(await read(id)).toEqual({ points: circle(3), version: 2 })
})

test('removing leaves no points; removing nothing is not an error [AREA-12]', async () => {
  const { id } = await app.make.campaign()
  await save(id, { points: austin })
  expect((await keeper.call(campaignAreasContract.remove, { params: { id } })).status).toBe(204)
  expect(await read(id)).toEqual({ points: [], version: 2 })
  expect((await keeper.call(campaignAreasContract.remove, { params: { id } })).status).toBe(204)
  expect(await read(id)).toEqual({ points: [], version: 2 })
})

test('the audit log has who changed what', async () => {
  const { id } = await app.make.campaign()
  await save(id, { points: austin })
  await save(id, { points: circle(3) })
  await keeper.call(campaignAreasContract.remove, { params: { id } })
  const trail = await app.context.db.select().from(auditTable).where(eq(auditTable.row_id, id)).orderBy(auditTable.id)
  const ours = trail.filter(({ kind }) => kind === 'campaign area')
  expect(ours.map(({ action, version }) => [action, version])).toEqual([
    ['created', 1],
    ['changed', 2],
    ['removed', 3],
  ])
  expect(ours[1]).toMatchObject({ before: { points: austin }, after: { points: circle(3) } })
})

test('an older version, even of an area that was removed and drawn again, is refused with the newer one', async () => {
  const { id } = await app.make.campaign()
  await save(id, { points: austin, version: 0 })
  await keeper.call(campaignAreasContract.remove, { params: { id }, query: { version: 1 } })
  await save(id, { points: austin, version: 2 })
  const before = await app.dump()
  for (const late of [
    await save(id, { points: circle(4), version: 1 }),
    await keeper.call(campaignAreasContract.remove, { params: { id }, query: { version: 2 } }),
  ]) {
    expect([late.status, late.body.message]).toEqual([409, 'Someone else has changed this area'])
    expect(late.body.newer).toEqual({ points: austin, version: 3 })
  }
  expect(await app.dump()).toBe(before)
  expect((await save(id, { points: circle(4) })).body.version).toBe(4)
})

test('of two concurrent first areas, one gets a conflict', async () => {
  const { id } = await app.make.campaign()
  const answers = await Promise.all([1, 2, 3].map(() => save(id, { points: austin, version: 0 })))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
})

test('all areas have points, color and campaign, for the campaigns that the user sees [AREA-13] [AREA-15]', async () => {
  const [red, blue] = [
    await app.make.category({ name: 'B red', color: '#cc0000' }),
    await app.make.category({ name: 'a blue', color: '#0000cc' }),
  ]
  const mine = await app.make.campaign({ name: 'Mine', categories: [red.id, blue.id] })
  const plain = await app.make.campaign({ name: 'Plain' })
  const empty = await app.make.campaign({ name: 'Removed' })
  for (const { id } of [mine, plain, empty]) await save(id, { points: austin })
  await keeper.call(campaignAreasContract.remove, { params: { id: empty.id } })
  const everything = (await keeper.call(campaignAreasContract.all)).body
  const titles = everything.map((area: { campaign_title: string }) => area.campaign_title)
  expect(titles).toEqual(expect.arrayContaining(['Mine', 'Plain']))
  expect(titles).not.toContain('Removed')
  expect(everything.find((area: { campaign_id: number }) => area.campaign_id === plain.id).color).toBe('#2a5bd7')
  const admin = await app.as(await app.make.admin({ campaigns: [mine.id], permissions: ['campaignMap'] }))
  expect((await admin.call(campaignAreasContract.all)).body).toEqual([
    {
      campaign_id: mine.id,
      campaign_title: 'Mine',
      color: '#0000cc',
      points: austin.map(({ lat, lng }) => ({ latitude: lat, longitude: lng })),
    },
  ])
})

test('a category without a color, which is white, does not make an area white [AREA-13]', async () => {
  const [white, red] = [
    await app.make.category({ name: 'A plain one' }),
    await app.make.category({ name: 'B red', color: '#cc0000' }),
  ]
  const plain = await app.make.campaign({ categories: [white.id] })
  const both = await app.make.campaign({ categories: [white.id, red.id] })
  for (const { id } of [plain, both]) await save(id, { points: austin })
  const colorOf = async ({ id }: { id: number }) =>
    (await keeper.call(campaignAreasContract.all, { query: { campaign_ids: id } })).body[0].color
  expect([await colorOf(plain), await colorOf(both)]).toEqual(['#2a5bd7', '#cc0000'])
})

describe('the ZIP codes of an area', () => {
  const objects = (points: unknown) => keeper.call(campaignAreasContract.objects, { body: { points } })

  test('are those whose center is inside, with their cities [AREA-14] [AREA-18]', async () => {
    const { status, body } = await objects(austin)
    expect(status).toBe(200)
    expect(body.zipCodes).toEqual(expect.arrayContaining(['78701', '78704', '78745']))
    expect(body.zipCodes).not.toContain('77001')
    expect(body.zipCodes).toEqual([...body.zipCodes].sort())
    expect(body.cities).toEqual(expect.arrayContaining(['Austin, TX']))
    expect(new Set(body.cities).size).toBe(body.cities.length)
  })

  test('are exactly those that checking each one finds [AREA-18]', async () => {
    // A star, so that the polygon is far from its bounding box.
    const star = circle(40, 1).map(({ lat, lng }, index) =>
      index % 2 === 0 ? { lat, lng } : { lat: 38 + (lat - 38) / 3, lng: -96 + (lng + 96) / 3 },
    )
    const expected: string[] = []
    for await (const code of readZipCodes()) if (isInside(code, star)) expected.push(code.zip)
    expect(expected.length).toBeGreaterThan(10)
    expect((await objects(star)).body.zipCodes).toEqual(expected.sort())
  })

  test('are none in the middle of the sea', async () => {
    const sea = [
      { lat: 30, lng: -45 },
      { lat: 31, lng: -45 },
      { lat: 31, lng: -44 },
    ]
    expect((await objects(sea)).body).toEqual({ zipCodes: [], cities: [] })
  })

  test('use the index of the centers for a state of 500 points', async () => {
    const state = circle(maxPolygonPoints, 3.5)
    const path = `(${state.map(({ lat, lng }) => `(${lng},${lat})`).join(',')})`
    const plan = await app.context.db.execute(
      sql`explain (format json) select zip, city, state from ${zipCodesTable} where ${zipCodesTable.centre} <@ ${path}::polygon order by zip`,
    )
    expect(JSON.stringify(plan.rows)).toContain('zip_codes_centre')
  })

  test('are refused with a message for a continent', async () => {
    const answer = await objects([
      { lat: 25, lng: -124 },
      { lat: 25, lng: -67 },
      { lat: 49, lng: -67 },
      { lat: 49, lng: -124 },
    ])
    expect([answer.status, answer.body.errors]).toEqual([422, { points: [areaTooLargeMessage] }])
  })

  test('are limited to 120 requests a minute per person', async () => {
    const admin = await app.as(await app.make.admin())
    const answers = await Promise.all(
      Array.from({ length: 121 }, () =>
        admin.call(campaignAreasContract.objects, { body: { points: circle(3, 0.01) } }),
      ),
    )
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(1)
    expect((await objects(austin)).status).toBe(200)
  })
})

describe('refused without a change', () => {
  const [a, b, c] = circle(3) as [object, object, object]
  test.each([
    ['no points', {}, { points: ['An area is a list of points'] }],
    ['two points [AREA-16]', { points: [a, b] }, { points: ['An area needs at least 3 points'] }],
    ['501 points [AREA-16]', { points: circle(501) }, { points: ['An area has at most 500 points'] }],
    [
      'a bow tie [AREA-17]',
      { points: [austin[0], austin[2], austin[1], austin[3]] },
      { points: ["you can't draw that!"] },
    ],
    ['a point that is there twice', { points: [a, b, c, b] }, { points: ['Two points are at the same place'] }],
    [
      'a latitude of 91',
      { points: [a, b, { lat: 91, lng: 0 }] },
      { 'points.2.lat': ['Latitude must be from -90 to 90'] },
    ],
    [
      'a longitude of 181',
      { points: [a, b, { lat: 0, lng: 181 }] },
      { 'points.2.lng': ['Longitude must be from -180 to 180'] },
    ],
    [
      'no number',
      { points: [a, b, { lat: null, lng: '1' }] },
      { 'points.2.lat': ['Latitude must be a number'], 'points.2.lng': ['Longitude must be a number'] },
    ],
  ])('%s', async (_, body, errors) => {
    const { id } = await app.make.campaign()
    const before = await app.dump()
    const saved = await save(id, body)
    expect([saved.status, saved.body.errors]).toEqual([422, errors])
    const asked = await keeper.call(campaignAreasContract.objects, { body })
    expect([asked.status, asked.body.errors]).toEqual([422, errors])
    expect(await app.dump()).toBe(before)
  })

  test('500 points are not too many [AREA-16]', async () => {
    const { id } = await app.make.campaign()
    expect((await save(id, { points: circle(maxPolygonPoints) })).status).toBe(200)
    expect((await read(id)).points).toHaveLength(maxPolygonPoints)
  })

  test('users with only the campaign map can view but not draw', async () => {
    const { id } = await app.make.campaign()
    const admin = await app.as(await app.make.admin({ campaigns: [id], permissions: ['campaignMap'] }))
    expect((await admin.call(campaignAreasContract.get, { params: { id } })).status).toBe(200)
    expect((await save(id, { points: austin }, admin)).status).toBe(403)
    expect((await admin.call(campaignAreasContract.remove, { params: { id } })).status).toBe(403)
  })
})

/** The even-odd rule by hand, to check the database against. */
function isInside(at: { lat: number; lng: number }, corners: readonly { lat: number; lng: number }[]): boolean {
  return corners.reduce((inside, here, index) => {
    const next = corners[(index + 1) % corners.length]!
    const spans = here.lat > at.lat !== next.lat > at.lat
    const crossing = here.lng + ((at.lat - here.lat) / (next.lat - here.lat)) * (next.lng - here.lng)
    return spans && at.lng < crossing ? !inside : inside
  }, false)
}
