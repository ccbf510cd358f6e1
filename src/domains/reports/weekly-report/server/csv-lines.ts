import type { CsvCell } from '#core/csv/csv.ts'
import type { CurrentUser } from '#domains/access/public.ts'
import { getTroubleStateLabel } from '#domains/campaigns/labels.ts'
import { getHealthLabel } from '#domains/insights/labels.ts'
import type { WeeklyReport, WeeklyReportCampaign } from '../contract.ts'
import { formatMonthTitle } from '../labels.ts'

type MonthCounts = WeeklyReport['campaigns'][number]['leads']

/** Returns the table as shown. A cell's two numbers are in two columns: a spreadsheet would read `3 / 2` as a date. */
export function buildWeeklyReportCsv(
  me: CurrentUser,
  { campaigns, totals, total_calc: all }: WeeklyReport,
): CsvCell[][] {
  const left = fixedCsvColumns.filter(({ forAdmins }) => me.isAdmin || !forAdmins)
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
  { title: 'Chance', forAdmins: true, cell: (row) => row.forecast?.chance },
  { title: 'Health', forAdmins: true, cell: ({ health }) => health && getHealthLabel(health) },
]

const flattenCounts = (months: MonthCounts): CsvCell[] =>
  months.flatMap((month) => [month, ...month.weeks].flatMap(({ confirmed, missed }) => [confirmed, missed]))
