import { addDays, type CalendarDay, getToday } from '#contract/days.ts'
import { validationError } from '#core/http/errors.ts'
import { endOfZonedDay, toWallClock } from '#core/time/local-time.ts'
import type { AppContext } from '#domains/app-context.ts'
import { computeBillingCycle } from '#domains/campaigns/public.ts'
import type { campaignsTable } from '#domains/campaigns/schema.ts'
import type { CampaignForecast, ForecastScoreAnswer } from '../contract.ts'
import { backtestForecast, readForecastHistories, scoreForecasts } from './forecast-backtest.ts'
import { dayNumber, type ForecastHistory, weekdayOf } from './forecast-facts.ts'
import { type AgencyModel, type Forecast, fitAgencyModel, forecastCampaign } from './forecast-model.ts'
import { readDerivedFacts, readRecentFacts } from './recent-facts.ts'

/**
 * When a forecast is made: an instant, the agency's day of it with the share of its leads that has come (0 to 1), and the day whose cycle
 * is meant: the end of a day is the next one's first instant, but belongs to its cycle.
 */
type ForecastMoment = { asOf: number; today: CalendarDay; todayGone: number; cycleDay: CalendarDay; isNow: boolean }

/** Throws 422 for a moment that has not come. A day stands for its end, today for now. */
export function toForecastMoment(asOf: string | undefined, timeZone: string): ForecastMoment {
  const now = Date.now()
  const today = getToday(timeZone)
  if (asOf === undefined || asOf === today) return { ...readMoment(now, timeZone), isNow: true }
  if (/^\d{4}-\d{2}-\d{2}$/.test(asOf) ? asOf > today : Date.parse(asOf) > now)
    throw validationError({ asOf: ['This is in the future'] })
  if (asOf.length > 10) return readMoment(Date.parse(asOf), timeZone)
  return {
    asOf: endOfZonedDay(asOf, timeZone).getTime(),
    today: addDays(asOf, 1),
    todayGone: 0,
    cycleDay: asOf,
    isNow: false,
  }
}

/** Leads come between eight and eight, as far as one hour is like another. */
function readMoment(at: number, timeZone: string): ForecastMoment {
  const { day, time } = toWallClock(new Date(at), timeZone)
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  const todayGone = Math.min(1, Math.max(0, (hours + minutes / 60 - 8) / 12))
  return { asOf: at, today: day, todayGone, cycleDay: day, isNow: false }
}

type CampaignRow = typeof campaignsTable.$inferSelect
/** A campaign as a forecast needs it. */
export type ForecastCampaign = { id: number; due_date: number; target: number | null }

/** Returns the forecasts of campaigns at a moment, by campaign; none for a campaign that the facts do not have. */
export async function forecastCampaigns(
  context: AppContext,
  campaigns: readonly ForecastCampaign[],
  moment: ForecastMoment,
): Promise<Map<number, Forecast>> {
  const { histories, model } = await readModel(context, moment)
  return new Map(
    campaigns.flatMap(({ id, due_date, target }) => {
      const history = histories.get(id)
      if (!history) return []
      const cycle = computeBillingCycle(due_date, moment.cycleDay)
      const question = {
        asOf: moment.asOf,
        today: dayNumber(moment.today),
        todayGone: moment.todayGone,
        cycleFrom: dayNumber(cycle.from),
        cycleTo: dayNumber(cycle.next),
        target,
      }
      return [[id, forecastCampaign(model, history, question)]]
    }),
  )
}

type FittedModel = { histories: Map<number, ForecastHistory>; model: AgencyModel }

/** What campaigns share is fitted again when facts change, or for another moment. */
async function readModel(context: AppContext, { asOf, today, isNow }: ForecastMoment): Promise<FittedModel> {
  const timeZone = context.settings.AGENCY_TIMEZONE
  const histories = await readDerivedFacts(context, 'histories', (facts) => readForecastHistories(facts, timeZone))
  const fitModel = () => fitAgencyModel([...histories.values()], asOf, dayNumber(today))
  const model = isNow ? await readDerivedFacts(context, 'model', fitModel) : fitModel()
  return { histories, model: { ...model, asOf } }
}

