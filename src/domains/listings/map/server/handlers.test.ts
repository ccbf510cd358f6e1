import { expect, test } from 'vitest'
import { campaignAreasContract } from '#domains/campaigns/area/contract.ts'
import { setUp, startApp } from '#test/app.ts'
import { campaignMapContract } from '../contract.ts'

const app = await setUp(startApp())
const keeper = await app.as(await app.make.superAdmin())

const around = (latitude: number, longitude: number, reach = 1) => ({
  'right-longitude': longitude + reach,
  'upper-latitude': latitude + reach,
  'down-latitude': latitude - reach,
  'left-longitude': longitude - reach,
})
const ask = async (query: object, who = keeper) =>
  (await who.call(campaignMapContract.pins, { query: { ...query } })).body
const titles = async (query: object, who = keeper) =>
  (await ask(query, who)).map(({ title }: { title: string }) => title)
const square = (lat: number, lng: number) => [
  { lat, lng },
  { lat, lng: lng + 1 },
  { lat: lat + 1, lng: lng + 1 },
]

test('listings without coordinates are counted by the map’s filters, never for campaigns the user may not see', async () => {
  const [own, other] = [await app.make.campaign(), await app.make.campaign()]
  await app.make.gmb({ campaign_id: own.id, latitude: null, longitude: null })
  await app.make.gmb({ campaign_id: own.id, latitude: null, longitude: null, is_client_location: true })
  await app.make.gmb({ campaign_id: own.id, latitude: 70, longitude: -150 })
  await app.make.gmb({ campaign_id: other.id, latitude: null, longitude: null })
  const count = async (query: object, who = keeper) =>
    (await who.call(campaignMapContract.unplaced, { query: { ...query } })).body.count
  const campaign_ids = `${own.id},${other.id}`
  expect([await count({ campaign_ids }), await count({ campaign_ids, clients_only: 1 })]).toEqual([3, 1])
  const admin = await app.as(await app.make.admin({ permissions: ['campaignMap'], campaigns: [own.id] }))
  expect(await count({ campaign_ids }, admin)).toBe(2)
})

test('only listings within the bounds are returned, with what a pin shows [CMAP-06]', async () => {
  const roofs = await app.make.category({ name: 'Roofs', color: '#aa0000' })
  const campaign = await app.make.campaign({ name: 'Austin Roofs', categories: [roofs.id] })
  const gmb = (title: string, latitude: number | null, more: object = {}) =>
    app.make.gmb({ campaign_id: campaign.id, title, latitude, longitude: -97, ...more })
  const inside = await gmb('Inside', 30, {
    website: 'https://in.example',
    address: '1 Main St',
    phone: '512',
    status: 4,
    is_client_location: true,
  })
  await gmb('Above', 31.5)
  await gmb('Beside', 30, { longitude: -98.5 })
  await gmb('Nowhere', null)
  await gmb('Gone', 30, { deleted_at: new Date() })
  expect(await ask(around(30, -97))).toEqual([
    {
      id: inside.id,
      title: 'Inside',
      website: 'https://in.example',
      address: '1 Main St',
      phone: '512',
      link: inside.link,
      latitude: 30,
      longitude: -97,
      status: 4,
      color: '#aa0000',
      is_client_location: true,
      campaign_id: campaign.id,
      campaign_name: 'Austin Roofs',
    },
  ])
})

test('a category without a color leaves the status color [CMAP-05]', async () => {
  const plain = await app.make.category()
  const { id } = await app.make.campaign({ categories: [plain.id] })
  await app.make.gmb({ campaign_id: id, latitude: 10, longitude: 10 })
  expect((await ask(around(10, 10)))[0].color).toBeNull()
})

test('bounds may cross the date line', async () => {
  for (const longitude of [179, -179, 0]) await app.make.gmb({ title: `At ${longitude}`, latitude: -20, longitude })
  const query = { ...around(-20, 0), 'left-longitude': 178, 'right-longitude': -178 }
  expect(await titles(query)).toEqual(['At 179', 'At -179'])
})

test('the filters campaigns, category and clients only reduce pins and areas [CMAP-03, CMAP-06]', async () => {
  const category = await app.make.category()
  const [one, two] = [await app.make.campaign({ categories: [category.id] }), await app.make.campaign()]
  await app.make.gmb({ campaign_id: one.id, title: 'One', latitude: 50, longitude: 50 })
  await app.make.gmb({ campaign_id: two.id, title: 'Two', latitude: 50, longitude: 50, is_client_location: true })
  for (const { id } of [one, two])
    await keeper.call(campaignAreasContract.save, { params: { id }, body: { points: square(50, 50) } })
  const shown = async (query: object) => {
    const { body } = await keeper.call(campaignAreasContract.all, { query: { ...query } })
    const campaigns = body
      .map(({ campaign_id }: { campaign_id: number }) => campaign_id)
      .sort((a: number, b: number) => a - b)
    return [await titles({ ...around(50, 50), ...query }), campaigns]
  }
  expect(await shown({})).toEqual([
    ['One', 'Two'],
    [one.id, two.id],
  ])
  expect(await shown({ campaign_ids: '' })).toEqual(await shown({}))
  expect(await shown({ campaign_ids: two.id })).toEqual([['Two'], [two.id]])
  expect(await shown({ category_id: category.id })).toEqual([['One'], [one.id]])
  expect(await shown({ clients_only: 1 })).toEqual([['Two'], [two.id]])
})

test('a user of other campaigns sees none of the pins', async () => {
  const mine = await app.make.campaign()
  const theirs = await app.make.gmb({ title: 'Theirs', latitude: 60, longitude: 60 })
  await app.make.gmb({ title: 'Mine', campaign_id: mine.id, latitude: 60, longitude: 60 })
  const admin = await app.as(await app.make.admin({ campaigns: [mine.id], permissions: ['campaignMap'] }))
  expect(await titles(around(60, 60), admin)).toEqual(['Mine'])
  expect(await titles({ ...around(60, 60), campaign_ids: theirs.campaign_id }, admin)).toEqual([])
})

test.each([
  ['no bounds', {}, 'right-longitude'],
  ['a longitude beyond the world', { ...around(0, 0), 'right-longitude': 181 }, 'right-longitude'],
  ['a latitude beyond the pole', { ...around(0, 0), 'upper-latitude': 91 }, 'upper-latitude'],
  ['words', { ...around(0, 0), 'left-longitude': 'west' }, 'left-longitude'],
  ['an upper end below the lower', { ...around(0, 0), 'upper-latitude': -2 }, 'upper-latitude'],
  ['a campaign that is not an id', { ...around(0, 0), campaign_ids: 'x' }, 'campaign_ids'],
])('%s is refused on its field', async (_, query, field) => {
  const { status, body } = await keeper.call(campaignMapContract.pins, { query: { ...query } })
  expect([status, Object.keys(body.errors)]).toEqual([422, expect.arrayContaining([field])])
})
