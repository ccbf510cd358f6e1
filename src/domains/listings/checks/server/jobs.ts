import { defineJob } from '#domains/app-context.ts'
import { checkDueListings, markAllDue } from './check-listings.ts'

const roundBudgetMs = 50_000

/** Checks every minute what is due. Each listing is due once a day at its own time, so checks stay spread out. */
const listingChecksJob = defineJob({
  name: 'listing-checks',
  cron: '* * * * *',
  retries: 0, // the next minute finds what is left
  run: async (context) => {
    const isAsked = !context.jobs.working // from the command line: every listing, now
    if (isAsked) await markAllDue(context)
    const checked = await checkDueListings(context, isAsked ? {} : { milliseconds: roundBudgetMs })
    context.log.info({ checked }, 'listings checked')
  },
})

/** Starts requested checks at once, without waiting for the minute. */
export const requestedChecksJob = defineJob({
  name: 'listing-checks-asked',
  retries: 0, // the schedule finds what is left
  run: async (context) => void (await checkDueListings(context, { milliseconds: roundBudgetMs })),
})

export const gmbsJobs = [listingChecksJob, requestedChecksJob]
