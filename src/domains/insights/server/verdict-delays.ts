import { msPerDay } from '#contract/days.ts'
import {
  type ForecastHistory,
  type ForecastLead,
  isJudged,
  isVerified,
  forecastOptions as options,
} from './forecast-facts.ts'

export type DelayCurve = { verified: Float64Array; judged: Float64Array }

/**
 * Fits the share of leads verified, and judged, by each age: the product of one minus the hazards (Kaplan and Meier),
 * newer leads weighted more. A type with few leads borrows from all leads. Leads that came verified, such as imported ones, count in the
 * share, and took as long as the others.
 */
export function fitDelays(
  histories: readonly ForecastHistory[],
  asOf: number,
): Record<ForecastLead['type'], DelayCurve> {
  const newCounts = () => ({ verified: new HazardCounts(), judged: new HazardCounts() })
  const [byType, all] = [{ Call: newCounts(), Form: newCounts() }, newCounts()]
  const oldest = asOf - options.historyDays * msPerDay
  for (const { leads } of histories)
    for (const lead of leads) {
      if (lead.at > asOf || lead.at < oldest) continue
      const weight = 0.5 ** ((asOf - lead.at) / (options.delayHalfLifeDays * msPerDay))
      const verifiedAt = isVerified(lead, asOf) ? lead.verifiedAt! : null
      const judgedAt = isJudged(lead, asOf) ? (lead.judgedAt ?? lead.verifiedAt!) : null
      for (const counts of [byType[lead.type], all]) {
        if (verifiedAt !== null && verifiedAt <= lead.at) {
          counts.verified.untimed += weight
          counts.judged.untimed += weight
          continue
        }
        counts.verified.add(lead.at, verifiedAt, asOf, weight)
        counts.judged.add(lead.at, judgedAt, asOf, weight)
      }
    }
  for (const name of ['verified', 'judged'] as const) {
    const timed = all[name].curve(all[name])
    for (const counts of [byType.Call, byType.Form, all]) counts[name].spreadUntimed(timed)
  }
  const toCurve = (own: ReturnType<typeof newCounts>): DelayCurve => ({
    verified: own.verified.curve(all.verified),
    judged: own.judged.curve(all.judged),
  })
  return { Call: toCurve(byType.Call), Form: toCurve(byType.Form) }
}

class HazardCounts {
  readonly #atRisk = new Float64Array(options.bins + 2)
  readonly #events = new Float64Array(options.bins + 1)
  /** The weight of events whose time is not known. */
  untimed = 0

  add(at: number, eventAt: number | null, asOf: number, weight: number) {
    const last = Math.min(options.bins, Math.floor(((eventAt ?? asOf) - at) / options.binMs))
    // At risk in every bin up to and including the event's.
    this.#atRisk[0]! += weight
    this.#atRisk[eventAt === null ? last : last + 1]! -= weight
    if (eventAt !== null) this.#events[last]! += weight
  }

  /** Counts the events of unknown times at the ages of this curve. */
  spreadUntimed(curve: Float64Array) {
    for (const [bin, share] of curve.entries()) {
      const weight = (this.untimed * (share - (curve[bin - 1] ?? 0))) / curve.at(-1)!
      this.#atRisk[0]! += weight
      this.#atRisk[bin + 1]! -= weight
      this.#events[bin]! += weight
    }
  }

  curve(pooled: HazardCounts): Float64Array {
    const curve = new Float64Array(options.bins)
    let [own, all, survives] = [0, 0, 1]
    for (let bin = 0; bin < options.bins; bin++) {
      own += this.#atRisk[bin]!
      all += pooled.#atRisk[bin]!
      const common = (pooled.#events[bin]! + 0.001) / (all + 1)
      survives *= 1 - Math.min(0.999, (this.#events[bin]! + 15 * common) / (own + 15))
      curve[bin] = 1 - survives
    }
    return curve
  }
}

/** Returns the curve at an age, interpolated between bins. */
export function curveAt(curve: Float64Array, ageMs: number): number {
  const position = ageMs / options.binMs
  const bin = Math.floor(position)
  if (bin >= curve.length) return curve.at(-1)!
  const before = bin === 0 ? 0 : curve[bin - 1]!
  return before + (curve[bin]! - before) * (position - bin)
}
