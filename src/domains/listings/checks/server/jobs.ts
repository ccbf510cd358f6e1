import { job } from '#core/jobs/jobs.ts'
import { checkDue, hurry } from './check-listings.ts'

const minute = 50_000

/** Every minute, whatever has become due: each listing's own time moves on by a day, so that they stay spread out. */
const listingChecks = job({
  name: 'listing-checks',
  cron: '* * * * *',
  retries: 0, // the next minute finds what is left
  run: async (house) => {
    const isAsked = !house.jobs.working // from the command line: every listing, now
    if (isAsked) await hurry(house)
    const checked = await checkDue(house, isAsked ? {} : { milliseconds: minute })
    house.log.info({ checked }, 'listings checked')
  },
})

/** Somebody has asked for checks and waits: begins without waiting for the minute. */
export const checksAsked = job({
  name: 'listing-checks-asked',
  retries: 0, // the schedule finds what is left
  run: async (house) => void (await checkDue(house, { milliseconds: minute })),
})

export const gmbsJobs = [listingChecks, checksAsked]
