import { defineJob } from '#domains/app-context.ts'
import { ensureLeadSums, foldLeadChanges } from './build-sums.ts'

/** After folding more changes than this, as many may have come since. */
const manyChanges = 2000

/** Keeps `lead_changes` short, which every reader of sums adds to them. */
const foldLeadSumsJob = defineJob({
  name: 'fold-counts',
  cron: '* * * * *',
  run: async ({ db, settings, jobs }) => {
    await ensureLeadSums(db, settings.AGENCY_TIMEZONE)
    while ((await foldLeadChanges(db)) > manyChanges && !jobs.stopping.aborted) {}
  },
})

export const leadSumsJobs = [foldLeadSumsJob]
