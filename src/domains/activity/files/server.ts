import { and, eq } from 'drizzle-orm'
import { invalid, notFound, Refusal } from '#server/errors.ts'
import { implement } from '#server/implement.ts'
import { files as contract, maxFileBytes } from './contract.ts'
import { reencode } from './image.ts'
import { files } from './table.ts'

export const filesCalls = implement(contract, {
  upload: async ({ db, me, house, request }) => {
    const part = request.isMultipart()
      ? await request.file({ limits: { fileSize: maxFileBytes, files: 1 } })
      : undefined
    if (!part) throw invalid({ file: ['Please pick an image'] })
    const bytes = await part.toBuffer().catch(() => {
      throw new Refusal(413, 'An image may have at most 10 MB')
    })
    const { data, mime, width, height } = await reencode(bytes)
    const key = crypto.randomUUID()
    await house.store.put(key, data)
    const [made] = await db
      .insert(files)
      .values({ user_id: me.id, key, mime, size: data.length, width, height })
      .returning({ id: files.id })
    return { data: { id: made!.id, url: `/api/files/${made!.id}` } }
  },

  get: async ({ db, me, params, house, reply }) => {
    // Until it hangs on an item, only who uploaded it sees it.
    const [file] = await db
      .select()
      .from(files)
      .where(and(eq(files.id, params.id), eq(files.user_id, me.id)))
    if (!file) throw notFound()
    reply.type(file.mime).headers({
      'content-length': file.size,
      'content-security-policy': 'sandbox',
      'cache-control': 'private, no-store',
    })
    await reply.send(await house.store.get(file.key))
    return undefined
  },
})
