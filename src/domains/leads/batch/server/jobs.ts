import { and, inArray, sql } from 'drizzle-orm'
import { runTransaction } from '#core/db/db.ts'
import { type AppContext, defineJob, type JobDefinition } from '#domains/app-context.ts'
import { leadBatchesTable } from '../schema.ts'
import { type BatchTask, giveUpBatch, runBatch } from './run-batch.ts'

export const leadBatchJob: JobDefinition<BatchTask> = defineJob({
  name: 'lead-batch',
  run: async (context, task: BatchTask) => {
    if ((await runBatch(context, task)) === 'over') return
    await context.db.transaction((tx) => context.jobs.send(tx, leadBatchJob, task))
  },
})

/**
 * Ends the batches that no job works on: their workers were killed more often than a job is tried, or a backup, which has no jobs, was
 * restored. Until then they could not be undone.
 */
const lostBatchesJob = defineJob({ name: 'lead-batch-lost', cron: '* * * * *', retries: 0, run: endLostBatches })

export const leadBatchJobs = [leadBatchJob, lostBatchesJob]

export function endLostBatches({ db }: AppContext): Promise<void> {
  const { id, undoing, state } = leadBatchesTable
  // A batch is committed with its job, and a job ends only after it has sent the next one.
  const isLost = sql`not exists (select from pgboss.job where name = ${leadBatchJob.name} and data ->> 'id' = ${id}::text
    and state in ('created', 'retry', 'active'))`
  return runTransaction(db, async (tx) => {
    const lost = await tx
      .select({ id, undo: undoing })
      .from(leadBatchesTable)
      .where(and(inArray(state, ['queued', 'running']), isLost))
      .orderBy(id)
      .for('update')
    for (const batch of lost) await giveUpBatch(tx, batch, 'Interrupted')
  })
}
