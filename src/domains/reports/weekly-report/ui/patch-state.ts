import type { ResponseOf } from '#contract/endpoint.ts'
import type { CurrentUserDto } from '#domains/access/sign-in/contract.ts'
import { leadChartContract } from '#domains/reports/chart/contract.ts'
import { getQueryKey, queryClient } from '#ui/data/useApi.ts'
import { type WeeklyReportCampaign, weeklyReportContract } from '../contract.ts'
import { computeReportTotals } from '../total-calc.ts'

type CampaignState = Pick<WeeklyReportCampaign, 'is_ppc' | 'trouble_state'>
type CampaignStatePatch = Partial<CampaignState>

/** Shows a campaign's new state at once, with the totals that follow from it. Returns a function that reverts it. */
export function patchCampaignState(me: CurrentUserDto, id: number, state: CampaignStatePatch): () => void {
  const keys = [getQueryKey(weeklyReportContract.read), getQueryKey(leadChartContract.read)]
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
    queryClient.setQueriesData<ResponseOf<typeof leadChartContract.read>>(
      { queryKey: getQueryKey(leadChartContract.read) },
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
