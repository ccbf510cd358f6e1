import { and, eq, inArray, isNotNull, isNull, lt, notExists, sql } from 'drizzle-orm'
import { activityItemFilesTable } from '#domains/activity/schema.ts'
import { type AppContext, defineJob } from '#domains/app-context.ts'
import { filesTable } from '../schema.ts'
import { getThumbnailKey } from './handlers.ts'

/** Deletes images that no item has, a day after their upload at the earliest: of a form that was never saved, or removed from an item. */
const orphanImagesJob = defineJob({
  name: 'orphan-images',
  cron: '41 * * * *',
  run: async (context) => {
    while ((await markOrphanImages(context)) > 0) {}
    await deleteMarkedImages(context)
  },
})

const orphanBatchSize = 200

/** Marks a batch of orphans, so that they cannot be attached any more; returns how many. */
function markOrphanImages({ db }: AppContext): Promise<number> {
  const isOrphan = notExists(
    db.select({ one: sql`1` }).from(activityItemFilesTable).where(eq(activityItemFilesTable.file_id, filesTable.id)),
  )
  return db.transaction(async (tx) => {
    const old = await tx
      .select({ id: filesTable.id })
      .from(filesTable)
      .where(and(isNull(filesTable.removed_at), lt(filesTable.created_at, sql`now() - interval '24 hours'`), isOrphan))
      .orderBy(filesTable.id)
      .limit(orphanBatchSize)
      .for('update', { skipLocked: true })
    const ids = old.map(({ id }) => id)
    // Checked again under the lock: an image may have been attached in between.
    const condemned = await tx
      .update(filesTable)
      .set({ removed_at: sql`now()` })
      .where(and(inArray(filesTable.id, ids), isOrphan))
      .returning({ id: filesTable.id })
    return condemned.length
  })
}

/** The bytes first: if this fails, the row is found again. */
async function deleteMarkedImages({ db, store }: AppContext) {
  const condemned = await db.select().from(filesTable).where(isNotNull(filesTable.removed_at)).orderBy(filesTable.id)
  for (const { id, key } of condemned) {
    await store.remove(key)
    await store.remove(getThumbnailKey(key))
    await db.delete(filesTable).where(eq(filesTable.id, id))
  }
}

export const filesJobs = [orphanImagesJob]
