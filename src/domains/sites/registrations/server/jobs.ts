import { defineJob } from '#domains/app-context.ts'
import { markAllLookupsDue, runDueLookups } from './look-up-domains.ts'

/** Each domain and address once a day, whenever its own time comes. */
const domainDataJob = defineJob({
  name: 'domain-data',
  cron: '*/5 * * * *',
  retries: 0, // what failed has a time of its own
  run: async (context) => {
    const isAsked = !context.jobs.working // from the command line: all of it, now
    if (isAsked) await markAllLookupsDue(context)
    const counts = await runDueLookups(context, isAsked ? {} : { milliseconds: 240_000 })
    context.log.info(counts, 'domain data looked up')
  },
})

export const domainDataJobs = [domainDataJob]
