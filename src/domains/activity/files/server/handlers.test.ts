import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32, deflateSync } from 'node:zlib'
import { eq, sql } from 'drizzle-orm'
import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import { allJobs } from '#app/server/parts.ts'
import { changelogContract } from '#domains/activity/changelog/contract.ts'
import { activityItemsContract } from '#domains/activity/contract.ts'
import { activityItemFilesTable } from '#domains/activity/schema.ts'
import { setUp, startApp } from '#test/app.ts'
import { filesTable } from '../schema.ts'

const folder = mkdtempSync(join(tmpdir(), 'leadline-files-'))
afterAll(() => rmSync(folder, { recursive: true }))
const app = await setUp(startApp({ settings: { DATA_DIR: folder } }))
const campaign = (await app.make.campaign()).id
const writer = await app.as(await app.make.admin({ permissions: ['activityLog'], campaigns: [campaign] }))

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

test('an image is fetched with a token in the query, but not with a bad one [API-21] [ACT-30]', async () => {
  const { body } = await upload(await photo('jpeg'))
  const good = await app.guest.fetch(`${body.data.url}?api_token=${writer.token}`)
  expect([good.status, good.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
  expect((await app.guest.fetch(`${body.data.url}?api_token=made-up`)).status).toBe(401)
  expect((await app.guest.fetch(body.data.url)).status).toBe(401)
})

test('no other call accepts a token in the query [API-21]', async () => {
  expect((await app.guest.fetch(`/api/user/me?api_token=${writer.token}`)).status).toBe(401)
})

test('it is stored without metadata, and served in a sandbox [ACT-34]', async () => {
  const { body } = await upload(await photo('png'), 'photo.png')
  const answer = await writer.fetch(body.data.url)
  const { exif, width } = await sharp(Buffer.from(await answer.arrayBuffer())).metadata()
  expect([exif, width]).toEqual([undefined, 40])
  expect(answer.headers.get('content-security-policy')).toBe('sandbox')
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
})

test('until it is attached to an item only its uploader sees it', async () => {
  const { body } = await upload(await photo('jpeg'))
  const other = await app.as(await app.make.superAdmin())
  expect((await other.fetch(body.data.url)).status).toBe(404)
})

test('a script named .png is refused by its content [ACT-32] [ACT-17]', async () => {
  const before = await app.dump()
  const { status, body } = await upload(Buffer.from('<script>alert(1)</script>'), 'photo.png')
  expect([status, body.message]).toEqual([415, 'Only jpeg and png images can be uploaded'])
  expect(await app.dump()).toBe(before)
})

test('a broken image, one that is too large, and a missing one are refused with a message [ACT-33]', async () => {
  const broken = (await photo('jpeg')).subarray(0, 200)
  expect((await upload(broken)).body.errors).toEqual({ file: ['This image cannot be read'] })
  const large = await upload(Buffer.concat([await photo('jpeg'), Buffer.alloc(11 * 1024 * 1024)]))
  expect([large.status, large.body.message]).toEqual([413, 'An image may have at most 10 MB'])
  const none = await writer.fetch('/api/campaign-changelog/files', { method: 'POST' })
  expect(none.status).toBe(422)
})

test('a bomb of 40,000 by 40,000 pixels is refused before decompression', async () => {
  const chunk = (type: string, content: Buffer) => {
    const named = Buffer.concat([Buffer.from(type), content])
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(content.length)
    sum.writeUInt32BE(crc32(named))
    return Buffer.concat([length, named, sum])
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(40_000, 0)
  head.writeUInt32BE(40_000, 4)
  head[8] = 8
  const bomb = Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.alloc(1_000_000))),
    chunk('IEND', Buffer.alloc(0)),
  ])
  const before = await app.dump()
  const { status, body } = await upload(bomb, 'photo.png')
  expect([status, body.errors]).toEqual([422, { file: ['This image has too many pixels'] }])
  expect(await app.dump()).toBe(before)
})

test('it has a thumbnail', async () => {
  const large = await sharp({ create: { width: 1200, height: 600, channels: 3, background: '#2a5bd7' } })
    .jpeg()
    .toBuffer()
  const { body } = await upload(large)
  const answer = await writer.fetch(`${body.data.url}?size=small`)
  const { width, height, format } = await sharp(Buffer.from(await answer.arrayBuffer())).metadata()
  expect([answer.status, format, width, height]).toEqual([200, 'jpeg', 320, 160])
  const again = Buffer.from(await (await writer.fetch(`${body.data.url}?size=small`)).arrayBuffer())
  expect((await sharp(again).metadata()).width).toBe(320)
  expect((await writer.fetch(`${body.data.url}?size=huge`)).status).toBe(422)
})

const hung = (ids: unknown[], who = writer, more: object = {}) =>
  who.call(activityItemsContract.create, {
    body: { campaignId: campaign, date: '2026-03-01', note: 'With images', files: ids, ...more },
  })

test('an image is attached to every item of its form, in order, and visible to anyone who sees one of them [ACT-30]', async () => {
  const other = await app.make.campaign()
  const root = await app.as(await app.make.superAdmin())
  const uploads = [await upload(await photo('jpeg'), 'a.jpg', root), await upload(await photo('png'), 'b.png', root)]
  const [first, second] = uploads.map(({ body }) => body.data)
  const campaigns = {
    campaignId: undefined,
    campaign_ids: [campaign, other.id],
    date: new Date().toISOString().slice(0, 10),
  }
  const { body } = await hung([second!.id, { id: first!.id, url: first!.url }], root, campaigns)
  for (const item of body.data) expect(item.files).toEqual([second, first])
  expect((await writer.fetch(first!.url)).status).toBe(200)
  const stranger = await app.as(await app.make.admin({ permissions: ['activityLog'] }))
  expect((await stranger.fetch(first!.url)).status).toBe(404)
  await root.call(activityItemsContract.remove, { params: { id: body.data[0].id } })
  expect((await writer.fetch(first!.url)).status).toBe(404)
  expect((await root.fetch(first!.url)).status).toBe(200)
})

