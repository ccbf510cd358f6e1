import type { AnswerOf } from '#contract/endpoint.ts'
import type { CurrentUser } from '#domains/access/sign-in/contract.ts'
import { leadChart } from '#domains/reports/chart/contract.ts'
import { keyOf, read } from '#ui/data/useApi.ts'
import { type CountedCampaign, leadTable } from '../contract.ts'
import { totalCalc } from '../total-calc.ts'

type State = Pick<CountedCampaign, 'is_ppc' | 'trouble_state'>
export type StatePatch = Partial<State>

/** Shows a campaign's new state at once, with the totals that follow from it. What it returns takes it back. */
export function patchState(me: CurrentUser, id: number, state: StatePatch): () => void {
  const keys = [keyOf(leadTable.read), keyOf(leadChart.read)]
  // An answer on its way was read before the change, and would hide it.
  for (const queryKey of keys) void read.cancelQueries({ queryKey })
  let old: StatePatch = {}
  const write = (next: (campaign: StatePatch) => StatePatch) => {
    read.setQueriesData<AnswerOf<typeof leadTable.read>>({ queryKey: keyOf(leadTable.read) }, (table) => {
      if (!table) return table
      const campaigns = table.campaigns.map((one) => (one.id === id ? { ...one, ...next(one) } : one))
      return { ...table, campaigns, total_calc: totalCalc(campaigns, me.isAdmin) }
    })
    read.setQueriesData<AnswerOf<typeof leadChart.read>>({ queryKey: keyOf(leadChart.read) }, (chart) => {
      if (chart?.campaign?.id !== id) return chart
      const { is_ppc = chart.campaign.is_ppc } = next(chart.campaign)
      return { ...chart, campaign: { ...chart.campaign, is_ppc } }
    })
  }
  write((campaign) => {
    old = Object.fromEntries(Object.keys(state).map((name) => [name, campaign[name as keyof State]]))
    return state
  })
  return () => write(() => old)
}
