import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, type Caller, startApp } from '#test/app.ts'

let app: App
let folder: string
let writer: Caller
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'leadline-files-'))
  app = await startApp({ settings: { DATA_DIR: folder } })
  writer = await app.as(await app.make.admin({ permissions: ['activityLog'] }))
})
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true })
})

const photo = (format: 'jpeg' | 'png') =>
  sharp({ create: { width: 40, height: 20, channels: 3, background: '#2a5bd7' } })
    .withExif({ IFD0: { Artist: 'somebody' } })
    [format]()
    .toBuffer()

async function upload(bytes: Buffer | Uint8Array<ArrayBuffer>, name = 'photo.jpg', who = writer) {
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(bytes)]), name)
  const answer = await who.fetch('/api/campaign-changelog/files', { method: 'POST', body: form })
  return {
    status: answer.status,
    body: (await answer.json()) as { data: { id: number; url: string }; message: string; errors: object },
  }
}

test('an image is fetched with the token in the query, and with a bad one not [API-21]', async () => {
  const { body } = await upload(await photo('jpeg'))
  const good = await app.guest.fetch(`${body.data.url}?api_token=${writer.token}`)
  expect([good.status, good.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
  expect((await app.guest.fetch(`${body.data.url}?api_token=made-up`)).status).toBe(401)
  expect((await app.guest.fetch(body.data.url)).status).toBe(401)
})

test('no other call takes a token from the query [API-21]', async () => {
  expect((await app.guest.fetch(`/api/user/me?api_token=${writer.token}`)).status).toBe(401)
})

test('it is kept without its metadata, and shows in a sandbox', async () => {
  const { body } = await upload(await photo('png'), 'photo.png')
  const answer = await writer.fetch(body.data.url)
  const { exif, width } = await sharp(Buffer.from(await answer.arrayBuffer())).metadata()
  expect([exif, width]).toEqual([undefined, 40])
  expect(answer.headers.get('content-security-policy')).toBe('sandbox')
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
})

test('until it hangs on an item only its uploader sees it', async () => {
  const { body } = await upload(await photo('jpeg'))
  const other = await app.as(await app.make.superAdmin())
  expect((await other.fetch(body.data.url)).status).toBe(404)
})

test('a script named .png is refused by its content', async () => {
  const before = await app.dump()
  const { status, body } = await upload(Buffer.from('<script>alert(1)</script>'), 'photo.png')
  expect([status, body.message]).toEqual([415, 'Only jpeg and png images can be uploaded'])
  expect(await app.dump()).toBe(before)
})

test('a broken image, one too large and none at all are refused in words', async () => {
  const broken = (await photo('jpeg')).subarray(0, 200)
  expect((await upload(broken)).body.errors).toEqual({ file: ['This image cannot be read'] })
  const large = await upload(Buffer.concat([await photo('jpeg'), Buffer.alloc(10 * 1024 * 1024)]))
  expect([large.status, large.body.message]).toEqual([413, 'An image may have at most 10 MB'])
  const none = await writer.fetch('/api/campaign-changelog/files', { method: 'POST' })
  expect(none.status).toBe(422)
})

test('an image of too many pixels is refused before it is unpacked', async () => {
  const bomb = await sharp({
    create: { width: 20_000, height: 20_000, channels: 3, background: '#fff' },
    limitInputPixels: false,
  })
    .png()
    .toBuffer()
  expect((await upload(bomb)).body.errors).toEqual({ file: ['This image has too many pixels'] })
})