test('only a user’s own unattached uploads are accepted', async () => {
  const root = await app.as(await app.make.superAdmin())
  const foreign = (await upload(await photo('jpeg'), 'x.jpg', root)).body.data.id
  const used = (await upload(await photo('jpeg'))).body.data.id
  const mine = (await upload(await photo('jpeg'))).body.data.id
  const item = (await hung([used])).body.data[0]
  const before = await app.dump()
  for (const wrong of [foreign, used, 2_000_000]) {
    const { status, body } = await hung([mine, wrong])
    expect([status, body.errors]).toEqual([422, { files: ['There is no such image'] }])
  }
  expect((await hung([-1])).body.errors).toEqual({ files: ['Please wait until every image is uploaded'] })
  const change = { params: { id: item.id }, body: { note: 'x', files: [used, foreign] } }
  expect((await writer.call(activityItemsContract.update, change)).status).toBe(422)
  expect(await app.dump()).toBe(before)
})

test('an edit keeps, adds, removes and reorders images', async () => {
  const [a, b, c] = [
    await upload(await photo('jpeg')),
    await upload(await photo('png')),
    await upload(await photo('png')),
  ]
  const [first, second, third] = [a.body.data.id, b.body.data.id, c.body.data.id]
  const { id } = (await hung([first, second])).body.data[0]
  const change = async (ids: number[]) =>
    (await writer.call(activityItemsContract.update, { params: { id }, body: { note: 'Same', files: ids } })).body
  const idsOf = (item: { files: { id: number }[] }) => item.files.map((file) => file.id)
  expect(idsOf(await change([third, first]))).toEqual([third, first])
  const march = { query: { from: '2026-03-01', to: '2026-03-31' } }
  const grid = (await (await app.as(await app.make.superAdmin())).call(changelogContract.grid, march)).body
  const days: { data: { id: number; files: { id: number }[] }[] }[] = Object.values(
    grid.changelogs_by_campaign[campaign].data,
  )
  expect(idsOf(days.flatMap(({ data }) => data).find((entry) => entry.id === id)!)).toEqual([third, first])
  expect(idsOf(await change([first, third]))).toEqual([first, third])
  const kept = await writer.call(activityItemsContract.update, { params: { id }, body: { note: 'The note alone' } })
  expect(idsOf(kept.body)).toEqual([first, third])
  const last = await app.context.db.execute<{ after: object }>(
    sql`select after from audit where kind = 'activity item' and row_id = ${id} and after ? 'files' order by id desc limit 1`,
  )
  expect(last.rows[0]?.after).toEqual({ files: [first, third] })
})

test('images that no item has a day after their upload are removed with their bytes; attached ones stay', async () => {
  const [orphan, young, used] = [
    await upload(await photo('jpeg')),
    await upload(await photo('jpeg')),
    await upload(await photo('jpeg')),
  ]
  const ids = [orphan, young, used].map(({ body }) => body.data.id)
  await hung([ids[2]])
  const rowOf = async (id: number) => (await app.context.db.select().from(filesTable).where(eq(filesTable.id, id)))[0]
  const { key } = (await rowOf(ids[0]!))!
  await writer.fetch(`${orphan.body.data.url}?size=small`)
  await app.context.store.get(`${key}.small`)
  for (const id of [ids[0], ids[2]])
    await app.context.db.execute(sql`update files set created_at = now() - interval '25 hours' where id = ${id}`)
  const job = allJobs.find(({ name }) => name === 'orphan-images')!
  for (let twice = 0; twice < 2; twice++) await job.run(app.context, {} as never)
  expect([await rowOf(ids[0]!), (await rowOf(ids[1]!))?.id, (await rowOf(ids[2]!))?.id]).toEqual([
    undefined,
    ids[1],
    ids[2],
  ])
  expect([await app.context.store.get(key), await app.context.store.get(`${key}.small`)]).toEqual([null, null])
  expect((await writer.fetch(used.body.data.url)).status).toBe(200)
})

test('an image that is being attached while old ones are removed stays', async () => {
  const { id, url } = (await upload(await photo('jpeg'))).body.data
  const { db } = app.context
  await db.execute(sql`update files set created_at = now() - interval '25 hours' where id = ${id}`)
  const item = await app.make.activityItem({ campaign_id: campaign })
  await db.transaction(async (tx) => {
    await tx.insert(activityItemFilesTable).values({ item_id: item.id, file_id: id, position: 0 })
    await allJobs.find(({ name }) => name === 'orphan-images')!.run(app.context, {} as never)
  })
  expect((await writer.fetch(url)).status).toBe(200)
})

test('an image that is lost in the store is not found, whole and small', async () => {
  const { id, url } = (await upload(await photo('jpeg'))).body.data
  const [row] = await app.context.db.select().from(filesTable).where(eq(filesTable.id, id))
  await app.context.store.remove(row!.key)
  expect([(await writer.fetch(url)).status, (await writer.fetch(`${url}?size=small`)).status]).toEqual([404, 404])
})

test('an image marked for removal cannot be attached any more', async () => {
  const { id, url } = (await upload(await photo('jpeg'))).body.data
  await app.context.db.update(filesTable).set({ removed_at: new Date() }).where(eq(filesTable.id, id))
  expect((await hung([id])).status).toBe(422)
  expect((await writer.fetch(url)).status).toBe(404)
  expect(await app.context.db.$count(activityItemFilesTable, eq(activityItemFilesTable.file_id, id))).toBe(0)
})
