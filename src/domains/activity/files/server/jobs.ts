import { and, eq, inArray, isNotNull, isNull, lt, notExists, sql } from 'drizzle-orm'
import type { House } from '#core/app-context.ts'
import { job } from '#core/jobs/jobs.ts'
import { activityItemFiles } from '#domains/activity/schema.ts'
import { files } from '../schema.ts'
import { smallOf } from './handlers.ts'

/** Images that nobody has hung on an item for a day: uploaded for a form that was never saved, or taken off one. */
const orphanImages = job({
  name: 'orphan-images',
  cron: '41 * * * *',
  run: async (house) => {
    while ((await condemn(house)) > 0) {}
    await removeCondemned(house)
  },
})

const atOnce = 200

/** Marks some, so that nothing hangs them on an item any more; answers how many. */
function condemn({ db }: House): Promise<number> {
  const isOrphan = notExists(
    db.select({ one: sql`1` }).from(activityItemFiles).where(eq(activityItemFiles.file_id, files.id)),
  )
  return db.transaction(async (tx) => {
    const old = await tx
      .select({ id: files.id })
      .from(files)
      .where(and(isNull(files.removed_at), lt(files.created_at, sql`now() - interval '24 hours'`), isOrphan))
      .orderBy(files.id)
      .limit(atOnce)
      .for('update', { skipLocked: true })
    const ids = old.map(({ id }) => id)
    // Asked again now that they are held: one may have been hung up between the first look and the lock.
    const condemned = await tx
      .update(files)
      .set({ removed_at: sql`now()` })
      .where(and(inArray(files.id, ids), isOrphan))
      .returning({ id: files.id })
    return condemned.length
  })
}

/** The bytes first: a row that is left over is found again. */
async function removeCondemned({ db, store }: House) {
  const condemned = await db.select().from(files).where(isNotNull(files.removed_at)).orderBy(files.id)
  for (const { id, key } of condemned) {
    await store.remove(key)
    await store.remove(smallOf(key))
    await db.delete(files).where(eq(files.id, id))
  }
}

export const filesJobs = [orphanImages]
