import type { Cell } from '#core/csv/csv.ts'
import type { Me } from '#domains/access/server/current-user.ts'
import { troubleStateTitle } from '#domains/campaigns/labels.ts'
import type { CountedByWeek, CountedCampaign } from '../contract.ts'
import { monthTitle } from '../labels.ts'

type Row = CountedByWeek['campaigns'][number]['leads']

/** What is on the screen. A cell's two numbers stand in two columns: a spreadsheet would take `3 / 2` for a date. */
export function tableLines(me: Me, { campaigns, totals, total_calc: all }: CountedByWeek): Cell[][] {
  const left = leftColumns.filter(({ forAdmins }) => me.isAdmin || !forAdmins)
  const heads = totals.flatMap((month) =>
    ['Total', ...month.weeks.map((_, week) => `w${week + 1}`)].flatMap((part) =>
      ['Confirmed', 'Missed'].map((what) => `${monthTitle(month)} ${part} ${what}`),
    ),
  )
  return [
    [...left.map(({ title }) => title), ...heads],
    ...campaigns.map((campaign) => [...left.map(({ cell }) => cell(campaign)), ...numbers(campaign.leads)]),
    [...left.map(({ total }) => total?.(all, campaigns.length)), ...numbers(totals)],
  ]
}

type Column = {
  title: string
  forAdmins?: true
  cell: (campaign: CountedCampaign) => Cell
  total?: (all: CountedByWeek['total_calc'], campaigns: number) => Cell
}
const leftColumns: readonly Column[] = [
  { title: 'Campaign', cell: ({ name }) => name, total: (_, campaigns) => `Total Campaigns: ${campaigns}` },
  { title: 'Client', forAdmins: true, cell: ({ client }) => client?.name, total: (all) => all.unique_clients_count },
  { title: 'PPC', cell: ({ is_ppc }) => (is_ppc ? 'Yes' : 'No'), total: (all) => all.ppc_count },
  { title: 'Status', cell: ({ trouble_state }) => troubleStateTitle(trouble_state) },
  { title: 'Target', forAdmins: true, cell: (row) => row.leads_target, total: (all) => all.target_average },
  { title: 'Verif.', cell: (row) => row.current_leads, total: (all) => all.verified_leads_count },
  { title: 'Miss.', cell: (row) => row.missed_leads, total: (all) => all.missed_leads_count },
  { title: 'Days Left', cell: (row) => row.days_left },
  { title: 'Run Rate', forAdmins: true, cell: (row) => row.run_rate, total: (all) => all.run_rate_average },
]

const numbers = (months: Row): Cell[] =>
  months.flatMap((month) => [month, ...month.weeks].flatMap(({ confirmed, missed }) => [confirmed, missed]))
