import { type ForecastHistory, weekdayOf } from './forecast-facts.ts'
import { dailyCounts } from './lead-rates.ts'

/** Variance of a future count: mean x `poisson` + mean squared x `drift`, by days ahead. */
export type CountSpread = { days: number; poisson: number; drift: number }[]

/**
 * Fits how far past forecasts missed the counts: squared errors over windows of 7, 14 and 28 days, split into a part
 * that grows with the mean (chance) and one that grows with its square (drifting rates).
 */
export function fitSpread(
  histories: readonly ForecastHistory[],
  model: { asOf: number; today: number; weekdays: Float64Array },
): CountSpread {
  const { asOf, today, weekdays } = model
  const daily = histories.map((history) => dailyCounts(history, asOf, today))
  return [7, 14, 28].map((days) => {
    // The prior.
    let [a11, a12, a22, b1, b2] = [40, 0, 40, 40 * 1.15, 40 * 0.03]
    for (const { counts, firstDay } of daily) {
      const decay = 0.5 ** (1 / 28)
      let [leads, exposure] = [0, 0]
      for (let index = 0; index < counts.length; index++) {
        if (index >= 42 && index % 7 === 0 && index + days <= counts.length && exposure > 0) {
          let [came, ahead] = [0, 0]
          for (let next = index; next < index + days; next++) {
            came += counts[next]!
            ahead += weekdays[weekdayOf(firstDay + next)]!
          }
          const mean = ((leads + 1) / (exposure + 1 / Math.max(leads / exposure, 0.01))) * ahead
          if (mean > 0.5) {
            const weight = 1 / (mean + 0.1 * mean ** 2) ** 2
            const miss = (came - mean) ** 2
            a11 += weight * mean * mean
            a12 += weight * mean * mean ** 2
            a22 += weight * mean ** 4
            b1 += weight * miss * mean
            b2 += weight * miss * mean ** 2
          }
        }
        leads = leads * decay + counts[index]!
        exposure = exposure * decay + weekdays[weekdayOf(firstDay + index)]!
      }
    }
    const determinant = a11 * a22 - a12 ** 2
    let poisson = determinant > 0 ? (b1 * a22 - b2 * a12) / determinant : 1
    let drift = determinant > 0 ? (b2 * a11 - b1 * a12) / determinant : 0
    if (drift < 0) [poisson, drift] = [b1 / a11, 0]
    if (poisson < 1) [poisson, drift] = [1, Math.max(0, (b2 - a12) / a22)]
    return { days, poisson, drift }
  })
}

export function spreadFor(model: { spread: CountSpread }, days: number) {
  const { spread } = model
  const after = spread.findIndex((one) => one.days >= days)
  if (after === -1) return spread.at(-1)!
  if (after === 0) return spread[0]!
  const [low, high] = [spread[after - 1]!, spread[after]!]
  const part = (days - low.days) / (high.days - low.days)
  return {
    poisson: low.poisson + (high.poisson - low.poisson) * part,
    drift: low.drift + (high.drift - low.drift) * part,
  }
}
