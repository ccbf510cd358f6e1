import { msPerHour } from '#contract/days.ts'
import { runAtOnce } from '#core/jobs/run-in-slices.ts'
import { AgencyDay, CategoryTrends, followQuiet, type QuietSpell, WeekProfile } from './agency-activity.ts'
import { type SilenceOptions, silenceOptions } from './silence-options.ts'
import {
  type DispersionSums,
  disperseExpected,
  dispersionOf,
  gapChance,
  HourlyNumbers,
  hoursPerMonth,
  type SilenceSignal,
  type SourceHistory,
  SourceState,
} from './source-state.ts'

/**
 * Decides when a lead source is silent, by a probability instead of a fixed number of days.
 *
 * The expected intensity of a source is its exponentially weighted rate (half-life 28 days) with a Gamma prior from its category,
 * times a smoothed weekday-and-hour profile, times a factor of the whole agency that day. The chance that nothing has come since its
 * last lead is a product of negative binomials: one for the uncertainty of the rate, and one per day for days that are better or worse
 * than expected. A signal opens when that chance falls below about 0.01 divided by the leads expected per month: each lead starts a new gap,
 * so every source raises about one false alarm in 100 months, whether it brings ten leads a day or one a week.
 *
 * Sources: Farrington et al. 1996 and Noufaily et al. 2013 on outbreak detection (false-alarm budget, overdispersion, seasonality).
 */

/** The state of a source at the end of a replay. */
export type SourceGap = {
  id: string
  last_lead_at: number
  /** Leads expected since the last one. */
  expected: number
  /** The chance of a gap this long. */
  chance: number
  leads_per_month: number
  /** How well the rate is known: the shape of its Gamma distribution. */
  shape: number
  silent: boolean
}
type SilenceReplay = { signals: Map<string, SilenceSignal[]>; allQuiet: QuietSpell[]; gaps: SourceGap[] }

/** Converts an hour to the agency's wall clock: the day (any counter that grows by one per day) and the hour of the week, 0 to 167. */
export type HourClock = (hour: number) => { day: number; slot: number }

/**
 * Replays hour by hour from `from` to `to` (milliseconds, whole hours). Leads before `from` are history. Each hour only
 * uses earlier facts, so the same call with a later `to` gives the same signals up to then.
 */
export const replaySilence = (...replayed: Parameters<typeof replaySilenceByDay>): SilenceReplay =>
  runAtOnce(replaySilenceByDay(...replayed))

/** The same replay. Each step is one day, so that the caller can do other work in between. */
export function* replaySilenceByDay(
  sources: readonly SourceHistory[],
  clock: HourClock,
  range: { from: number; to: number },
  options: SilenceOptions = silenceOptions,
): Generator<undefined, SilenceReplay> {
  const signals = new Map<string, SilenceSignal[]>(sources.map(({ id }) => [id, []]))
  const allQuiet: QuietSpell[] = []
  const known = sources.filter(({ leads }) => leads.length > 0)
  if (known.length === 0) return { signals, allQuiet, gaps: [] }
  const hourly = new HourlyNumbers(known.length)
  const states = known
    .toSorted((a, b) => a.leads[0]! - b.leads[0]!)
    .map((source, place) => new SourceState(source, place, hourly))
  const start = Math.floor(Math.min(...states.map(({ first }) => first)) / msPerHour)
  const end = Math.ceil(range.to / msPerHour)
  const pool: Pool = {
    options,
    hourly,
    profile: new WeekProfile(options.profileHalfLifeDays),
    agency: new AgencyDay(options),
    trends: new CategoryTrends(options),
    dispersion: { excess: 0, squares: 0 },
    calibration: new TailCalibration(options),
  }
  const active: SourceState[] = []
  let quiet: QuietSpell | null = null
  let day = clock(start).day

  for (let hour = start; hour < end; hour++) {
    const at = clock(hour)
    if (at.day !== day) {
      yield
      day = at.day
      finishDay(active, (hour - 24) * msPerHour, pool)
    }
    const to = (hour + 1) * msPerHour
    while (active.length < states.length && states[active.length]!.first < to) active.push(states[active.length]!)
    countHour(active, to, at.slot, pool)
    if (to < range.from || to > range.to) continue
    quiet = followQuiet(quiet, { agency: pool.agency, states }, to, allQuiet)
    if (quiet) continue
    openSignals(active, to, signals, pool)
  }
  return { signals, allQuiet, gaps: active.map((state) => toGap(state, pool)) }
}

