import { defineJob, type JobDefinition } from '#domains/app-context.ts'
import { type BatchTask, runBatch } from './run-batch.ts'

export const leadBatchJob: JobDefinition<BatchTask> = defineJob({
  name: 'lead-batch',
  run: async (context, task: BatchTask) => {
    if ((await runBatch(context, task)) === 'over') return
    await context.db.transaction((tx) => context.jobs.send(tx, leadBatchJob, task))
  },
})

export const leadBatchJobs = [leadBatchJob]
