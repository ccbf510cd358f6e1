import { expect, test } from 'vitest'
import { sessionContract } from '#domains/access/sign-in/contract.ts'
import { setUp, startApp } from '#test/app.ts'
import { toolLinksContract } from '../contract.ts'

const app = await setUp(startApp())

test('super admins manage the tool links, and read them with their own user', async () => {
  const keeper = await app.as(await app.make.superAdmin())
  const { body: link } = await keeper.call(toolLinksContract.create, {
    body: { label: 'Rank tracker', url: 'https://ranks.example/' },
  })
  await keeper.call(toolLinksContract.update, {
    params: { id: link.id },
    body: { label: 'Ranks', url: 'https://ranks.example/app' },
  })
  expect((await keeper.call(sessionContract.me)).body.tools_links).toEqual([
    { id: link.id, label: 'Ranks', url: 'https://ranks.example/app' },
  ])
  expect((await keeper.call(toolLinksContract.remove, { params: { id: link.id } })).status).toBe(204)
  expect((await keeper.call(sessionContract.me)).body.tools_links).toEqual([])
})

test('no one else reads or manages them', async () => {
  const keeper = await app.as(await app.make.superAdmin())
  const { body: link } = await keeper.call(toolLinksContract.create, {
    body: { label: 'Mail', url: 'https://mail.example/' },
  })
  const admin = await app.as(await app.make.admin())
  expect((await admin.call(sessionContract.me)).body.tools_links).toEqual([])
  expect((await admin.call(toolLinksContract.remove, { params: { id: link.id } })).status).toBe(403)
  expect((await keeper.call(toolLinksContract.remove, { params: { id: link.id } })).status).toBe(204)
})

test.each(['javascript:alert(1)', 'data:text/html,hi', 'not an address', ''])('%s is not a URL', async (url) => {
  const keeper = await app.as(await app.make.superAdmin())
  const { status, body } = await keeper.call(toolLinksContract.create, { body: { label: 'Tool', url } })
  expect([status, Object.keys(body.errors)]).toEqual([422, ['url']])
})
