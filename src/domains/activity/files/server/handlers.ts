import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { and, eq, exists, isNull, notExists, or, sql } from 'drizzle-orm'
import type { Db } from '#core/db/db.ts'
import { HttpError, notFoundError, validationError } from '#core/http/errors.ts'
import { readUpload } from '#core/http/upload.ts'
import type { CurrentUser } from '#domains/access/public.ts'
import { activityItemFilesTable, activityItemsTable } from '#domains/activity/schema.ts'
import { buildVisibleItemsFilter } from '#domains/activity/server/visibility.ts'
import { type AppContext, implementContract } from '#domains/app-context.ts'
import { filesContract, getFileUrl, imageTooLargeMessage, maxImageBytes } from '../contract.ts'
import { filesTable } from '../schema.ts'
import { createThumbnail, reencodeImage } from './image.ts'

export const filesHandlers = implementContract(filesContract, {
  upload: async ({ db, me, context, request }) => {
    const sent = await readUpload(request, maxImageBytes)
    if (sent === 'too large') throw new HttpError(413, imageTooLargeMessage)
    if (sent === 'missing') throw validationError({ file: ['Please pick an image'] })
    if (sent === 'broken')
      throw validationError({ file: ['This image did not arrive completely: please send it again'] })
    const { data, mime, width, height } = await reencodeImage(sent.bytes)
    const key = crypto.randomUUID()
    // The row first, so that the orphan job finds and removes the bytes if the request fails.
    const [made] = await db
      .insert(filesTable)
      .values({ user_id: me.id, key, mime, size: data.length, width, height })
      .returning({ id: filesTable.id })
    const { id } = made!
    await context.store.put(key, data)
    return { data: { id, url: getFileUrl(id) } }
  },

  get: async ({ db, me, params, query, context, reply }) => {
    const [file] = await db
      .select()
      .from(filesTable)
      .where(and(eq(filesTable.id, params.id), buildVisibleFilesFilter(db, me)))
    if (!file) throw notFoundError()
    const bytes = query.size === 'small' ? await readThumbnail(context, file) : await context.store.get(file.key)
    if (!bytes) throw notFoundError()
    reply.type(file.mime).headers({
      ...(query.size === 'small' ? {} : { 'content-length': file.size }),
      'content-security-policy': 'sandbox',
      'cache-control': 'private, no-store',
    })
    await reply.send(bytes)
  },
})

/** Creates the thumbnail on first request and stores it; backups do not need it. Returns null if the image is lost. */
async function readThumbnail({ store }: AppContext, { key, mime }: typeof filesTable.$inferSelect) {
  const kept = await store.get(getThumbnailKey(key))
  if (kept) return kept
  const whole = await store.get(key)
  if (!whole) return null
  const small = await createThumbnail(await buffer(whole), mime)
  await store.put(getThumbnailKey(key), small)
  return Readable.from([small])
}

export const getThumbnailKey = (key: string) => `${key}.small`

/** Images of items that this person may see. An unattached image is visible only to its uploader. */
function buildVisibleFilesFilter(db: Db, me: CurrentUser) {
  const links = db.select({ one: sql`1` }).from(activityItemFilesTable)
  const isLink = eq(activityItemFilesTable.file_id, filesTable.id)
  const seen = links.innerJoin(activityItemsTable, eq(activityItemsTable.id, activityItemFilesTable.item_id))
  return and(
    isNull(filesTable.removed_at),
    or(
      exists(seen.where(and(isLink, buildVisibleItemsFilter(me)))),
      and(
        eq(filesTable.user_id, me.id),
        notExists(db.select({ one: sql`1` }).from(activityItemFilesTable).where(isLink)),
      ),
    ),
  )
}
