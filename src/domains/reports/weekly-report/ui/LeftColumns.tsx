import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { CurrentUser } from '#domains/access/sign-in/contract.ts'
import { badge, clipped, count, shownPercent, text } from '#ui/cells/cells.tsx'
import type { CountedCampaign, TableSort, TotalCalc } from '../contract.ts'
import { PpcSwitch, StatusSelect } from './StateCells.tsx'
import classes from './WeeklyReport.module.css'

export type LeftColumn = {
  title: string
  sort: TableSort
  width: number
  align?: 'end'
  cell: (campaign: CountedCampaign) => ReactNode
  /** In the row of totals. */
  total: (all: TotalCalc) => ReactNode
}
type Column = LeftColumn & { forAdmins?: true }

/** What stands still while the weeks are scrolled. The client, the target and the run rate are for admins. */
export function leftColumnsFor(me: CurrentUser): LeftColumn[] {
  const columns: Column[] = [
    { title: 'Campaign', sort: 'campaign', width: 160, cell: Name, total: () => 'Totals' },
    {
      title: 'Client',
      sort: 'client',
      width: 108,
      forAdmins: true,
      cell: ({ client }) => clipped(client?.name),
      total: ({ unique_clients_count: clients }) => counted(clients, 'client'),
    },
    {
      title: 'PPC',
      sort: 'ppc',
      width: 58,
      cell: (campaign) => <PpcSwitch me={me} campaign={campaign} />,
      total: (all) => <Share number={all.ppc_count} percentage={all.ppc_percentage} />,
    },
    {
      title: 'Status',
      sort: 'trouble_state',
      width: 118,
      cell: (campaign) => <StatusSelect me={me} campaign={campaign} />,
      total: () => null,
    },
    {
      title: 'Target',
      sort: 'target',
      width: 64,
      align: 'end',
      forAdmins: true,
      cell: ({ leads_target }) => count(leads_target),
      total: ({ target_average }) => <span title="Average">{text(target_average)}</span>,
    },
    {
      title: 'Verif.',
      sort: 'verified',
      width: 60,
      align: 'end',
      cell: ({ current_leads }) => count(current_leads),
      total: ({ verified_leads_count }) => count(verified_leads_count),
    },
    {
      title: 'Miss.',
      sort: 'missed',
      width: 58,
      align: 'end',
      cell: ({ missed_leads }) => count(missed_leads),
      total: ({ missed_leads_count }) => count(missed_leads_count),
    },
    {
      title: 'Days Left',
      sort: 'days_left',
      width: 54,
      align: 'end',
      cell: ({ days_left }) => days_left,
      total: () => null,
    },
    {
      title: 'Run Rate',
      sort: 'run_date',
      width: 56,
      align: 'end',
      forAdmins: true,
      cell: RunRate,
      total: ({ run_rate_average }) => <span title="Average">{text(rate(run_rate_average))}</span>,
    },
  ]
  return columns.filter(({ forAdmins }) => me.isAdmin || !forAdmins)
}

function Name({ id, name, archived }: CountedCampaign) {
  return (
    <span className={classes.name}>
      <Link to="/leads/chart" search={{ campaign_id: id }} title={name} className={classes.chartLink}>
        {name}
      </Link>
      {archived === 1 && badge('neutral', 'Archived')}
    </span>
  )
}

const warnedDays = 22

/** Blank without a target. Red while there is still a cycle to lose, in bold, because colour never speaks alone. */
export function RunRate({
  leads_target,
  run_rate,
  days_left,
}: Pick<CountedCampaign, 'leads_target' | 'run_rate' | 'days_left'>) {
  if (!leads_target || run_rate === null || run_rate === undefined) return null
  const isLow = run_rate < 1 && days_left <= warnedDays
  return (
    <span data-low={isLow || undefined} className={classes.rate} title={isLow ? 'Below the target' : undefined}>
      {rate(run_rate)}
    </span>
  )
}

const rate = (value: number | null | undefined) => value?.toFixed(2)
const counted = (number: number | undefined, what: string) => `${number} ${what}${number === 1 ? '' : 's'}`

function Share({ number, percentage }: { number: number; percentage: number | null }) {
  return (
    <>
      {number}
      {percentage !== null && <small className={classes.share}>{shownPercent(percentage)}</small>}
    </>
  )
}