/** What all sources share. */
type Pool = {
  options: SilenceOptions
  hourly: HourlyNumbers
  profile: WeekProfile
  agency: AgencyDay
  trends: CategoryTrends
  dispersion: DispersionSums
  calibration: TailCalibration
}

/** Counts the hour that ends at `to`. */
function countHour(states: readonly SourceState[], to: number, slot: number, pool: Pool) {
  const { profile, hourly, options } = pool
  const { nextAt, rate, exposure, todayExpected, gapToday, isSilent, hasOutages } = hourly
  const now = { expected: 0, came: 0 }
  profile.countHour(slot)
  for (let place = 0; place < states.length; place++) {
    const weight = profile.weight(slot, place, hourly, options.profileLeads)
    if (nextAt[place]! < to || isSilent[place] || hasOutages[place]) {
      countHourOf(states[place]!, weight, { to, slot, now, pool })
      continue
    }
    // Nothing came, as in most hours.
    const expected = rate[place]! * weight
    exposure[place]! += weight
    todayExpected[place]! += expected
    gapToday[place]! += expected
    now.expected += expected
  }
  pool.agency.count(now.expected, now.came)
}

type Hour = { to: number; slot: number; now: { expected: number; came: number }; pool: Pool }

function countHourOf(state: SourceState, weight: number, { to, slot, now, pool }: Hour) {
  // Rates do not learn during an outage, but the missing leads still count.
  const isOffline = state.history.outages?.some((outage) => outage.from < to && outage.to > to - msPerHour) ?? false
  if (isOffline) state.gapOffline = true
  const came = state.takeLeads(to)
  const expected = state.rate * weight
  if (!isOffline && (!state.signal || came > 0)) {
    state.exposure += weight
    if (!state.signal) {
      now.expected += expected
      state.todayExpected += expected
    }
  }
  if (came === 0) {
    state.gapToday += expected
    return
  }
  if (!state.signal) {
    now.came += came
    state.share.todayCame += came
  }
  const endedAt = state.history.leads[state.next - came]!
  pool.calibration.countGap(state, pool, endedAt)
  if (!isOffline) state.leads += came
  state.today += came
  pool.hourly.countLeads(slot, state.place, came)
  pool.profile.countLeads(slot, came)
  if (state.signal) state.signal.closed_at = endedAt
  state.signal = null
  state.gapDispersed = 0
  state.gapExpected = 0
  state.gapToday = 0
  state.gapOffline = isOffline
}

/** Opens the signals of the sources whose gap has become too unlikely. */
function openSignals(
  states: readonly SourceState[],
  at: number,
  signals: Map<string, SilenceSignal[]>,
  pool: Pool,
): void {
  const { gapToday, gapExpected, isSilent } = pool.hourly
  for (let place = 0; place < states.length; place++) {
    if (isSilent[place] || gapToday[place]! + gapExpected[place]! < minExpected) continue
    const state = states[place]!
    const { expected, chance, isUnlikely } = evaluateGap(state, pool)
    if (!isUnlikely) continue
    state.signal = { opened_at: at, closed_at: null, expected, last_lead_at: state.lastLead, chance }
    signals.get(state.history.id)!.push(state.signal)
  }
}

/** A gap in which fewer leads are expected is never a silence. */
const minExpected = 3

function toGap(state: SourceState, pool: Pool): SourceGap {
  const { expected, chance, leads_per_month, isUnlikely } = evaluateGap(state, pool)
  return {
    ...{ id: state.history.id, last_lead_at: state.lastLead, shape: state.shape },
    ...{ expected, chance, leads_per_month },
    silent: state.signal !== null || (expected >= minExpected && isUnlikely),
  }
}

function evaluateGap(state: SourceState, { agency, trends, dispersion, calibration }: Pool) {
  const factor = agency.factor(state) * trends.factor(state)
  const chance = gapChance(state, factor, dispersion)
  const leads_per_month = leadsPerMonth(state, agency)
  return {
    expected: state.gapExpected + state.gapToday * factor,
    chance,
    leads_per_month,
    isUnlikely: chance < calibration.limit(leads_per_month),
  }
}
const leadsPerMonth = (state: SourceState, agency: AgencyDay) => state.rate * hoursPerMonth * agency.weekFactor(state)

