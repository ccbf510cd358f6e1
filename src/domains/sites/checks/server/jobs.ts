import { defineJob } from '#domains/app-context.ts'
import { checkDueSites, markAllSitesDue } from './sweep.ts'

/** Checks every minute what is due. Each site has its own time, so checks stay spread out. */
const siteChecksJob = defineJob({
  name: 'site-checks',
  cron: '* * * * *',
  retries: 0, // the next minute finds what is left
  run: async (context) => {
    const isAsked = !context.jobs.working // from the command line: every site, now
    if (isAsked) await markAllSitesDue(context)
    const visited = await checkDueSites(context, isAsked ? {} : { milliseconds: 50_000 })
    context.log.info({ visited }, 'sites checked')
  },
})

export const siteChecksJobs = [siteChecksJob]
