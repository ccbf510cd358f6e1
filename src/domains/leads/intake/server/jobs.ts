import { defineJob } from '#domains/app-context.ts'
import { processInbox } from './worker.ts'

/** The inbox wakes its workers itself; this is for the day on which that fails. */
const intakeSweepJob = defineJob({
  name: 'intake-sweep',
  cron: '* * * * *',
  run: async (context) => {
    await processInbox(context)
  },
})

export const intakeJobs = [intakeSweepJob]
