import { defineJob } from '#domains/app-context.ts'
import { foldCountChanges } from './recount.ts'

/** Keeps what chart and table add up short. */
const foldCountsJob = defineJob({
  name: 'fold-counts',
  cron: '* * * * *',
  run: (context) => foldCountChanges(context.db),
})

export const leadCountJobs = [foldCountsJob]
