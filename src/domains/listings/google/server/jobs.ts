import { eq, isNull, lt, ne, sql } from 'drizzle-orm'
import type { Db, DbOrTx, Tx } from '#core/db/db.ts'
import { type AppContext, defineJob } from '#domains/app-context.ts'
import { googleSyncQueue } from '../labels.ts'
import { googleAccountsTable, googleEditsTable } from '../schema.ts'
import { googleEditJob } from './edit-queue.ts'
import { findOAuthClient } from './google-access.ts'
import { syncAccount } from './sync.ts'

/** Syncs the locations of one linked account. */
const googleSyncJob = defineJob<{ id: number }>({
  ...googleSyncQueue,
  retries: 3,
  run: (context, { id }) => syncAccount(context, id),
})

/** Queues all syncs every two hours. */
const googleSyncAllJob = defineJob({
  name: 'google-sync-all',
  cron: '7 */2 * * *',
  retries: 0, // the next run follows soon
  run: async (context) => {
    await deleteOldEdits(context.db)
    if (!(await findOAuthClient(context))) return
    if (context.jobs.working) return context.db.transaction((tx) => queueAllSyncs(context, tx))
    for (const id of await readLinkedAccountIds(context, context.db)) await syncAccount(context, id) // from the command line: syncs now
  },
})

/** Queues a sync for each account that does not need to be linked again. */
export async function queueAllSyncs(context: AppContext, tx: Tx): Promise<void> {
  for (const id of await readLinkedAccountIds(context, tx)) await queueAccountSync(context, tx, id)
}

/** Marks the sync as started, so that users see it at once, and queues it. */
export async function queueAccountSync({ jobs }: AppContext, tx: Tx, id: number): Promise<void> {
  await tx
    .update(googleAccountsTable)
    .set({ sync_started_at: sql`now()`, sync_ended_at: null })
    .where(eq(googleAccountsTable.id, id))
  await jobs.send(tx, googleSyncJob, { id }, { key: String(id) })
}

/** The audit log keeps older edits. */
const deleteOldEdits = (db: Db) =>
  db.delete(googleEditsTable).where(lt(googleEditsTable.ended_at, sql`now() - interval '30 days'`))

/** Returns the accounts to read. One that only another client may read is tried again with the client that is set now. */
async function readLinkedAccountIds(context: AppContext, db: DbOrTx): Promise<number[]> {
  const client = await findOAuthClient(context)
  if (client)
    await db
      .update(googleAccountsTable)
      .set({ needs_relink_since: null, refused_client: null })
      .where(ne(googleAccountsTable.refused_client, client.client_id))
  const accounts = await db
    .select({ id: googleAccountsTable.id })
    .from(googleAccountsTable)
    .where(isNull(googleAccountsTable.needs_relink_since))
    .orderBy(googleAccountsTable.id)
  return accounts.map(({ id }) => id)
}

export const googleLocationsJobs = [googleSyncJob, googleSyncAllJob, googleEditJob]
