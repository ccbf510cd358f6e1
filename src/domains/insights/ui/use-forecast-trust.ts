import { useCurrentUser } from '#domains/access/ui/public.ts'
import { useApi } from '#ui/data/useApi.ts'
import { type ForecastScoreAnswer, insightsContract } from '../contract.ts'

/**
 * Whether forecasts are shown: to those who may read targets, unless here they have been no better than the run rate. Where no cycle
 * has ended yet they are shown, and it says that nothing is known; so they are until the score is read, so that no column comes late.
 */
export function useForecastTrust(): { isShown: boolean; score: ForecastScoreAnswer | undefined } {
  const me = useCurrentUser()
  const isAllowed = me !== null && me !== undefined && insightsContract.score.allow(me)
  const { data: score, error } = useApi(insightsContract.score, undefined, { enabled: isAllowed, quiet: true })
  const isGood = score === undefined ? !error : score.cases === 0 || score.beats_run_rate
  return { isShown: isAllowed && isGood, score }
}
