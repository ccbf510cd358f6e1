import type { ResponseOf } from '#contract/endpoint.ts'
import type { CurrentUserDto } from '#domains/access/sign-in/contract.ts'
import { type CampaignState, PpcSwitch, StatusSelect } from '#domains/campaigns/ui/public.ts'
import { leadChartContract } from '#domains/reports/chart/contract.ts'
import { getQueryKey, queryClient } from '#ui/data/useApi.ts'
import { weeklyReportContract } from '../contract.ts'
import { computeReportTotals } from '../total-calc.ts'
import classes from './WeeklyReport.module.css'

type StateCellProps<Field extends keyof CampaignState> = {
  me: CurrentUserDto
  campaign: { id: number; name: string } & Pick<CampaignState, Field>
}

export const PpcCell = ({ me, campaign }: StateCellProps<'is_ppc'>) => (
  <PpcSwitch me={me} campaign={campaign} patch={(id, state) => patchCampaignState(me, id, state)} />
)

export const StatusCell = ({ me, campaign }: StateCellProps<'trouble_state'>) => (
  <StatusSelect
    me={me}
    campaign={campaign}
    patch={(id, state) => patchCampaignState(me, id, state)}
    className={classes.status}
  />
)

type CampaignStatePatch = Partial<CampaignState>

/** Shows a campaign's new state at once, with the totals that follow from it. Returns a function that reverts it. */
function patchCampaignState(me: CurrentUserDto, id: number, state: CampaignStatePatch): () => void {
  const keys = [getQueryKey(weeklyReportContract.read), getQueryKey(leadChartContract.usual)]
  // A pending response was read before the change, and would hide it.
  for (const queryKey of keys) void queryClient.cancelQueries({ queryKey })
  let old: CampaignStatePatch = {}
  const write = (next: (campaign: CampaignStatePatch) => CampaignStatePatch) => {
    queryClient.setQueriesData<ResponseOf<typeof weeklyReportContract.read>>(
      { queryKey: getQueryKey(weeklyReportContract.read) },
      (report) => {
        if (!report) return report
        const campaigns = report.campaigns.map((one) => (one.id === id ? { ...one, ...next(one) } : one))
        return { ...report, campaigns, total_calc: computeReportTotals(campaigns, me.isAdmin) }
      },
    )
    queryClient.setQueriesData<ResponseOf<typeof leadChartContract.usual>>(
      { queryKey: getQueryKey(leadChartContract.usual) },
      (chart) => {
        if (chart?.campaign?.id !== id) return chart
        const { is_ppc = chart.campaign.is_ppc } = next(chart.campaign)
        return { ...chart, campaign: { ...chart.campaign, is_ppc } }
      },
    )
  }
  write((campaign) => {
    old = Object.fromEntries(Object.keys(state).map((name) => [name, campaign[name as keyof CampaignState]]))
    return state
  })
  return () => write(() => old)
}
