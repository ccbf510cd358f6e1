import { useCurrentUser } from '#domains/access/ui/public.ts'
import { useApi } from '#ui/data/useApi.ts'
import { type ForecastScoreAnswer, insightsContract } from '../contract.ts'

/**
 * Whether forecasts are shown: to those who may read targets, unless here they have been no better than the run rate. Where no cycle
 * has ended yet they are shown, and it says that nothing is known. `isShown` is false until that is decided.
 */
export function useForecastTrust(): { isShown: boolean; score: ForecastScoreAnswer | undefined } {
  const me = useCurrentUser()
  const isAllowed = me !== null && me !== undefined && insightsContract.score.allow(me)
  const { data: score } = useApi(insightsContract.score, undefined, { enabled: isAllowed, quiet: true })
  return { isShown: score !== undefined && (score.cases === 0 || score.beats_run_rate), score }
}
