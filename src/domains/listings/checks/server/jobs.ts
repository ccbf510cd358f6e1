import { defineJob } from '#domains/app-context.ts'
import { checkDueListings, markAllDue } from './check-listings.ts'

const roundBudgetMs = 50_000

/** Every minute, whatever has become due: each listing's own time moves on by a day, so that they stay spread out. */
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

/** Somebody has asked for checks and waits: begins without waiting for the minute. */
export const requestedChecksJob = defineJob({
  name: 'listing-checks-asked',
  retries: 0, // the schedule finds what is left
  run: async (context) => void (await checkDueListings(context, { milliseconds: roundBudgetMs })),
})

export const gmbsJobs = [listingChecksJob, requestedChecksJob]
