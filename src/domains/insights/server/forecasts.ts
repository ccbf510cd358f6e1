import { addDays, type CalendarDay, getToday } from '#contract/days.ts'
import { validationError } from '#core/http/errors.ts'
import { runInSlices } from '#core/jobs/run-in-slices.ts'
import { endOfZonedDay, toWallClock } from '#core/time/local-time.ts'
import type { AppContext } from '#domains/app-context.ts'
import { computeBillingCycle } from '#domains/campaigns/public.ts'
import type { campaignsTable } from '#domains/campaigns/schema.ts'
import type { BriefForecast, CampaignForecast } from '../contract.ts'
import { calendarDay, dayNumber, type ForecastHistory, isVerified, longestCycle, weekdayOf } from './forecast-facts.ts'
import {
  type AgencyModel,
  type ComputedForecast,
  type ForecastQuestion,
  fitAgencyModelByStep,
  forecastCampaign,
} from './forecast-model.ts'
import { readReliability } from './forecast-score.ts'
import { readDerivedFacts, readHistoriesFor } from './recent-facts.ts'
import { roundTo } from './rounding.ts'
import type { StoredHistories } from './stored-facts.ts'

/**
 * When a forecast is made: an instant, its day in the agency's zone with the share of that day's leads that has come (0
 * to 1), and the day that selects the cycle. They differ at the end of a day, which is the next day's first instant but
 * belongs to the old day's cycle.
 */
type ForecastMoment = { asOf: number; today: CalendarDay; todayGone: number; cycleDay: CalendarDay; isNow: boolean }

/** Parses a moment: a day means its end, today means now. Throws 422 for the future. */
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

/** Returns the moment of an instant. Assumes that leads come evenly between 8:00 and 20:00. */
export function readMoment(at: number, timeZone: string): ForecastMoment {
  const { day, time } = toWallClock(new Date(at), timeZone)
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  const todayGone = Math.min(1, Math.max(0, (hours + minutes / 60 - 8) / 12))
  return { asOf: at, today: day, todayGone, cycleDay: day, isNow: false }
}

type CampaignRow = typeof campaignsTable.$inferSelect
/** The fields of a campaign that a forecast needs. */
type ForecastCampaign = { id: number; due_date: number; target: number | null }

/** Asks for the cycle of the moment. */
export function toQuestion(
  { due_date, target }: Pick<ForecastCampaign, 'due_date' | 'target'>,
  moment: ForecastMoment,
): ForecastQuestion {
  const { from, next } = computeBillingCycle(due_date, moment.cycleDay)
  const { asOf, todayGone } = moment
  return {
    asOf,
    todayGone,
    today: dayNumber(moment.today),
    cycleFrom: dayNumber(from),
    cycleTo: dayNumber(next),
    target,
  }
}

/** Fitted to the same facts in the same minute. */
const currentModels = new WeakMap<StoredHistories['histories'], { minute: number; model: Promise<AgencyModel> }>()

/** Reads the facts and the agency model of a moment. */
async function readModel(context: AppContext, moment: ForecastMoment) {
  const facts = await readHistoriesFor(context, addDays(moment.today, -longestCycle), moment.asOf)
  return { ...facts, model: await fitModel(facts, moment) }
}

/** Fits the agency model; the current one again when facts change, and once a minute. */
async function fitModel({ histories }: StoredHistories, { asOf, today, isNow }: ForecastMoment): Promise<AgencyModel> {
  const refit = () => runInSlices(fitAgencyModelByStep([...histories.values()], asOf, dayNumber(today)))
  if (!isNow) return refit()
  const minute = toMinute(asOf)
  const kept = currentModels.get(histories)
  const current = kept?.minute === minute ? kept : { minute, model: refit() }
  currentModels.set(histories, current)
  return { ...(await current.model), asOf }
}

const toMinute = (instant: number) => Math.floor(instant / 60_000)

/** The forecasts of one moment, by campaign, due day and target. */
type Forecasts = {
  moment: ForecastMoment
  histories: StoredHistories['histories']
  model: AgencyModel
  known: Map<string, ComputedForecast>
}
/** A large agency's forecasts are computed in the background, for at most a twentieth of the time. */
const forecastPatience = 20