/** The forecast of one campaign, as it is answered. */
export async function readCampaignForecast(
  context: AppContext,
  campaign: ForecastCampaign & Pick<CampaignRow, 'schedule'>,
  moment: ForecastMoment,
  visibleIds: number[] | null,
): Promise<CampaignForecast> {
  const found = (await forecastCampaigns(context, [campaign], moment)).get(campaign.id)
  const forecast = found ?? {
    verified: 0,
    pending: 0,
    expected: 0,
    low: 0,
    high: 0,
    chance: null,
    cases: 0,
    basis: 'category' as const,
  }
  const { cycleDay } = moment
  const { next, left } = computeBillingCycle(campaign.due_date, cycleDay)
  const target = campaign.target || null
  const { cases, brier, brier_run_rate, beats_run_rate } = await readForecastScore(context, visibleIds)
  return {
    target,
    verified: forecast.verified,
    pending: forecast.pending,
    expected: round(forecast.expected, 2),
    low: forecast.low,
    high: forecast.high,
    chance: forecast.chance === null ? null : round(forecast.chance, 4),
    needed_per_working_day:
      target === null
        ? null
        : round(
            Math.max(0, target - forecast.verified) / Math.max(1, countWorkingDays(campaign.schedule, cycleDay, next)),
            2,
          ),
    days_left: left,
    cases: round(forecast.cases, 1),
    basis: forecast.basis,
    reliability: brier === null || brier_run_rate === null ? null : { cases, brier, brier_run_rate, beats_run_rate },
  }
}

function countWorkingDays(schedule: CampaignRow['schedule'], from: CalendarDay, next: CalendarDay): number {
  const working = new Set(schedule.filter(({ enabled }) => enabled).map(({ day }) => day))
  let count = 0
  for (let day = dayNumber(from); day < dayNumber(next); day++) if (working.has(weekdayOf(day))) count++
  return count
}

const scoredDays = 365

/** How often forecasts of these campaigns were right in the cycles that ended in the last 12 months; null stands for all. */
export async function readForecastScore(
  context: AppContext,
  campaignIds: number[] | null,
): Promise<ForecastScoreAnswer> {
  const timeZone = context.settings.AGENCY_TIMEZONE
  const today = getToday(timeZone)
  const range = { from: addDays(today, -scoredDays), to: addDays(today, -1), timeZone }
  const { forecasts } = await readDerivedFacts(context, 'score', (facts) => backtestForecast(facts, range))
  const targets = new Map((await readRecentFacts(context)).campaigns.map(({ id, target }) => [id, target ?? 0]))
  const visible = campaignIds && new Set(campaignIds)
  const scored = forecasts.flatMap(({ campaign, chance, run_rate, outcome }) =>
    chance === null || run_rate === null || (visible && !visible.has(campaign))
      ? []
      : [{ chance, runRate: run_rate, hit: outcome >= targets.get(campaign)! }],
  )
  const { brier, brier_run_rate, brier_base_rate } = scoreForecasts(scored)
  const beats = brier !== null && brier_run_rate !== null && brier < brier_run_rate
  return {
    bins: Array.from({ length: 10 }, (_, index) => {
      const inBin = scored.filter(({ chance }) => Math.min(9, Math.floor(chance * 10)) === index)
      const mean = (of: (one: (typeof scored)[number]) => number) =>
        inBin.length === 0 ? null : round(inBin.reduce((sum, one) => sum + of(one), 0) / inBin.length, 4)
      return {
        from: index / 10,
        to: (index + 1) / 10,
        cases: inBin.length,
        said: mean(({ chance }) => chance),
        happened: mean(({ hit }) => Number(hit)),
      }
    }),
    cases: scored.length,
    brier,
    brier_run_rate,
    brier_base_rate,
    beats_run_rate: beats,
    says: describeScore(scored.length, brier, brier_run_rate),
  }
}

function describeScore(cases: number, brier: number | null, runRate: number | null): string {
  if (brier === null || runRate === null)
    return 'No cycle with a target has ended yet, so nothing is known of how often this is right'
  const about = `over ${cases.toLocaleString('en-US')} forecasts of ended cycles`
  if (brier >= runRate) return `Here the chance has not been better than the run rate, ${about}`
  const better = Math.round((1 - brier / Math.max(runRate, 1e-9)) * 100)
  return `Here the chance has missed ${better} % less than the run rate, ${about}`
}

const round = (value: number, digits: number) => Number(value.toFixed(digits))
