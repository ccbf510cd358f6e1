import { job } from '#core/jobs/jobs.ts'
import { foldChanges } from './recount.ts'

/** Keeps what chart and table add up short. */
const foldCounts = job({
  name: 'fold-counts',
  cron: '* * * * *',
  run: (house) => foldChanges(house.db),
})

export const countedJobs = [foldCounts]
