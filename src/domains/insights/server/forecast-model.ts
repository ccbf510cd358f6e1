import { msPerDay } from '#contract/days.ts'
import { runAtOnce } from '#core/jobs/run-in-slices.ts'
import { type CountSpread, fitSpread, spreadFor } from './count-spread.ts'
import { chanceOfAtLeast, convolveMasses, countMass, massQuantile, sumOfChances } from './distributions.ts'
import {
  type ForecastHistory,
  type ForecastLead,
  isJudged,
  isVerified,
  forecastOptions as options,
  weekdayOf,
} from './forecast-facts.ts'
import { chooseHalfLife, dailyCounts, fitWeekdays, weightedRate } from './lead-rates.ts'
import { curveAt, type DelayCurve, fitDelays } from './verdict-delays.ts'

/**
 * Predicts how many leads of a cycle will be verified in the end: those already verified, those waiting for a verdict, and future leads.
 *
 * Waiting leads: the chance of a verdict by age and type from past delays, where leads without a verdict are right-censored (Höhle and
 * an der Heiden 2014). Future leads: a Gamma-Poisson rate in weekday-weighted days, with the half-life that best predicted the next day
 * (Czado, Gneiting and Held 2009). Both are mass functions, convolved.
 */

export type ForecastQuestion = {
  /** The instant up to which facts are known. */
  asOf: number
  /** The agency's day of that instant (days since 1970), and how much of it is gone, 0 to 1. */
  today: number
  todayGone: number
  /** The cycle: its first day and the day after its last. */
  cycleFrom: number
  cycleTo: number
  target: number | null
}
export type ComputedForecast = {
  verified: number
  pending: number
  expected: number
  low: number
  high: number
  chance: number | null
  /** Leads of the campaign behind its rate, weighted by age. */
  cases: number
  basis: 'campaign' | 'category'
}

/** How and when leads are verified. */
type VerdictModel = {
  asOf: number
  delays: Record<ForecastLead['type'], DelayCurve>
  /** How much faster (above 1) or slower than usual verdicts currently come. */
  speed: number
  share: Record<ForecastLead['type'], number>
}
export type AgencyModel = VerdictModel & {
  today: number
  weekdays: Float64Array
  categories: Map<string, { leads: number; exposure: number }>
  spread: CountSpread
}

/** Fits the part of the model that all campaigns share, to everything known at that instant. */
export const fitAgencyModel = (...fitted: Parameters<typeof fitAgencyModelByStep>): AgencyModel =>
  runAtOnce(fitAgencyModelByStep(...fitted))

/** The same fit, in a few steps, so that the caller can do other work in between. */
export function* fitAgencyModelByStep(
  histories: readonly ForecastHistory[],
  asOf: number,
  today: number,
): Generator<undefined, AgencyModel> {
  const weekdays = fitWeekdays(histories, asOf, today)
  yield
  const categories = new Map<string, { leads: number; exposure: number }>()
  for (const history of histories) {
    const { leads, exposure } = weightedRate(history, asOf, today, weekdays, 28)
    const sum = categories.get(history.category) ?? { leads: 0, exposure: 0 }
    sum.leads += leads
    sum.exposure += exposure
    categories.set(history.category, sum)
    yield
  }
  const spread = fitSpread(histories, { asOf, today, weekdays })
  yield
  return { ...fitVerdictModel(histories, asOf), today, weekdays, categories, spread }
}

/** Fits delays, shares and pace of verdicts to everything known at that instant. */
export function fitVerdictModel(histories: readonly ForecastHistory[], asOf: number): VerdictModel {
  const delays = fitDelays(histories, asOf)
  const share = { Call: delays.Call.verified.at(-1)!, Form: delays.Form.verified.at(-1)! }
  const model: VerdictModel = { asOf, delays, speed: 1, share }
  return { ...model, speed: fitSpeed(histories, model) }
}

/** Fits how far staff is behind or ahead: the scale of the age axis that best matches the verdicts of the last week's leads. */
function fitSpeed(histories: readonly ForecastHistory[], model: VerdictModel): number {
  const { asOf } = model
  const recent = histories.flatMap(({ leads }) => leads.filter(({ at }) => at <= asOf && at > asOf - 7 * msPerDay))
  if (recent.length < 10) return 1
  const verified = recent.filter((lead) => isVerified(lead, asOf)).length
  let best = 1
  let bestScore = Number.NEGATIVE_INFINITY
  for (let step = -20; step <= 20; step++) {
    const speed = 1.15 ** step
    let expected = 0
    let variance = 0
    for (const { at, type } of recent) {
      const chance = curveAt(model.delays[type].verified, (asOf - at) * speed)
      expected += chance
      variance += chance * (1 - chance)
    }
    const score =
      -((verified - expected) ** 2) / (2 * (variance + (0.05 * expected) ** 2 + 1)) -
      Math.log(speed) ** 2 / (2 * 0.7 ** 2)
    if (score > bestScore) [best, bestScore] = [speed, score]
  }
  return best
}

