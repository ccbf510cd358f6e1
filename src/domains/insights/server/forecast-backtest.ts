import { type CalendarDay, clampDayOfMonth, daysBetween } from '#contract/days.ts'
import { endOfZonedDay } from '#core/time/local-time.ts'
import type { AgencyFacts, CampaignFact } from './facts.ts'
import { calendarDay, createDayReader, dayNumber, type ForecastHistory } from './forecast-facts.ts'
import { fitAgencyModel, forecastCampaign } from './forecast-model.ts'
import { roundTo } from './rounding.ts'
import type { BacktestRange } from './silence-backtest.ts'

/** The days of a cycle after which a forecast is made. */
const forecastDays = [5, 10, 15, 20, 25]

type BacktestForecast = {
  campaign: number
  as_of: string
  chance: number | null
  expected: number
  low: number
  high: number
  run_rate: number | null
  verified_then: number
  outcome: number
}
type ForecastScore = {
  calibration_error: number | null
  brier: number | null
  brier_run_rate: number | null
  brier_base_rate: number | null
}
export type ForecastBacktest = { forecasts: BacktestForecast[] } & ForecastScore
/** A forecast with its outcome, for scoring. */
export type ScoredForecast = { chance: number; hit: boolean; runRate: number }

/**
 * Forecasts every whole cycle in the range on its days 5 to 25, using only what was known then, and scores the
 * forecasts by the outcome.
 */
export function backtestForecast(facts: AgencyFacts, range: BacktestRange): ForecastBacktest {
  const forecasts: BacktestForecast[] = []
  const scored: ScoredForecast[] = []
  for (const instant of replayForecasts(facts.campaigns, readForecastHistories(facts, range.timeZone), range))
    for (const one of instant) {
      forecasts.push(one.forecast)
      if (one.scored) scored.push(one.scored)
    }
  forecasts.sort((a, b) => a.campaign - b.campaign || a.as_of.localeCompare(b.as_of))
  return { forecasts, ...scoreForecasts(scored) }
}

type ReplayedForecast = { forecast: BacktestForecast; scored: ScoredForecast | null }

/** Yields the forecasts of one instant at a time, so that the agency model is fitted once for each. */
export function* replayForecasts(
  campaigns: readonly CampaignFact[],
  histories: ReadonlyMap<number, ForecastHistory>,
  range: BacktestRange,
): Generator<ReplayedForecast[]> {
  const questions = campaigns.flatMap((campaign) => listQuestions(campaign, range))
  for (const [day, questionsOfDay] of [...Map.groupBy(questions, ({ day }) => day)].sort(([a], [b]) =>
    a.localeCompare(b),
  )) {
    const asOf = endOfZonedDay(day, range.timeZone).getTime()
    const today = dayNumber(day) + 1
    const model = fitAgencyModel([...histories.values()], asOf, today)
    yield questionsOfDay.map(({ campaign: { id, target }, from, next }) => {
      const history = histories.get(id)!
      const [cycleFrom, cycleTo] = [dayNumber(from), dayNumber(next)]
      const predicted = forecastCampaign(model, history, { asOf, today, todayGone: 0, cycleFrom, cycleTo, target })
      const outcome = history.leads.filter(
        (lead) => lead.day >= cycleFrom && lead.day < cycleTo && lead.verifiedAt !== null,
      ).length
      const runRate = target
        ? computeRunRate(predicted.verified, daysBetween(from, day) + 1, cycleTo - cycleFrom, target)
        : null
      const chance = predicted.chance === null ? null : roundTo(predicted.chance, 4)
      return {
        forecast: {
          campaign: id,
          as_of: new Date(asOf).toISOString(),
          chance,
          expected: roundTo(predicted.expected, 2),
          low: predicted.low,
          high: predicted.high,
          run_rate: runRate,
          verified_then: predicted.verified,
          outcome,
        },
        // Scores the rounded chance, because that is what the screens show.
        scored: chance !== null && runRate !== null && target ? { chance, hit: outcome >= target, runRate } : null,
      }
    })
  }
}

/**
 * Projects a cycle's verified leads at today's pace against its target; two decimals, as in the leads table. A single
 * division of whole numbers, so that halves round up as they do there.
 */
export const computeRunRate = (verified: number, daysGone: number, cycleDays: number, target: number): number =>
  Math.round((100 * verified * cycleDays) / (daysGone * target)) / 100

/** Compares chances and outcomes in ten equal bins, and computes Brier scores with those of the run rate and the base rate. */
export function scoreForecasts(scored: readonly ScoredForecast[]): ForecastScore {
  if (scored.length === 0) return { calibration_error: null, brier: null, brier_run_rate: null, brier_base_rate: null }
  const mean = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0) / values.length
  const base = mean(scored.map(({ hit }) => Number(hit)))
  const squaredMiss = (chanceOf: (one: ScoredForecast) => number) =>
    roundTo(mean(scored.map((one) => (chanceOf(one) - Number(one.hit)) ** 2)), 4)
  const bins = Map.groupBy(scored, ({ chance }) => Math.min(9, Math.floor(chance * 10)))
  const misses = [...bins.values()].map(
    (bin) => bin.length * Math.abs(mean(bin.map(({ chance }) => chance)) - mean(bin.map(({ hit }) => Number(hit)))),
  )
  return {
    calibration_error: roundTo(misses.reduce((sum, one) => sum + one, 0) / scored.length, 4),
    brier: squaredMiss(({ chance }) => chance),
    brier_run_rate: squaredMiss(({ runRate }) => Number(runRate >= 1)),
    brier_base_rate: squaredMiss(() => base),
  }
}

/**
 * Returns each campaign's leads with the agency's days. Verdicts keep their instants, because a model only uses those
 * up to its own instant.
 */
function readForecastHistories(facts: AgencyFacts, timeZone: string): Map<number, ForecastHistory> {
  const leads = Map.groupBy(facts.leads, ({ campaign }) => campaign)
  const dayOf = createDayReader(timeZone)
  return new Map(
    facts.campaigns.map(({ id, category, start_date }) => [
      id,
      {
        id,
        category,
        startDay: start_date === null ? null : dayNumber(start_date),
        leads: (leads.get(id) ?? []).map((lead) => {
          const at = Date.parse(lead.at)
          return {
            at,
            day: dayOf(at),
            type: lead.type,
            verifiedAt: lead.verified_at === null ? null : Date.parse(lead.verified_at),
            judgedAt:
              lead.judged_at === undefined || lead.judged_at === null ? lead.judged_at : Date.parse(lead.judged_at),
          }
        }),
      },
    ]),
  )
}

/** Lists the whole cycles in the range that did not start before their campaign, with each forecast day. */
function listQuestions(campaign: CampaignFact, { from, to }: BacktestRange) {
  const questions: { campaign: CampaignFact; day: CalendarDay; from: CalendarDay; next: CalendarDay }[] = []
  const [year = 0, month = 1] = from.split('-').map(Number)
  for (let step = 0; ; step++) {
    const first = clampDayOfMonth(year, month + step, campaign.due_date)
    const next = clampDayOfMonth(year, month + step + 1, campaign.due_date)
    if (calendarDay(dayNumber(next) - 1) > to) return questions
    if (first < from || (campaign.start_date !== null && first < campaign.start_date)) continue
    for (const number of forecastDays) {
      const day = calendarDay(dayNumber(first) + number - 1)
      if (day < next) questions.push({ campaign, day, from: first, next })
    }
  }
}
