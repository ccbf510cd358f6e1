import { IconChartBar } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { CurrentUserDto } from '#domains/access/sign-in/contract.ts'
import { formatChance, getHealthLabel, isStatusContradicted } from '#domains/insights/labels.ts'
import { ForecastPopover, WhyButton } from '#domains/insights/ui/public.ts'
import { clippedTextCell, countCell, formatPercent, nameCell, renderBadge, textCell } from '#ui/cells/cells.tsx'
import { RecordLink } from '#ui/cells/RecordLink.tsx'
import arrange from '#ui/layout/arrange.module.css'
import type { WeeklyReportCampaign, WeeklyReportSort, WeeklyReportTotals } from '../contract.ts'
import { PpcCell, StatusCell } from './StateCells.tsx'
import classes from './WeeklyReport.module.css'

export type FixedColumn = {
  title: string
  sort: WeeklyReportSort
  width: number
  align?: 'end'
  cell: (campaign: WeeklyReportCampaign) => ReactNode
  /** Shown in the row of totals. */
  total: (all: WeeklyReportTotals) => ReactNode
}
type FixedColumnDefinition = FixedColumn & { forAdmins?: true }

/** Returns the columns that stay while the weeks are scrolled. The client, the target and the run rate are for admins. */
export function buildFixedColumns(me: CurrentUserDto, withForecasts: boolean): FixedColumn[] {
  const columns: FixedColumnDefinition[] = [
    { title: 'Campaign', sort: 'campaign', width: 176, cell: CampaignNameCell, total: () => 'Totals' },
    {
      title: 'Client',
      sort: 'client',
      width: 108,
      forAdmins: true,
      cell: ({ client }) => (
        <RecordLink kind="client" id={client?.id}>
          {clippedTextCell(client?.name)}
        </RecordLink>
      ),
      total: ({ unique_clients_count: clients }) => formatCount(clients, 'client'),
    },
    {
      title: 'PPC',
      sort: 'ppc',
      width: 58,
      cell: (campaign) => <PpcCell me={me} campaign={campaign} />,
      total: (all) => <CountWithShare number={all.ppc_count} percentage={all.ppc_percentage} />,
    },
    {
      title: 'Status',
      sort: 'trouble_state',
      width: 118,
      cell: (campaign) => <StateCell me={me} campaign={campaign} withForecasts={withForecasts} />,
      total: () => null,
    },
    {
      title: 'Target',
      sort: 'target',
      width: 64,
      align: 'end',
      forAdmins: true,
      cell: ({ leads_target }) => countCell(leads_target),
      total: ({ target_average }) => <span title="Average">{textCell(target_average)}</span>,
    },
    {
      title: 'Verif.',
      sort: 'verified',
      width: 60,
      align: 'end',
      cell: ({ current_leads }) => countCell(current_leads),
      total: ({ verified_leads_count }) => countCell(verified_leads_count),
    },
    {
      title: 'Miss.',
      sort: 'missed',
      width: 58,
      align: 'end',
      cell: ({ missed_leads }) => countCell(missed_leads),
      total: ({ missed_leads_count }) => countCell(missed_leads_count),
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
      cell: RunRateCell,
      total: ({ run_rate_average }) => <span title="Average">{textCell(formatRunRate(run_rate_average))}</span>,
    },
    { title: 'Chance', sort: 'chance', width: 120, forAdmins: true, cell: ChanceCell, total: () => null },
  ]
  return columns.filter(({ forAdmins, sort }) => (me.isAdmin || !forAdmins) && (withForecasts || sort !== 'chance'))
}

function CampaignNameCell({ id, name, archived }: WeeklyReportCampaign) {
  return (
    <span className={classes.name}>
      <span className={classes.campaignLink}>
        <RecordLink kind="campaign" id={id}>
          {nameCell(name)}
        </RecordLink>
      </span>
      <Link
        to="/leads/chart"
        search={{ campaign_id: id }}
        aria-label={`Chart of ${name}`}
        title="Chart"
        className={classes.chartLink}
        data-unprinted
      >
        <IconChartBar size={14} aria-hidden="true" />
      </Link>
      {archived === 1 && renderBadge('neutral', 'Archived')}
    </span>
  )
}

