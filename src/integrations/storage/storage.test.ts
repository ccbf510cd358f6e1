import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { InvalidSettingsError } from '#core/settings/settings.ts'
import { parseSettings } from '#domains/app-settings.ts'
import { startListening, stopListening } from '#integrations/fakes/local-server.ts'
import { type LocalBucket, startLocalBucket } from '#integrations/fakes/object-store.ts'
import { startApp } from '#test/app.ts'
import { createFolderStore, type ObjectStore, openObjectStore } from './storage.ts'

let folder: string
let s3: LocalBucket
let bucket: Record<string, string>
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'leadline-uploads-'))
  s3 = await startLocalBucket()
  bucket = s3.settings
})
afterAll(async () => {
  await s3.close()
  rmSync(folder, { recursive: true })
})

const stores: [string, () => ObjectStore][] = [
  ['a folder', () => openObjectStore(parseSettings({ DATA_DIR: join(folder, 'local') }))],
  ['an S3 bucket', () => openObjectStore(parseSettings(bucket))],
]

describe.each(stores)('%s', (_, open) => {
  test('returns the stored bytes until they are removed [ACT-34]', async () => {
    const store = open()
    const [key, bytes] = [crypto.randomUUID(), Buffer.from([0, 1, 2, 255, 254])]
    await store.put(key, bytes)
    expect(await buffer((await store.get(key))!)).toEqual(bytes)
    await store.remove(key)
    await store.remove(key)
    expect(await store.get(key)).toBeNull()
  })
})

test('a bucket that refuses the key, or is gone, is an error, not a lost image', async () => {
  const store = openObjectStore(parseSettings({ ...bucket, S3_ACCESS_KEY_ID: 'SOMEBODY' }))
  await expect(store.put('key', Buffer.from('x'))).rejects.toThrow('The store answered 403 to PUT')
  const gone = openObjectStore(parseSettings({ ...bucket, S3_BUCKET: 'gone' }))
  await expect(gone.get('key')).rejects.toThrow('The store answered 404 to GET')
})

test('what a bucket in another region, or an address that is none of a bucket, says is in the error', async () => {
  const says = 'The bucket must be addressed using the specified endpoint.'
  const answers: [status: number, body: string, error: string][] = [
    [
      301,
      `<?xml version="1.0"?>\n<Error><Code>PermanentRedirect</Code><Message>${says}</Message><Endpoint>x</Endpoint></Error>`,
      `The store answered 301 to PUT: PermanentRedirect: ${says}`,
    ],
    [
      400,
      '<Error><Code>AuthorizationHeaderMalformed</Code><Message>The region &#39;a&#39; is wrong; expecting &quot;b&quot;</Message></Error>',
      `The store answered 400 to PUT: AuthorizationHeaderMalformed: The region 'a' is wrong; expecting "b"`,
    ],
    [302, '', 'The store answered 302 to PUT'],
    [403, '<html><title>Forbidden</title></html>', 'The store answered 403 to PUT'],
  ]
  let answer = answers[0]!
  const server = createServer((_request, response) => response.writeHead(answer[0], { location: '/' }).end(answer[1]))
  const S3_ENDPOINT = `http://127.0.0.1:${await startListening(server)}`
  const store = openObjectStore(parseSettings({ ...bucket, S3_ENDPOINT }))
  for (answer of answers) await expect(store.put('key', Buffer.from('x'))).rejects.toThrow(new Error(answer[2]))
  await stopListening(server)
})

test('other accounts of the machine read no uploads, also in a folder that was open to them', async () => {
  const open = join(folder, 'open')
  mkdirSync(open, { mode: 0o755 })
  const store = createFolderStore(open)
  await store.put('abcdef', Buffer.from('x'))
  const modes = ['.', 'ab', 'ab/abcdef'].map((path) => (statSync(join(open, path)).mode & 0o777).toString(8))
  expect(modes).toEqual(['750', '750', '640'])
})

test('a key that two processes write at once has the bytes of one of them', async () => {
  const [one, other] = [stores[0]![1](), stores[0]![1]()]
  const texts = ['a'.repeat(500_000), 'b'.repeat(300_000)]
  for (let round = 0; round < 10; round += 1) {
    await Promise.all([one.put('shared', Buffer.from(texts[0]!)), other.put('shared', Buffer.from(texts[1]!))])
    expect(texts).toContain((await buffer((await one.get('shared'))!)).toString())
  }
})

test('uploads are stored in the bucket, re-encoded and without metadata [ACT-34]', async () => {
  const app = await startApp({ settings: { ...bucket, DATA_DIR: join(folder, 'unused') } })
  const writer = await app.as(await app.make.superAdmin())
  const photo = await sharp({ create: { width: 400, height: 40, channels: 3, background: '#2a5bd7' } })
    .withExif({ IFD0: { Artist: 'somebody' } })
    .jpeg()
    .toBuffer()
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(photo)]), 'photo.jpg')
  const { data } = await (await writer.fetch('/api/campaign-changelog/files', { method: 'POST', body: form })).json()
  for (const [address, wide] of [
    [data.url, 400],
    [`${data.url}?size=small`, 320],
  ]) {
    const { exif, width } = await sharp(Buffer.from(await (await writer.fetch(address)).arrayBuffer())).metadata()
    expect([exif, width]).toEqual([undefined, wide])
  }
  await app.close()
})

test('an incomplete bucket configuration is refused, and the missing setting is named', () => {
  const { S3_SECRET_ACCESS_KEY: _, ...half } = bucket
  expect(() => parseSettings(half)).toThrow(InvalidSettingsError)
  expect(() => parseSettings(half)).toThrow(/^S3_SECRET_ACCESS_KEY must be set too/)
})
