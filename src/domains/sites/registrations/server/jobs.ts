import { defineJob } from '#domains/app-context.ts'
import { markAllLookupsDue, runDueLookups } from './look-up-domains.ts'

/** Looks up each domain and IP once a day, spread over the day. */
const domainDataJob = defineJob({
  name: 'domain-data',
  cron: '*/5 * * * *',
  retries: 0, // each row has its own next_look_up_at
  run: async (context) => {
    const isManual = !context.jobs.working // from the command line: looks up everything now
    if (isManual) await markAllLookupsDue(context)
    const counts = await runDueLookups(context, isManual ? {} : { milliseconds: 240_000 })
    context.log.info(counts, 'domain data looked up')
  },
})

export const domainDataJobs = [domainDataJob]
