import { eq, isNull, lt, sql } from 'drizzle-orm'
import type { House } from '#core/app-context.ts'
import type { Db, Tx } from '#core/db/db.ts'
import { job } from '#core/jobs/jobs.ts'
import { missingSettings } from '#integrations/google/connection.ts'
import { googleSyncQueue } from '../labels.ts'
import { googleAccounts, googleEdits } from '../schema.ts'
import { googleEdit } from './edit-queue.ts'
import { syncAccount } from './sync.ts'

/** The locations of one linked account. */
const googleSync = job<{ id: number }>({
  ...googleSyncQueue,
  retries: 3,
  run: (house, { id }) => syncAccount(house, id),
})

/** Every two hours; who loses the voice of their merchant is known by then. */
const googleSyncAll = job({
  name: 'google-sync-all',
  cron: '7 */2 * * *',
  retries: 0, // the next one comes
  run: async (house) => {
    await forgetOldEdits(house.db)
    if (missingSettings(house.settings).length > 0) return
    if (house.jobs.working) return house.db.transaction((tx) => syncSoon(house, tx))
    for (const id of await linked(house.db)) await syncAccount(house, id) // from the command line: now
  },
})

/** Has every account read that can be, each by a job of its own. */
export async function syncSoon(house: House, tx: Tx): Promise<void> {
  for (const id of await linked(tx)) await syncOneSoon(house, tx, id)
}

/** It counts as begun: whoever asked sees at once that something happens. */
export async function syncOneSoon({ jobs }: House, tx: Tx, id: number): Promise<void> {
  await tx
    .update(googleAccounts)
    .set({ sync_started_at: sql`now()`, sync_ended_at: null })
    .where(eq(googleAccounts.id, id))
  await jobs.send(tx, googleSync, { id }, { key: String(id) })
}

/** What was done is in the trail. */
const forgetOldEdits = (db: Db) =>
  db.delete(googleEdits).where(lt(googleEdits.ended_at, sql`now() - interval '30 days'`))

async function linked(db: Pick<Tx, 'select'>): Promise<number[]> {
  const accounts = await db
    .select({ id: googleAccounts.id })
    .from(googleAccounts)
    .where(isNull(googleAccounts.needs_relink_since))
    .orderBy(googleAccounts.id)
  return accounts.map(({ id }) => id)
}

export const googleLocationsJobs = [googleSync, googleSyncAll, googleEdit]
