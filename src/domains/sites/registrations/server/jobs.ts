import { job } from '#core/jobs/jobs.ts'
import { hurry, lookUpDue } from './look-up-domains.ts'

/** Each domain and address once a day, whenever its own time comes. */
const domainData = job({
  name: 'domain-data',
  cron: '*/5 * * * *',
  retries: 0, // what failed has a time of its own
  run: async (house) => {
    const isAsked = !house.jobs.working // from the command line: all of it, now
    if (isAsked) await hurry(house)
    const counts = await lookUpDue(house, isAsked ? {} : { milliseconds: 240_000 })
    house.log.info(counts, 'domain data looked up')
  },
})

export const domainDataJobs = [domainData]
