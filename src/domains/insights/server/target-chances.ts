import { type CalendarDay, clampDayOfMonth, getToday } from '#contract/days.ts'
import { endOfZonedDay, startOfZonedDay } from '#core/time/local-time.ts'
import type { AgencyFacts } from './facts.ts'
import { readForecastHistories } from './forecast-backtest.ts'
import { calendarDay, dayNumber } from './forecast-facts.ts'
import { fitAgencyModel, forecastCampaign } from './forecast-model.ts'

/** How likely a campaign hits its target, now and at the end of yesterday. */
export type TargetChance = {
  campaign: number
  target: number
  cycle: { from: CalendarDay; to: CalendarDay }
  verified: number
  expected: number
  low: number
  high: number
  chance: number
  /** Null on the first day of a cycle: yesterday was another one. */
  chance_yesterday: number | null
}

/** The chances of all campaigns with a target whose running cycle did not begin before the campaign did. A pure function. */
export function computeTargetChances(facts: AgencyFacts, now: Date, timeZone: string): TargetChance[] {
  const today = getToday(timeZone, now)
  const [dayStart, dayEnd] = [startOfZonedDay(today, timeZone).getTime(), endOfZonedDay(today, timeZone).getTime()]
  const histories = readForecastHistories(facts, timeZone)
  const number = dayNumber(today)
  const models = {
    now: fitAgencyModel([...histories.values()], now.getTime(), number),
    yesterday: fitAgencyModel([...histories.values()], dayStart, number),
  }
  return facts.campaigns.flatMap((campaign) => {
    const { id, target, due_date, start_date } = campaign
    const { from, next } = getCycle(today, due_date)
    if (!target || (start_date !== null && from < start_date)) return []
    const cycle = { cycleFrom: dayNumber(from), cycleTo: dayNumber(next) }
    const history = histories.get(id)!
    const told = forecastCampaign(models.now, history, {
      ...cycle,
      target,
      asOf: now.getTime(),
      today: number,
      todayGone: (now.getTime() - dayStart) / (dayEnd - dayStart),
    })
    const before =
      from < today
        ? forecastCampaign(models.yesterday, history, { ...cycle, target, asOf: dayStart, today: number, todayGone: 0 })
        : null
    if (told.chance === null) return []
    const { verified, expected, low, high, chance } = told
    const days = { from, to: calendarDay(cycle.cycleTo - 1) }
    return [
      {
        campaign: id,
        target,
        cycle: days,
        verified,
        expected,
        low,
        high,
        chance,
        chance_yesterday: before?.chance ?? null,
      },
    ]
  })
}

/** The cycle that holds a day: from its due day to the day before the next one. */
function getCycle(day: CalendarDay, dueDay: number): { from: CalendarDay; next: CalendarDay } {
  const [year = 0, month = 1] = day.split('-').map(Number)
  const first = day >= clampDayOfMonth(year, month, dueDay) ? month : month - 1
  return { from: clampDayOfMonth(year, first, dueDay), next: clampDayOfMonth(year, first + 1, dueDay) }
}
