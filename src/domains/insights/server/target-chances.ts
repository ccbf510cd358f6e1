import { addDays, type CalendarDay, getToday } from '#contract/days.ts'
import { runInSlices } from '#core/jobs/run-in-slices.ts'
import { startOfZonedDay } from '#core/time/local-time.ts'
import type { AppContext } from '#domains/app-context.ts'
import { calendarDay, dayNumber, longestCycle } from './forecast-facts.ts'
import { fitAgencyModelByStep, forecastCampaign } from './forecast-model.ts'
import { readMoment, toQuestion } from './forecasts.ts'
import { readHistoriesFor } from './recent-facts.ts'
import type { StoredHistories } from './stored-facts.ts'

/** A campaign's chance of hitting its target, now and at the end of yesterday. */
export type TargetChance = {
  campaign: number
  target: number
  cycle: { from: CalendarDay; to: CalendarDay }
  verified: number
  expected: number
  low: number
  high: number
  chance: number
  /** Null on the first day of a cycle, because yesterday was in the previous one. */
  chance_yesterday: number | null
}

/** Returns the chances of all campaigns with a target, except those that started during the running cycle. */
export async function readTargetChances(context: AppContext, now: Date): Promise<TargetChance[]> {
  const { AGENCY_TIMEZONE: timeZone } = context.settings
  const facts = await readHistoriesFor(context, addDays(getToday(timeZone, now), -longestCycle))
  return runInSlices(computeTargetChances(facts, now, timeZone))
}

/** A pure function of the facts. A step is a part of a model, or one campaign. */
function* computeTargetChances(
  { campaigns, histories }: StoredHistories,
  now: Date,
  timeZone: string,
): Generator<undefined, TargetChance[]> {
  const moment = readMoment(now.getTime(), timeZone)
  const { today } = moment
  const dayStart = startOfZonedDay(today, timeZone).getTime()
  const number = dayNumber(today)
  const fitModel = (asOf: number) => fitAgencyModelByStep([...histories.values()], asOf, number)
  const models = { now: yield* fitModel(now.getTime()), yesterday: yield* fitModel(dayStart) }
  const chances: TargetChance[] = []
  for (const { id, target, due_date, start_date } of campaigns) {
    yield
    const question = toQuestion({ due_date, target }, moment)
    const from = calendarDay(question.cycleFrom)
    if (!target || (start_date !== null && from < start_date)) continue
    const history = histories.get(id)!
    const predicted = forecastCampaign(models.now, history, question)
    const before =
      from < today ? forecastCampaign(models.yesterday, history, { ...question, asOf: dayStart, todayGone: 0 }) : null
    if (predicted.chance === null) continue
    chances.push({
      campaign: id,
      target,
      cycle: { from, to: calendarDay(question.cycleTo - 1) },
      verified: predicted.verified,
      expected: predicted.expected,
      low: predicted.low,
      high: predicted.high,
      chance: predicted.chance,
      chance_yesterday: before?.chance ?? null,
    })
  }
  return chances
}
