import { type ForecastHistory, firstDayOf, forecastOptions as options, weekdayOf } from './forecast-facts.ts'

/** Fits each weekday's leads relative to an average day, over all campaigns. */
export function fitWeekdays(histories: readonly ForecastHistory[], asOf: number, today: number): Float64Array {
  const counts = new Float64Array(7).fill(3)
  const from = today - options.historyDays
  for (const { leads } of histories)
    for (const lead of leads)
      if (lead.at <= asOf && lead.day >= from && lead.day < today) counts[weekdayOf(lead.day)]! += 1
  const mean = counts.reduce((sum, one) => sum + one, 0) / 7
  return counts.map((count) => count / mean)
}

/** Returns a campaign's leads and weekday-weighted days, both with exponential decay. Today does not count. */
export function weightedRate(
  history: ForecastHistory,
  asOf: number,
  today: number,
  weekdays: Float64Array,
  halfLife: number,
) {
  const first = Math.max(
    Math.min(firstDayOf(history), history.startDay ?? Number.POSITIVE_INFINITY),
    today - options.historyDays,
  )
  let leads = 0
  let exposure = 0
  if (first >= today) return { leads, exposure }
  for (const lead of history.leads)
    if (lead.at <= asOf && lead.day >= first && lead.day < today) leads += 0.5 ** ((today - lead.day) / halfLife)
  for (let day = first; day < today; day++) exposure += weekdays[weekdayOf(day)]! * 0.5 ** ((today - day) / halfLife)
  return { leads, exposure }
}

/** Returns the half-life that best predicted each day from the days before, over the campaign's last twelve weeks. */
export function chooseHalfLife(
  counts: Float64Array,
  weekdays: Float64Array,
  firstDay: number,
  priorRate: number,
): number {
  let best = 28
  let bestScore = Number.NEGATIVE_INFINITY
  const watch = Math.max(0, counts.length - 84)
  for (const halfLife of options.halfLives) {
    const decay = 0.5 ** (1 / halfLife)
    let leads = options.priorLeads
    let exposure = options.priorLeads / Math.max(priorRate, 0.01)
    let score = 0
    for (let index = 0; index < counts.length; index++) {
      const weight = weekdays[weekdayOf(firstDay + index)]!
      const mean = Math.max((leads / exposure) * weight, 1e-6)
      if (index >= watch) score += counts[index]! * Math.log(mean) - mean
      leads = leads * decay + counts[index]! + options.priorLeads * (1 - decay)
      exposure = exposure * decay + weight + (options.priorLeads / Math.max(priorRate, 0.01)) * (1 - decay)
    }
    if (score > bestScore) [best, bestScore] = [halfLife, score]
  }
  return best
}

export function dailyCounts(
  history: ForecastHistory,
  asOf: number,
  today: number,
): { counts: Float64Array; firstDay: number } {
  const firstDay = Math.max(
    Math.min(firstDayOf(history), history.startDay ?? Number.POSITIVE_INFINITY),
    today - options.historyDays,
  )
  const counts = new Float64Array(Math.max(0, Number.isFinite(firstDay) ? today - firstDay : 0))
  for (const lead of history.leads)
    if (lead.at <= asOf && lead.day >= firstDay && lead.day < today) counts[lead.day - firstDay]! += 1
  return { counts, firstDay }
}
