import { useRef } from 'react'
import type { ResponseOf } from '#contract/endpoint.ts'
import type { CurrentUserDto } from '#domains/access/sign-in/contract.ts'
import { getTroubleStateLabel, type TroubleState, troubleStates } from '#domains/campaigns/labels.ts'
import { campaignStatesContract } from '#domains/campaigns/state/contract.ts'
import { leadChartContract } from '#domains/reports/chart/contract.ts'
import { CellSwitch } from '#ui/cells/CellSwitch.tsx'
import type { CallInput } from '#ui/data/api.ts'
import { useAction } from '#ui/data/useAction.ts'
import { getQueryKey, queryClient } from '#ui/data/useApi.ts'
import { type WeeklyReportCampaign, weeklyReportContract } from '../contract.ts'
import { computeReportTotals } from '../total-calc.ts'
import classes from './WeeklyReport.module.css'

type StateCellProps<Field extends string, Value> = {
  me: CurrentUserDto
  campaign: { id: number; name: string } & Record<Field, Value>
}

/** Whether the campaign has paid search. Plain text for users who may not change it. */
export function PpcSwitch({ me, campaign }: StateCellProps<'is_ppc', 0 | 1>) {
  const optimistic = ({ params, body }: CallInput<typeof togglePpcEndpoint>) =>
    patchCampaignState(me, params.id, { is_ppc: body?.is_ppc ? 1 : 0 })
  const back = useAction(togglePpcEndpoint, { optimistic })
  const { run } = useAction(togglePpcEndpoint, {
    optimistic,
    undo: ({ params, body }) => void back.run({ params, body: { is_ppc: body?.is_ppc ? 0 : 1 } }),
  })
  if (!togglePpcEndpoint.allow(me)) return campaign.is_ppc ? 'Yes' : 'No'
  return (
    <CellSwitch
      label={`PPC of ${campaign.name}`}
      on={campaign.is_ppc === 1}
      set={(on) => void run({ params: { id: campaign.id }, body: { is_ppc: on ? 1 : 0 } })}
    />
  )
}

/** How the campaign is doing. */
export function StatusSelect({ me, campaign }: StateCellProps<'trouble_state', number>) {
  const before = useRef(campaign.trouble_state)
  const optimistic = ({ params, body }: CallInput<typeof updateStatusEndpoint>) =>
    patchCampaignState(me, params.id, body)
  const back = useAction(updateStatusEndpoint, { optimistic })
  const { run } = useAction(updateStatusEndpoint, {
    optimistic,
    undo: ({ params }) => void back.run({ params, body: { trouble_state: before.current as TroubleState } }), // it was one of them
  })
  if (!updateStatusEndpoint.allow(me)) return getTroubleStateLabel(campaign.trouble_state)
  return (
    <select
      className={classes.status}
      aria-label={`Status of ${campaign.name}`}
      value={campaign.trouble_state}
      onChange={(event) => {
        const chosen = troubleStates[event.currentTarget.selectedIndex]
        before.current = campaign.trouble_state
        if (chosen) void run({ params: { id: campaign.id }, body: { trouble_state: chosen.value } })
      }}
    >
      {troubleStates.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  )
}

const updateStatusEndpoint = campaignStatesContract.updateTroubleState
const togglePpcEndpoint = campaignStatesContract.togglePpc

type CampaignState = Pick<WeeklyReportCampaign, 'is_ppc' | 'trouble_state'>
type CampaignStatePatch = Partial<CampaignState>

/** Shows a campaign's new state at once, with the totals that follow from it. Returns a function that reverts it. */
function patchCampaignState(me: CurrentUserDto, id: number, state: CampaignStatePatch): () => void {
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