/** Counts the day that has ended. Rates do not change where nothing has come since `yesterday`. */
function finishDay(states: readonly SourceState[], yesterday: number, pool: Pool) {
  const { options, profile, agency, trends, calibration } = pool
  const decay = 0.5 ** (1 / options.halfLifeDays)
  pool.dispersion.excess *= 0.99
  pool.dispersion.squares *= 0.99
  for (const state of states) finishDayOf(state, decay, pool)
  trends.finishDay(states)
  agency.finishDay(states)
  profile.finishDay()
  updatePriors(states, yesterday, options)
  calibration.finishDay(states)
}

function finishDayOf(state: SourceState, decay: number, { agency, trends, dispersion }: Pool) {
  const agencyFactor = agency.factor(state)
  const factor = agencyFactor * trends.factor(state)
  trends.count(state, state.todayExpected * agencyFactor, state.signal ? 0 : state.today)
  const expected = state.todayExpected * factor
  if (!state.signal && expected > 0) {
    const excess = (state.today - expected) ** 2 - expected
    state.excess = state.excess * 0.985 + excess
    state.squares = state.squares * 0.985 + expected ** 2
    dispersion.excess += excess
    dispersion.squares += expected ** 2
  }
  state.gapDispersed += disperseExpected(state.gapToday * factor, dispersionOf(state, dispersion))
  state.gapExpected += state.gapToday * factor
  state.gapToday = 0
  state.today = 0
  if (!state.signal) {
    state.leads *= decay
    state.exposure *= decay
  }
}

/** Updates rates with the prior of their category: the mean rate of its sources, with the weight of `priorLeads`. */
function updatePriors(states: readonly SourceState[], yesterday: number, { priorLeads }: SilenceOptions) {
  const categories = new Map<string, { leads: number; exposure: number }>()
  for (const { history, leads, exposure } of states) {
    const sum = categories.get(history.category) ?? { leads: 0, exposure: 0 }
    sum.leads += leads
    sum.exposure += exposure
    categories.set(history.category, sum)
  }
  for (const state of states) {
    // The rate stays unchanged while nothing comes, so that a silence does not explain itself.
    if (state.gapExpected > 0.5 && state.lastLead < yesterday && state.rate > 0) continue
    const sum = categories.get(state.history.category)!
    const prior = sum.exposure > 0 ? sum.leads / sum.exposure : 0
    const priorExposure = prior > 0 ? priorLeads / prior : 0
    state.shape = state.leads + priorLeads
    state.rate = state.shape / Math.max(state.exposure + priorExposure, 1)
  }
}

/**
 * Calibrates the chances: gaps that ended on their own with a likelihood of 10 in 100 months should occur 10 times in
 * 100 months. If there are more, days vary more than the model assumes and a signal needs a lower chance; if fewer, a
 * higher one.
 */
class TailCalibration {
  readonly #options: SilenceOptions
  #seen = 0
  #months = 0

  constructor(options: SilenceOptions) {
    this.#options = options
  }

  /** Returns the chance below which a source with this many leads per month is silent. */
  limit(leadsPerMonth: number): number {
    const options = this.#options
    const { monthlyBudget, tailFactor, tailPrior } = options
    const expected = monthlyBudget * tailFactor * this.#months
    const scale = Math.min(options.maxScale, Math.max(0.4, (expected + tailPrior) / (this.#seen + tailPrior)))
    return (monthlyBudget * scale) / Math.max(leadsPerMonth, 1)
  }

  countGap(state: SourceState, { agency, trends, dispersion }: Pool, endedAt: number) {
    if (state.gapExpected + state.gapToday < 1 || state.gapOffline) return
    const { signal } = state
    if (signal && endedAt >= signal.last_lead_at + 2 * (signal.opened_at - signal.last_lead_at)) return
    const { monthlyBudget, tailFactor } = this.#options
    const chance = signal ? 0 : gapChance(state, agency.factor(state) * trends.factor(state), dispersion)
    if (chance < (monthlyBudget * tailFactor) / Math.max(leadsPerMonth(state, agency), 1)) this.#seen += 1
  }

  finishDay(states: readonly SourceState[]) {
    this.#seen *= 0.998
    this.#months *= 0.998
    for (const { signal, rate, leads } of states) {
      if (!signal && rate > 0 && leads > 1) this.#months += 1 / 30.4375
    }
  }
}
