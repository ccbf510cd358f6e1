import { defineJob } from '#domains/app-context.ts'
import { checkDueSites, markAllSitesDue } from './sweep.ts'

/** Checks due sites every minute. Each site has its own time, so checks stay spread out. */
const siteChecksJob = defineJob({
  name: 'site-checks',
  cron: '* * * * *',
  retries: 0, // the next run finds the rest
  run: async (context) => {
    const isManual = !context.jobs.working // from the command line: checks every site now
    if (isManual) await markAllSitesDue(context)
    const visited = await checkDueSites(context, isManual ? {} : { milliseconds: 50_000 })
    context.log.info({ visited }, 'sites checked')
  },
})

export const siteChecksJobs = [siteChecksJob]
