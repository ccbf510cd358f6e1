import { defineJob } from '#domains/app-context.ts'
import { deleteOldEvents } from './delete-old-events.ts'
import { processInbox } from './worker.ts'

/** A fallback: storing an event normally wakes the workers. */
const intakeSweepJob = defineJob({
  name: 'intake-sweep',
  cron: '* * * * *',
  run: async (context) => {
    await processInbox(context)
  },
})

const eventRetentionJob = defineJob({ name: 'event-retention', cron: '5 4 * * *', run: deleteOldEvents })

export const intakeJobs = [intakeSweepJob, eventRetentionJob]
