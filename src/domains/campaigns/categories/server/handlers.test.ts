import { expect, test } from 'vitest'
import { type Caller, setUp, startApp } from '#test/app.ts'
import { campaignCategoriesContract } from '../contract.ts'

const app = await setUp(startApp())
const keeper = await app.as(await app.make.superAdmin())

test('the list has id, name, color and the count of campaigns, by name [CCAT-12]', async () => {
  const [roofing, dentists] = [
    await app.make.category({ name: 'roofing', color: '#aa0000' }),
    await app.make.category({ name: 'Dentists' }),
  ]
  await app.make.campaign({ categories: [roofing.id] })
  const { body } = await keeper.call(campaignCategoriesContract.list, { query: { nopag: 1 } })
  const own = body.filter(({ id }: { id: number }) => [roofing.id, dentists.id].includes(id))
  expect(own).toEqual([
    { id: dentists.id, name: 'Dentists', color: '#ffffff', campaigns_count: 0, version: 1 },
    { id: roofing.id, name: 'roofing', color: '#aa0000', campaigns_count: 1, version: 1 },
  ])
})

test('creating returns the category, white by default [CCAT-13]', async () => {
  const plain = await keeper.call(campaignCategoriesContract.create, { body: { name: '  Plumbing ' } })
  expect(plain.body).toMatchObject({ name: 'Plumbing', color: '#ffffff', campaigns_count: 0 })
  const blue = await keeper.call(campaignCategoriesContract.create, { body: { name: 'Pools', color: '#2A5BD7' } })
  expect(blue.body.color).toBe('#2a5bd7')
})

test('one category is read by its id [CCAT-14]', async () => {
  const { id } = await app.make.category({ name: 'Movers' })
  const { body } = await keeper.call(campaignCategoriesContract.get, { params: { id } })
  expect(body).toEqual({ id, name: 'Movers', color: '#ffffff', campaigns_count: 0, version: 1 })
  expect((await keeper.call(campaignCategoriesContract.get, { params: { id: 999_999 } })).status).toBe(404)
})

test('editing returns the changed category [CCAT-15]', async () => {
  const { id } = await app.make.category()
  const { body } = await keeper.call(campaignCategoriesContract.update, {
    params: { id },
    body: { name: 'Fencing', color: '#00ff00' },
  })
  expect(body).toMatchObject({ id, name: 'Fencing', color: '#00ff00' })
})

test('deleting removes the category [CCAT-16]', async () => {
  const { id } = await app.make.category()
  expect((await keeper.call(campaignCategoriesContract.remove, { params: { id } })).status).toBe(204)
  expect((await keeper.call(campaignCategoriesContract.get, { params: { id } })).status).toBe(404)
})

test('a category in use stays, and the refusal counts all its campaigns, also those hidden from the user [CCAT-17]', async () => {
  const { id } = await app.make.category()
  const mine = await app.make.campaign({ categories: [id] })
  await app.make.campaign({ categories: [id] })
  const admin = await app.as(await app.make.admin({ campaigns: [mine.id] }))
  const before = await app.dump()
  const { status, body } = await admin.call(campaignCategoriesContract.remove, { params: { id } })
  expect([status, body.message]).toEqual([409, 'This category is used by 2 campaigns'])
  expect(await app.dump()).toBe(before)
})

test('the count is over the open campaigns that the user may see, like the list behind it [CCAT-03]', async () => {
  const { id } = await app.make.category()
  const mine = await app.make.campaign({ categories: [id] })
  await app.make.campaign({ categories: [id], archived: true })
  await app.make.campaign({ categories: [id] })
  const admin = await app.as(await app.make.admin({ campaigns: [mine.id] }))
  const countFor = async (who: Caller) =>
    (await who.call(campaignCategoriesContract.get, { params: { id } })).body.campaigns_count
  expect([await countFor(admin), await countFor(keeper)]).toEqual([1, 2])
})

test('users who only pick categories get no counts', async () => {
  await app.make.category()
  for (const person of [
    await app.make.admin({ permissions: ['leads'] }),
    await app.make.handler({ permissions: ['leadChart'] }),
  ]) {
    const { status, body } = await (await app.as(person)).call(campaignCategoriesContract.list)
    expect([status, Object.keys(body[0])]).toEqual([200, ['id', 'name', 'color']])
  }
})

test.each([
  ['no name', {}, { name: ['Please input category name'] }],
  ['a name that is not text', { name: 7 }, { name: ['Please input category name'] }],
  ['a long name', { name: 'x'.repeat(101) }, { name: ['At most 100 characters'] }],
  ['an invalid color', { name: 'Roofs', color: 'red' }, { color: ['Not a color (#rrggbb)'] }],
  ['half a surrogate pair', { name: '\ud800' }, { name: ['This text holds a character that cannot be stored'] }],
])('%s is refused at its field', async (_, body, errors) => {
  const before = await app.dump()
  const answer = await keeper.call(campaignCategoriesContract.create, { body })
  expect([answer.status, answer.body.errors]).toEqual([422, errors])
  expect(await app.dump()).toBe(before)
})
