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
    { id: link.id, label: 'Ranks', url: 'https://ranks.example/app', version: 2 },
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

test.each([
  ['docs.google.com/x', 'https://docs.google.com/x'],
  [' https://docs.google.com/\nx ', 'https://docs.google.com/x'],
  ['localhost:3000/ranks', 'https://localhost:3000/ranks'],
  ['HTTP://192.0.2.1', 'HTTP://192.0.2.1'],
])('%j is read as the address %s', async (typed, url) => {
  const keeper = await app.as(await app.make.superAdmin())
  const { body } = await keeper.call(toolLinksContract.create, { body: { label: 'Tool', url: typed } })
  expect(body).toMatchObject({ url })
  expect((await keeper.call(toolLinksContract.remove, { params: { id: body.id } })).status).toBe(204)
})

test.each([
  'https://a:b@x.example',
  'file:///etc/hosts',
  'javascript:alert(1)',
  'data:text/html,hi',
  'not an address',
  '',
])('%s is not a URL', async (url) => {
  const keeper = await app.as(await app.make.superAdmin())
  const { status, body } = await keeper.call(toolLinksContract.create, { body: { label: 'Tool', url } })
  expect([status, Object.keys(body.errors)]).toEqual([422, ['url']])
})
