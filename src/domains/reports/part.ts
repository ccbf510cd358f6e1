import { eq } from 'drizzle-orm'
import { describeCampaignRows } from '#domains/access/public.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import type { ServerPart } from '#domains/server-part.ts'
import { leadChartHandlers } from './chart/server/handlers.ts'
import { clientReportsHandlers } from './client-reports/server/handlers.ts'
import { reportScheduleJobs } from './client-reports/server/jobs.ts'
import { reportScheduleHandlers } from './client-reports/server/schedule-handlers.ts'
import { clientStartHandlers } from './client-reports/server/start.ts'
import { weeklyReportHandlers } from './weekly-report/server/handlers.ts'
import { weeklyReportViewedTable } from './weekly-report/server/viewed-table.ts'

export const reportsPart: ServerPart = {
  handlers: [
    ...leadChartHandlers,
    ...weeklyReportHandlers,
    ...clientReportsHandlers,
    ...clientStartHandlers,
    ...reportScheduleHandlers,
  ],
  jobs: reportScheduleJobs,
  savedViews: { 'leads-table': weeklyReportViewedTable },
  scopedRows: [
    describeCampaignRows(/^\/lead\/chart\/:/, (db, id) =>
      db.select({ campaign_id: campaignsTable.id }).from(campaignsTable).where(eq(campaignsTable.id, id)),
    ),
  ],
  // What was due before may have gone out after the backup was made, so it is not sent again.
  afterRestore: [{ table: 'report_schedules', sql: 'update report_schedules set set_at = now()' }],
  withoutPeople: {
    'Businesses that are clients, and what is agreed with them': [
      'client_reports',
      'report_schedules',
      'scheduled_reports',
    ],
  },
}
