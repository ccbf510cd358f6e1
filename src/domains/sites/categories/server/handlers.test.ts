import { expect, test } from 'vitest'
import { setUp, startApp } from '#test/app.ts'
import { networkCategoriesContract } from '../contract.ts'

const app = await setUp(startApp())
const keeper = await app.as(await app.make.superAdmin())

test('the list has id, name and the number of sites, by name [NCAT-10]', async () => {
  const [blogs, news] = [
    await app.make.networkCategory({ name: 'blogs' }),
    await app.make.networkCategory({ name: 'News' }),
  ]
  await app.make.networkSite({ category_id: blogs.id })
  const { body } = await keeper.call(networkCategoriesContract.list)
  const own = body.filter(({ id }: { id: number }) => [blogs.id, news.id].includes(id))
  expect(own).toEqual([
    { id: blogs.id, name: 'blogs', sites_count: 1, version: 1 },
    { id: news.id, name: 'News', sites_count: 0, version: 1 },
  ])
})

test('creating and editing return the category [NCAT-11] [NCAT-12]', async () => {
  const { body: made } = await keeper.call(networkCategoriesContract.create, { body: { name: '  Shops ' } })
  expect(made).toMatchObject({ name: 'Shops', sites_count: 0 })
  const { body } = await keeper.call(networkCategoriesContract.update, {
    params: { id: made.id },
    body: { name: 'Stores' },
  })
  expect(body).toEqual({ id: made.id, name: 'Stores', sites_count: 0, version: 2 })
})

test('deleting removes a category; one in use stays, and the error says how many sites use it [NCAT-13] [NCAT-14]', async () => {
  const { id } = await app.make.networkCategory()
  await app.make.networkSite({ category_id: id })
  const used = await app.make.networkSite({ category_id: id })
  const before = await app.dump()
  const refused = await keeper.call(networkCategoriesContract.remove, { params: { id } })
  expect([refused.status, refused.body.message]).toEqual([409, 'This category is used by 2 sites'])
  expect(await app.dump()).toBe(before)
  expect(used.category_id).toBe(id)
  const free = await app.make.networkCategory()
  expect((await keeper.call(networkCategoriesContract.remove, { params: { id: free.id } })).status).toBe(204)
})

test.each([
  ['no name', {}],
  ['a name that is not text', { name: 7 }],
])('%s is refused on its field', async (_, body) => {
  const before = await app.dump()
  const answer = await keeper.call(networkCategoriesContract.create, { body })
  expect([answer.status, answer.body.errors]).toEqual([422, { name: ['Please input category name'] }])
  expect(await app.dump()).toBe(before)
})

test('a user who may edit sites reads the categories and changes none', async () => {
  const { id } = await app.make.networkCategory()
  const admin = await app.as(await app.make.admin({ permissions: ['networkSites'] }))
  expect((await admin.call(networkCategoriesContract.list)).status).toBe(200)
  expect((await admin.call(networkCategoriesContract.update, { params: { id }, body: { name: 'x' } })).status).toBe(403)
})
