import { job } from '#server/jobs.ts'
import { foldChanges } from './keeping.ts'

/** Keeps what chart and table add up short. */
const foldCounts = job({
  name: 'fold-counts',
  cron: '* * * * *',
  run: (house) => foldChanges(house.db),
})

export const countedJobs = [foldCounts]
