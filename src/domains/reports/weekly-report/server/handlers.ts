import { getToday } from '#contract/days.ts'
import { writeAudit } from '#core/audit/write-audit.ts'
import { byteOrderMark, formatCsvLines } from '#core/csv/csv.ts'
import { readFromReplica } from '#core/db/replica-query.ts'
import { type EndpointCall, implementContract } from '#domains/app-context.ts'
import { readBriefForecasts } from '#domains/insights/public.ts'
import { weeklyReportContract } from '../contract.ts'
import { buildWeeklyReportCsv } from './csv-lines.ts'
import { readWeeklyReport } from './queries.ts'

export const weeklyReportHandlers = implementContract(weeklyReportContract, {
  // Reads from the primary: a user who has just changed a status or a switch expects to see it.
  read: ({ db, me, context, query }) =>
    readWeeklyReport(db, toReportContext({ me, context }), query, (campaigns) =>
      readBriefForecasts(context, campaigns),
    ),

  csv: async ({ db, me, context, body, actor, reply }) => {
    const report = await readFromReplica(context, (there) =>
      readWeeklyReport(there, toReportContext({ me, context }), body, (campaigns) =>
        readBriefForecasts(context, campaigns),
      ),
    )
    const after = { of: 'lead table', rows: report.campaigns.length }
    await db.transaction((tx) => writeAudit(tx, actor, { kind: 'export', rowId: me.id, before: null, after }))
    reply
      .headers({
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': `attachment; filename="${weeklyReportContract.csv.file}"`,
      })
      .send(byteOrderMark + formatCsvLines(buildWeeklyReportCsv(me, report)))
  },
})

const toReportContext = ({ me, context }: Pick<EndpointCall<typeof weeklyReportContract.read>, 'me' | 'context'>) => {
  const zone = context.settings.AGENCY_TIMEZONE
  return { me, zone, today: getToday(zone) }
}
