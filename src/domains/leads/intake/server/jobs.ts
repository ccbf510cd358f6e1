import { job } from '#core/jobs/jobs.ts'
import { workOff } from './worker.ts'

/** The inbox wakes its workers itself; this is for the day on which that fails. */
const intakeSweep = job({
  name: 'intake-sweep',
  cron: '* * * * *',
  run: async (house) => {
    await workOff(house)
  },
})

export const intakeJobs = [intakeSweep]
