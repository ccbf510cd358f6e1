import { defineJob } from '#domains/app-context.ts'
import { checkDueListings, markAllDue } from './check-listings.ts'

const roundBudgetMs = 50_000

/** Checks due listings every minute. Each listing is due once a day at its own time, so checks stay spread out. */
const listingChecksJob = defineJob({
  name: 'listing-checks',
  cron: '* * * * *',
  retries: 0, // the next run finds the rest
  run: async (context) => {
    const isManual = !context.jobs.working // from the command line: checks every listing now
    if (isManual) await markAllDue(context)
    const checked = await checkDueListings(context, isManual ? {} : { milliseconds: roundBudgetMs })
    context.log.info({ checked }, 'listings checked')
  },
})

/** Starts requested checks at once instead of at the next minute. */
export const requestedChecksJob = defineJob({
  name: 'listing-checks-asked',
  retries: 0, // the schedule finds the rest
  run: async (context) => void (await checkDueListings(context, { milliseconds: roundBudgetMs })),
})

export const gmbsJobs = [listingChecksJob, requestedChecksJob]
