import { getToday } from '#contract/days.ts'
import { writeAudit } from '#core/audit/write-audit.ts'
import { byteOrderMark, type CsvCell, formatCsvLines } from '#core/csv/csv.ts'
import { readFromReplica } from '#core/db/replica-query.ts'
import type { CurrentUser } from '#domains/access/public.ts'
import { type EndpointCall, implementContract } from '#domains/app-context.ts'
import { getTroubleStateLabel } from '#domains/campaigns/labels.ts'
import { getHealthLabel } from '#domains/insights/labels.ts'
import { readBriefForecasts, readReliability } from '#domains/insights/public.ts'
import { type WeeklyReport, type WeeklyReportCampaign, weeklyReportContract } from '../contract.ts'
import { formatMonthTitle } from '../labels.ts'
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
    const reliability = me.isAdmin ? await readReliability(context, me.campaignIds) : null
    const withForecasts = reliability?.beats_run_rate ?? true // without a track record too, as on the screen
    const after = { of: 'lead table', rows: report.campaigns.length }
    await db.transaction((tx) => writeAudit(tx, actor, { kind: 'export', rowId: me.id, before: null, after }))
    reply
      .headers({
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': `attachment; filename="${weeklyReportContract.csv.file}"`,
      })
      .send(byteOrderMark + formatCsvLines(buildWeeklyReportCsv(me, report, withForecasts)))
  },
})

const toReportContext = ({ me, context }: Pick<EndpointCall<typeof weeklyReportContract.read>, 'me' | 'context'>) => {
  const zone = context.settings.AGENCY_TIMEZONE
  return { me, zone, today: getToday(zone) }
}

type MonthCounts = WeeklyReport['campaigns'][number]['leads']

/** Returns the table as shown. A cell's two numbers are in two columns: a spreadsheet would read `3 / 2` as a date. */
function buildWeeklyReportCsv(
  me: CurrentUser,
  { campaigns, totals, total_calc: all }: WeeklyReport,
  withForecasts: boolean,
): CsvCell[][] {
  const left = fixedCsvColumns.filter(
    ({ forAdmins, ofForecast }) => (me.isAdmin || !forAdmins) && (withForecasts || !ofForecast),
  )
  const heads = totals.flatMap((month) =>
    ['Total', ...month.weeks.map((_, week) => `w${week + 1}`)].flatMap((part) =>
      ['Confirmed', 'Missed'].map((what) => `${formatMonthTitle(month)} ${part} ${what}`),
    ),
  )
  return [
    [...left.map(({ title }) => title), ...heads],
    ...campaigns.map((campaign) => [...left.map(({ cell }) => cell(campaign)), ...flattenCounts(campaign.leads)]),
    [...left.map(({ total }) => total?.(all, campaigns.length)), ...flattenCounts(totals)],
  ]
}

type CsvColumn = {
  title: string
  forAdmins?: true
  ofForecast?: true
  cell: (campaign: WeeklyReportCampaign) => CsvCell
  total?: (all: WeeklyReport['total_calc'], campaigns: number) => CsvCell
}
const fixedCsvColumns: readonly CsvColumn[] = [
  { title: 'Campaign', cell: ({ name }) => name, total: (_, campaigns) => `Total Campaigns: ${campaigns}` },
  { title: 'Client', forAdmins: true, cell: ({ client }) => client?.name, total: (all) => all.unique_clients_count },
  { title: 'PPC', cell: ({ is_ppc }) => (is_ppc ? 'Yes' : 'No'), total: (all) => all.ppc_count },
  { title: 'Status', cell: ({ trouble_state }) => getTroubleStateLabel(trouble_state) },
  { title: 'Target', forAdmins: true, cell: (row) => row.leads_target, total: (all) => all.target_average },
  { title: 'Verif.', cell: (row) => row.current_leads, total: (all) => all.verified_leads_count },
  { title: 'Miss.', cell: (row) => row.missed_leads, total: (all) => all.missed_leads_count },
  { title: 'Days Left', cell: (row) => row.days_left },
  { title: 'Run Rate', forAdmins: true, cell: (row) => row.run_rate, total: (all) => all.run_rate_average },
  { title: 'Chance', forAdmins: true, ofForecast: true, cell: (row) => row.forecast?.chance },
  { title: 'Health', forAdmins: true, ofForecast: true, cell: ({ health }) => health && getHealthLabel(health) },
]

const flattenCounts = (months: MonthCounts): CsvCell[] =>
  months.flatMap((month) => [month, ...month.weeks].flatMap(({ confirmed, missed }) => [confirmed, missed]))
