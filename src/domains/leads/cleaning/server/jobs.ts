import { defineJob } from '#domains/app-context.ts'
import { cleanNextLeads } from './clean-leads.ts'

/** Brings the leads of earlier versions to the form in which leads are stored now. */
const cleanLeadsJob = defineJob({
  name: 'clean-leads',
  cron: '* * * * *',
  run: async ({ db, settings, jobs }) => {
    while (!jobs.stopping.aborted && (await cleanNextLeads(db, settings.AGENCY_TIMEZONE))) {}
  },
})

export const leadCleaningJobs = [cleanLeadsJob]
