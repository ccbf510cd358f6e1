import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { and, eq, exists, isNull, notExists, or, sql } from 'drizzle-orm'
import type { House } from '#core/app-context.ts'
import type { Db } from '#core/db/db.ts'
import { invalid, notFound, Refusal } from '#core/http/errors.ts'
import { implement } from '#core/http/handle.ts'
import { uploaded } from '#core/http/upload.ts'
import type { Me } from '#domains/access/server/current-user.ts'
import { activityItemFiles, activityItems } from '#domains/activity/schema.ts'
import { visibleItems } from '#domains/activity/server/visibility.ts'
import { files as contract, maxFileBytes, tooLarge, urlOf } from '../contract.ts'
import { files } from '../schema.ts'
import { reencode, shrink } from './image.ts'

export const filesCalls = implement(contract, {
  upload: async ({ db, me, house, request }) => {
    const sent = await uploaded(request, maxFileBytes)
    if (sent === 'too large') throw new Refusal(413, tooLarge)
    if (sent === 'missing') throw invalid({ file: ['Please pick an image'] })
    if (sent === 'broken') throw invalid({ file: ['This image did not arrive whole: please send it again'] })
    const { data, mime, width, height } = await reencode(sent.bytes)
    const key = crypto.randomUUID()
    // The row first: whatever is stored without being answered is then found and removed with the orphans.
    const [made] = await db
      .insert(files)
      .values({ user_id: me.id, key, mime, size: data.length, width, height })
      .returning({ id: files.id })
    const { id } = made!
    await house.store.put(key, data)
    return { data: { id, url: urlOf(id) } }
  },

  get: async ({ db, me, params, query, house, reply }) => {
    const [file] = await db
      .select()
      .from(files)
      .where(and(eq(files.id, params.id), visibleFiles(db, me)))
    if (!file) throw notFound()
    const bytes = query.size === 'small' ? await smallImage(house, file) : await house.store.get(file.key)
    reply.type(file.mime).headers({
      ...(query.size === 'small' ? {} : { 'content-length': file.size }),
      'content-security-policy': 'sandbox',
      'cache-control': 'private, no-store',
    })
    await reply.send(bytes)
    return undefined
  },
})

/** Made when it is first asked for, and kept; a backup need not hold it. */
async function smallImage({ store }: House, { key, mime }: typeof files.$inferSelect): Promise<Readable> {
  const kept = await store.get(smallOf(key)).catch(() => null)
  if (kept) return kept
  const small = await shrink(await buffer(await store.get(key)), mime)
  await store.put(smallOf(key), small)
  return Readable.from([small])
}

export const smallOf = (key: string) => `${key}.small`

/** Images of items that this person may see; until it hangs on one, only who uploaded it sees it. */
function visibleFiles(db: Db, me: Me) {
  const links = db.select({ one: sql`1` }).from(activityItemFiles)
  const isLink = eq(activityItemFiles.file_id, files.id)
  const seen = links.innerJoin(activityItems, eq(activityItems.id, activityItemFiles.item_id))
  return and(
    isNull(files.removed_at),
    or(
      exists(seen.where(and(isLink, visibleItems(me)))),
      and(eq(files.user_id, me.id), notExists(db.select({ one: sql`1` }).from(activityItemFiles).where(isLink))),
    ),
  )
}
