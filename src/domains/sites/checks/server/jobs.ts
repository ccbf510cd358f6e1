import { job } from '#core/jobs/jobs.ts'
import { hurry, sweep } from './sweep.ts'

/** Every minute, whatever has become due: each site's own time moves on by the interval, so that they stay spread out. */
const siteChecks = job({
  name: 'site-checks',
  cron: '* * * * *',
  retries: 0, // the next minute finds what is left
  run: async (house) => {
    const isAsked = !house.jobs.working // from the command line: every site, now
    if (isAsked) await hurry(house)
    const visited = await sweep(house, isAsked ? {} : { milliseconds: 50_000 })
    house.log.info({ visited }, 'sites checked')
  },
})

export const siteChecksJobs = [siteChecks]
