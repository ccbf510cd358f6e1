import { defineJob } from '#domains/app-context.ts'
import { sendDueReports } from './send-report.ts'

/** Schedules name whole hours; looking more often sends what a stop has delayed. */
const sendReportsJob = defineJob({
  name: 'send-client-reports',
  run: (context) => sendDueReports(context),
  cron: '*/5 * * * *',
})

export const reportScheduleJobs = [sendReportsJob]