type StateCellProps = { me: CurrentUserDto; campaign: WeeklyReportCampaign; withForecasts: boolean }

/** Shows the status set by staff, and under it the health, whose details are in the popover of the chance; without forecasts, a run rate below the target. */
function StateCell({ me, campaign, withForecasts }: StateCellProps) {
  const { health, trouble_state } = campaign
  if (withForecasts && health && health !== 'unknown')
    return (
      <span className={`${arrange.column} ${classes.state}`} data-behind>
        <StatusCell me={me} campaign={campaign} />
        <span className={classes.health}>
          <span data-health={health}>{getHealthLabel(health)}</span>
          {isStatusContradicted(trouble_state, health) && <span className={classes.differs}> differs</span>}
        </span>
      </span>
    )
  const behind = isBehindTarget(campaign)
  return (
    <span className={`${arrange.column} ${classes.state}`} data-behind={behind || undefined}>
      <StatusCell me={me} campaign={campaign} />
      {behind && (
        <span className={classes.behind} data-low={isRunRateLow(campaign) || undefined}>
          Behind target
        </span>
      )}
    </span>
  )
}

/** Shows the chance above how much of the target is reached. Its range and its basis are one press away, and why a campaign is behind. */
function ChanceCell(campaign: WeeklyReportCampaign) {
  const { forecast, health = 'unknown', name } = campaign
  if (!forecast || forecast.chance === null) return null
  const { chance, low, high } = forecast
  return (
    <span className={classes.outlook}>
      <ForecastPopover
        campaign={campaign}
        chance={chance}
        health={health}
        label={`Chance of ${name}: ${formatChance(chance)}, ${low} to ${high} leads`}
        className={classes.chance}
      >
        <span data-health={health}>{formatChance(chance)}</span>
      </ForecastPopover>
      {health === 'behind' && <WhyButton campaign={campaign} isLink />}
      <TargetBar campaign={campaign} />
    </span>
  )
}

function TargetBar({ campaign }: { campaign: WeeklyReportCampaign }) {
  const { current_leads, leads_target, health } = campaign
  if (!leads_target) return null
  const label = `${current_leads} of ${leads_target} verified`
  const width = `${Math.min(100, (100 * current_leads) / leads_target)}%`
  return (
    <span className={classes.bar} role="img" aria-label={label} title={label} data-health={health} data-printed-colors>
      <span style={{ width }} />
    </span>
  )
}

const runRateWarningDays = 22
type RunRate = Pick<WeeklyReportCampaign, 'leads_target' | 'run_rate' | 'days_left'>
const isBehindTarget = ({ leads_target, run_rate }: RunRate) => Boolean(leads_target) && (run_rate ?? 1) < 1
const isRunRateLow = (campaign: RunRate) => isBehindTarget(campaign) && campaign.days_left <= runRateWarningDays

/** Blank without a target. Red while there is still a cycle to lose, and bold, because color alone is not enough. */
export function RunRateCell(campaign: RunRate) {
  const { leads_target, run_rate } = campaign
  if (!leads_target || run_rate === null || run_rate === undefined) return null
  const isLow = isRunRateLow(campaign)
  return (
    <span data-low={isLow || undefined} className={classes.rate} title={isLow ? 'Below the target' : undefined}>
      {formatRunRate(run_rate)}
    </span>
  )
}

const formatRunRate = (value: number | null | undefined) => value?.toFixed(2)
const formatCount = (number: number | undefined, what: string) => `${number} ${what}${number === 1 ? '' : 's'}`

function CountWithShare({ number, percentage }: { number: number; percentage: number | null }) {
  return (
    <>
      {number}
      {percentage !== null && <small className={classes.share}>{formatPercent(percentage)}</small>}
    </>
  )
}
