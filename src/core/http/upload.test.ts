import { Readable } from 'node:stream'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { createApp } from '#app/server/server.ts'
import { maxImageBytes } from '#domains/activity/files/contract.ts'
import { maxImportBytes } from '#domains/imports/contract.ts'
import { setUp, startApp } from '#test/app.ts'

const app = await setUp(startApp())
const root = await app.as(await app.make.superAdmin())

const begun = '--x\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n'

test.each([
  ['without a boundary', 'multipart/form-data', `${begun}\r\nabc\r\n--x--`],
  ['of another boundary', 'multipart/form-data; boundary=y', `${begun}\r\nabc\r\n--x--`],
  ['that ends in its head', 'multipart/form-data; boundary=x', begun],
  ['that ends in the file', 'multipart/form-data; boundary=x', `${begun}\r\nabc`],
])('a form %s is refused with 422, and changes nothing (R14)', async (_, type, body) => {
  const before = await app.dump()
  for (const path of ['/api/campaign-changelog/files', '/api/imports?kind=leads']) {
    const answer = await root.fetch(path, { method: 'POST', headers: { 'content-type': type }, body })
    expect([answer.status, (await answer.json()).errors.file], path).toEqual([
      422,
      [expect.stringMatching(/did not arrive completely|^Please pick/)],
    ])
  }
  expect(await app.dump()).toBe(before)
})

test.each([
  ['inside a chunk', -1],
  ['between two chunks', 0],
])('a file whose limit falls %s is refused as too large, and nothing is stored [ACT-33]', async (_, offset) => {
  const image = await sharp({ create: { width: 4, height: 4, channels: 3, background: '#2a5bd7' } })
    .png()
    .toBuffer()
  const server = await createApp(app.context)
  const before = await app.dump()
  for (const [url, start, limit] of [
    ['/api/campaign-changelog/files', image, maxImageBytes],
    ['/api/imports?kind=clients', Buffer.from('Name\n'), maxImportBytes],
  ] as const) {
    // Injected: over a socket the network would decide where chunks end.
    const first = Buffer.concat([start, Buffer.alloc(limit + offset - start.length, 'a\n')])
    const answer = await server.inject({
      method: 'POST',
      url,
      headers: { authorization: `Bearer ${root.token}`, 'content-type': 'multipart/form-data; boundary=x' },
      payload: Readable.from([Buffer.from(`${begun}\r\n`), first, Buffer.from('a\na\n\r\n--x--\r\n')]),
    })
    expect([answer.statusCode, url]).toEqual([413, url])
  }
  expect(await app.dump()).toBe(before)
})

test('a form with many fields beside the file is refused, and nothing is stored', async () => {
  const form = new FormData()
  for (let at = 0; at < 20; at += 1) form.append('text', 'a'.repeat(100_000))
  form.set('file', new File(['Name,Nickname,Email\nAnn,ann,ann@acme.example\n'], 'clients.csv'))
  const before = await app.dump()
  for (const path of ['/api/campaign-changelog/files', '/api/imports?kind=clients', '/api/agency/logo']) {
    const answer = await root.fetch(path, { method: 'POST', body: form })
    expect([answer.status, (await answer.json()).errors], path).toEqual([
      422,
      { file: ['Please send the file alone, in the field “file”'] },
    ])
  }
  expect(await app.dump()).toBe(before)
})

test('a file that is sent without a form is refused with what to send instead, also in the API description', async () => {
  const headers = { 'content-type': 'text/csv' }
  const { paths } = await (await fetch(`${app.url}/api/openapi.json`)).json()
  for (const path of ['/imports', '/campaign-changelog/files', '/agency/logo']) {
    const answer = await root.fetch(`/api${path}`, { method: 'POST', headers, body: 'Name\nAnn\n' })
    expect([answer.status, await answer.json()], path).toEqual([
      415,
      { message: 'Please send the file as multipart form data, in the field “file”' },
    ])
    expect(Object.keys(paths[`/api${path}`].post.requestBody.content), path).toEqual(['multipart/form-data'])
  }
})

test('a file keeps its name, also with the quotes that browsers encode', async () => {
  const body = new FormData()
  body.set('file', new File(['Name,Nickname,Email\nAnn,ann,ann@acme.example\n'], 'Roofers “2026” "west" 名簿.csv'))
  const answer = await root.fetch('/api/imports?kind=clients', { method: 'POST', body })
  expect((await answer.json()).file_name).toBe('Roofers “2026” "west" 名簿.csv')
})
