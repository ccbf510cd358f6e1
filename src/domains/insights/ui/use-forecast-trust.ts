import { useCurrentUser } from '#domains/access/ui/public.ts'
import { useApi } from '#ui/data/useApi.ts'
import { type ForecastScoreAnswer, insightsContract } from '../contract.ts'

/**
 * Returns whether forecasts are shown: to users who may read targets, unless past forecasts were no better than the run
 * rate. They are also shown without a track record, which the score says, and while the score loads, so that no column
 * appears late.
 */
export function useForecastTrust(): { isShown: boolean; score: ForecastScoreAnswer | undefined } {
  const me = useCurrentUser()
  const isAllowed = me !== null && me !== undefined && insightsContract.score.allow(me)
  const { data: score, error } = useApi(insightsContract.score, undefined, { enabled: isAllowed, quiet: true })
  const isGood = score === undefined ? !error : score.cases === 0 || score.beats_run_rate
  return { isShown: isAllowed && isGood, score }
}