/** Returns the chance that a lead without a verdict is verified in the end. */
export function pendingChance(model: VerdictModel, lead: ForecastLead, share: number): number {
  if (lead.judgedAt !== undefined && lead.judgedAt !== null && lead.judgedAt <= model.asOf) return 0.01
  const { verified, judged } = model.delays[lead.type]
  const age = (model.asOf - lead.at) * model.speed
  const scale = share / Math.max(model.share[lead.type], 0.01)
  const byNow = Math.min(curveAt(verified, age) * scale, 0.999)
  const later = Math.max(0, share - byNow)
  if (lead.judgedAt === undefined) return Math.min(0.99, later / (1 - byNow))
  // If hardly any lead waits this long, assumes that late verdicts are like others.
  const open = 1 - Math.min(curveAt(judged, age), 1)
  return Math.min(0.99, (later + options.lateVerdicts * share) / (open + options.lateVerdicts))
}

/** Returns the campaign's verified share of a lead type: verified leads against those old enough to be, pooled with the agency's share. */
export function verifiedShare(
  model: VerdictModel,
  history: ForecastHistory,
  type: ForecastLead['type'],
): { share: number; weight: number } {
  const curve = model.delays[type].verified
  const pooled = model.share[type]
  let [verified, possible] = [0, 0]
  const oldest = model.asOf - 150 * msPerDay
  for (const lead of history.leads) {
    if (lead.at > model.asOf || lead.at < oldest || lead.type !== type) continue
    const weight = 0.5 ** ((model.asOf - lead.at) / (60 * msPerDay))
    if (isVerified(lead, model.asOf)) verified += weight
    possible += (weight * curveAt(curve, (model.asOf - lead.at) * model.speed)) / Math.max(pooled, 0.01)
  }
  const { shareLeads } = options
  return {
    share: Math.min(0.995, (verified + pooled * shareLeads) / (possible + shareLeads)),
    weight: possible + shareLeads,
  }
}

/** Forecasts the cycle's outcome. A pure function of the model and the campaign's leads up to `asOf`. */
export function forecastCampaign(
  model: AgencyModel,
  history: ForecastHistory,
  question: ForecastQuestion,
): ComputedForecast {
  const { asOf, today, todayGone, cycleFrom, cycleTo, target } = question
  const inCycle = history.leads.filter(({ at, day }) => at <= asOf && day >= cycleFrom && day < cycleTo)
  const verified = inCycle.filter((lead) => isVerified(lead, asOf)).length
  const waiting = inCycle.filter((lead) => !isVerified(lead, asOf))
  const shares = { Call: verifiedShare(model, history, 'Call'), Form: verifiedShare(model, history, 'Form') }
  const chances = waiting.map((lead) => pendingChance(model, lead, shares[lead.type].share))

  const category = model.categories.get(history.category)
  const priorRate = category && category.exposure > 0 ? category.leads / category.exposure : 0.2
  const { counts, firstDay } = dailyCounts(history, asOf, today)
  const halfLife = counts.length >= 28 ? chooseHalfLife(counts, model.weekdays, firstDay, priorRate) : 28
  const { leads, exposure } = weightedRate(history, asOf, today, model.weekdays, halfLife)
  const priorExposure = options.priorLeads / Math.max(priorRate, 0.01)
  const rate = (leads + options.priorLeads) / (exposure + priorExposure)
  let ahead = today < cycleTo && today >= cycleFrom ? model.weekdays[weekdayOf(today)]! * (1 - todayGone) : 0
  for (let day = Math.max(today + 1, cycleFrom); day < cycleTo; day++) ahead += model.weekdays[weekdayOf(day)]!
  const share = futureShare(history, asOf, shares)
  const mean = rate * ahead * share.share
  const spread = spreadFor(model, cycleTo - today)
  const variance =
    mean +
    (mean ** 2 * share.variance) / Math.max(share.share ** 2, 1e-6) +
    extraVariance(rate * ahead, share.share, spread)
  const total = convolveMasses(sumOfChances(chances), countMass(mean, variance))
  return {
    verified,
    pending: waiting.filter((lead) => !isJudged(lead, asOf) && !lead.isSettled).length,
    // The median, not the mean, which a long tail puts outside its own range.
    expected: verified + massQuantile(total, 0.5),
    low: verified + massQuantile(total, 0.1),
    high: verified + massQuantile(total, 0.9),
    chance: target === null || target <= 0 ? null : chanceOfAtLeast(total, target - verified),
    cases: leads,
    basis: leads >= options.campaignCases ? 'campaign' : 'category',
  }
}

/** Variance beyond Poisson of the verified future leads. */
const extraVariance = (leads: number, share: number, { poisson, drift }: { poisson: number; drift: number }) =>
  options.spreadMargin * share ** 2 * (leads * (poisson - 1) + leads ** 2 * drift)

/** Returns the expected verified share of future leads, in the recent mix of calls and forms. */
function futureShare(
  history: ForecastHistory,
  asOf: number,
  shares: Record<ForecastLead['type'], { share: number; weight: number }>,
): { share: number; variance: number } {
  const recent = history.leads.filter(({ at }) => at <= asOf && at > asOf - 90 * msPerDay)
  const calls = (recent.filter(({ type }) => type === 'Call').length + 1) / (recent.length + 2)
  const { Call, Form } = shares
  return {
    share: calls * Call.share + (1 - calls) * Form.share,
    variance:
      (calls ** 2 * Call.share * (1 - Call.share)) / Call.weight +
      ((1 - calls) ** 2 * Form.share * (1 - Form.share)) / Form.weight,
  }
}