/** Returns short forecasts of running cycles, by campaign; skips campaigns that are not in the facts, or that have not begun. */
export async function readBriefForecasts(
  context: AppContext,
  campaigns: readonly ForecastCampaign[],
): Promise<Map<number, BriefForecast>> {
  const timeZone = context.settings.AGENCY_TIMEZONE
  const facts = await readHistoriesFor(context, addDays(getToday(timeZone), -longestCycle))
  // After the facts are read: they may hold what happened in between.
  const moment = toForecastMoment(undefined, timeZone)
  const work = async (): Promise<Forecasts> => {
    const forecasts = { moment, histories: facts.histories, model: await fitModel(facts, moment), known: new Map() }
    await runInSlices(forecastCampaigns(forecasts, facts.campaigns))
    return forecasts
  }
  const version = `${facts.reading} ${toMinute(moment.asOf)}`
  const forecasts = await readDerivedFacts(context, 'forecasts', forecastPatience, work, version)
  return runInSlices(forecastCampaigns(forecasts, campaigns))
}

/** Each step forecasts one campaign, unless that is known. */
function* forecastCampaigns({ moment, histories, model, known }: Forecasts, campaigns: readonly ForecastCampaign[]) {
  const found = new Map<number, BriefForecast>()
  for (const campaign of campaigns) {
    const history = histories.get(campaign.id)
    if (!history || (history.startDay ?? 0) > dayNumber(moment.today)) continue
    const key = [campaign.id, campaign.due_date, campaign.target].join()
    if (!known.has(key)) {
      known.set(key, forecastCampaign(model, history, toQuestion(campaign, moment)))
      yield
    }
    found.set(campaign.id, toBriefForecast(known.get(key)!))
  }
  return found
}

const toBriefForecast = ({ chance, expected, low, high }: BriefForecast): BriefForecast => ({
  chance: chance === null ? null : roundTo(chance, 4),
  expected: roundTo(expected, 2),
  low,
  high,
})

/** Returns the forecast of one campaign in its API format. */
export async function readCampaignForecast(
  context: AppContext,
  campaign: ForecastCampaign & Pick<CampaignRow, 'schedule' | 'start_date'>,
  moment: ForecastMoment,
  visibleIds: number[] | null,
): Promise<CampaignForecast> {
  const { histories, model } = await readModel(context, moment)
  // A campaign created after the facts were read has no leads yet.
  const history = histories.get(campaign.id) ?? { id: campaign.id, category: '', startDay: null, leads: [] }
  const { cycleDay } = moment
  const target = campaign.target || null
  // Before its first day, nothing can be missed.
  const due = campaign.start_date !== null && campaign.start_date > cycleDay ? null : target
  const question = toQuestion({ ...campaign, target: due }, moment)
  const forecast = forecastCampaign(model, history, question)
  const { next, left } = computeBillingCycle(campaign.due_date, cycleDay)
  return {
    target,
    verified: forecast.verified,
    pending: forecast.pending,
    ...toBriefForecast(forecast),
    needed_per_working_day:
      due === null
        ? null
        : roundTo(
            Math.max(0, due - forecast.verified) / Math.max(1, countWorkingDays(campaign.schedule, cycleDay, next)),
            2,
          ),
    days_left: left,
    cases: roundTo(forecast.cases, 1),
    basis: forecast.basis,
    reliability: await readReliability(context, visibleIds),
    cycle: { from: calendarDay(question.cycleFrom), to: calendarDay(question.cycleTo - 1) },
    course: plotCourse(model, history, question, dayNumber(cycleDay)),
  }
}

/** Returns a point for each day of the cycle: verified leads up to `lastKnown`, then the forecast for a cycle that ends on that day. */
function plotCourse(
  model: AgencyModel,
  history: ForecastHistory,
  question: ForecastQuestion,
  lastKnown: number,
): CampaignForecast['course'] {
  const { asOf, cycleFrom, cycleTo } = question
  const verified = history.leads.filter((lead) => isVerified(lead, asOf) && lead.day >= cycleFrom)
  return Array.from({ length: cycleTo - cycleFrom }, (_, index) => {
    const day = cycleFrom + index
    const known = day <= lastKnown ? verified.filter((lead) => lead.day <= day).length : null
    const { expected, low, high } =
      day < lastKnown
        ? { expected: null, low: null, high: null }
        : toBriefForecast(forecastCampaign(model, history, { ...question, cycleTo: day + 1 }))
    return { day: calendarDay(day), verified: known, expected, low, high }
  })
}

function countWorkingDays(schedule: CampaignRow['schedule'], from: CalendarDay, next: CalendarDay): number {
  const working = new Set(schedule.filter(({ enabled }) => enabled).map(({ day }) => day))
  let count = 0
  for (let day = dayNumber(from); day < dayNumber(next); day++) if (working.has(weekdayOf(day))) count++
  return count
}
