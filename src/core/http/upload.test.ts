import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, type Caller, startApp } from '#test/app.ts'

let app: App
let root: Caller
beforeAll(async () => {
  app = await startApp()
  root = await app.as(await app.make.superAdmin())
})
afterAll(() => app.close())

const begun = '--x\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n'

test.each([
  ['without a boundary', 'multipart/form-data', `${begun}\r\nabc\r\n--x--`],
  ['of another boundary', 'multipart/form-data; boundary=y', `${begun}\r\nabc\r\n--x--`],
  ['that ends in its head', 'multipart/form-data; boundary=x', begun],
  ['that ends in the file', 'multipart/form-data; boundary=x', `${begun}\r\nabc`],
])('a form %s is refused as the sender’s fault, and changes nothing (R14)', async (_, type, body) => {
  const before = await app.dump()
  for (const path of ['/api/campaign-changelog/files', '/api/imports?kind=leads']) {
    const answer = await root.fetch(path, { method: 'POST', headers: { 'content-type': type }, body })
    expect([answer.status, (await answer.json()).errors.file], path).toEqual([
      422,
      [expect.stringMatching(/did not arrive whole|^Please pick/)],
    ])
  }
  expect(await app.dump()).toBe(before)
})
