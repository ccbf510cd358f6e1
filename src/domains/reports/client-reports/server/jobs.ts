import { defineJob } from '#domains/app-context.ts'
import { sendDueReports } from './send-report.ts'

/** Schedules use whole hours; running more often sends reports delayed by downtime. */
const sendReportsJob = defineJob({
  name: 'send-client-reports',
  run: (context) => sendDueReports(context),
  cron: '*/5 * * * *',
})

export const reportScheduleJobs = [sendReportsJob]
