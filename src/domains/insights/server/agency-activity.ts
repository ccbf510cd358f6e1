import { msPerHour } from '#contract/days.ts'
import { negativeBinomialCdf } from './distributions.ts'
import type { SilenceOptions } from './silence-options.ts'
import type { HourlyNumbers, SourceState } from './source-state.ts'

/** The leads of the whole agency, and how many were expected. */
type AgencyCount = { expected: number; came: number }
/** A period in which the whole agency got almost no leads. */
export type QuietSpell = {
  opened_at: number
  closed_at: number | null
  /** From the start of the day until it opened, and the chance of so few. */
  found: AgencyCount & { chance: number }
  /** From the start of that day until now. */
  total: AgencyCount
}

/** Leads by hour of the week over all sources, relative to an average hour. */
export class WeekProfile {
  readonly #leads = new Float64Array(168)
  readonly #hours = new Float64Array(168)
  readonly #weights = new Float64Array(168).fill(1)
  readonly #decay: number

  constructor(halfLifeDays: number) {
    this.#decay = 0.5 ** (1 / halfLifeDays)
  }

  countHour(slot: number) {
    this.#hours[slot]! += 1
  }

  countLeads(slot: number, leads: number) {
    this.#leads[slot]! += leads
  }

  finishDay() {
    let total = 0
    for (let slot = 0; slot < 168; slot++) {
      this.#leads[slot]! *= this.#decay
      this.#hours[slot]! *= this.#decay
      total += this.#leads[slot]!
    }
    const hours = this.#hours.reduce((sum, one) => sum + one, 0)
    if (total < 50 || hours < 168) return
    const mean = total / hours
    const smoothed = new Float64Array(168)
    for (let slot = 0; slot < 168; slot++) {
      let leads = 0
      let exposure = 0
      // Borrows from neighboring hours and from the same hour of all days where a slot has few leads.
      for (const [offset, share] of neighborShares) {
        const other = (slot + offset + 168) % 168
        leads += this.#leads[other]! * share
        exposure += this.#hours[other]! * share
      }
      for (let other = slot % 24; other < 168; other += 24) {
        leads += this.#leads[other]! * 0.02
        exposure += this.#hours[other]! * 0.02
      }
      smoothed[slot] = exposure > 0 ? Math.max(leads / exposure / mean, 0.02) : 1
    }
    const scale = smoothed.reduce((sum, one) => sum + one, 0) / 168
    for (let slot = 0; slot < 168; slot++) this.#weights[slot] = smoothed[slot]! / scale
  }

  /** Returns the pooled weight, shifted toward the source's own hours as its leads allow. */
  weight(slot: number, source: number, hourly: HourlyNumbers, pooledLeads: number): number {
    const pooled = this.#weights[slot]!
    const leads = hourly.leads[source]!
    if (leads < 100) return pooled
    const before = hourly.leadsAt((slot + 167) % 168, source)
    const after = hourly.leadsAt((slot + 1) % 168, source)
    const own = ((hourly.leadsAt(slot, source) * 2 + before + after) / 4) * (168 / leads)
    return (pooled * pooledLeads + own * leads) / (pooledLeads + leads)
  }
}
const neighborShares: readonly (readonly [offset: number, share: number])[] = [
  [-1, 0.25],
  [0, 1],
  [1, 0.25],
]

/** Recent leads of a category against its slow rates, without the agency's factor, because seasons depend on the trade. */
export class CategoryTrends {
  readonly #options: SilenceOptions
  readonly #sums = new Map<string, { expected: number; came: number }>()

  constructor(options: SilenceOptions) {
    this.#options = options
  }

  count({ history, share }: SourceState, expected: number, came: number) {
    const sum = this.#sums.get(history.category) ?? { expected: 0, came: 0 }
    this.#sums.set(history.category, sum)
    sum.expected += expected
    sum.came += came
    share.trendExpected += expected
    share.trendCame += came
  }

  /** Returns the trend of the category's other sources. */
  factor({ history, share }: SourceState): number {
    const sum = this.#sums.get(history.category)
    const { categoryLeads } = this.#options
    if (!sum) return 1
    return (sum.came - share.trendCame + categoryLeads) / (sum.expected - share.trendExpected + categoryLeads)
  }

  finishDay(states: readonly SourceState[]) {
    const decay = 0.5 ** (1 / this.#options.categoryHalfLifeDays)
    for (const sum of this.#sums.values()) {
      sum.expected *= decay
      sum.came *= decay
    }
    for (const { share } of states) {
      share.trendExpected *= decay
      share.trendCame *= decay
    }
  }
}

/**
 * The agency's leads today against the expectation, because a bad day for everyone does not make one source silent. A
 * source's factor comes only from the others, with little weight on few leads; otherwise a silence among two or three
 * sources would explain itself.
 */
export class AgencyDay {
  readonly #options: SilenceOptions
  #expected = 0
  #came = 0
  readonly #recent: AgencyCount[] = []
  #usualDays = 0
  readonly #hours: AgencyCount[] = []
  #excess = 0
  #squares = 0

  constructor(options: SilenceOptions) {
    this.#options = options
  }

  count(expected: number, came: number) {
    this.#expected += expected
    this.#came += came
    this.#hours.push({ expected, came })
    if (this.#hours.length > 168) this.#hours.shift() // in 24 hours a small agency may never expect ten leads
  }

  /** Returns the factor of the last seven days, which the slow rates do not reflect yet; optionally without one source. */
  weekFactor(without?: SourceState): number {
    let expected = 20 - (without?.share.weekExpected ?? 0)
    let came = 20 - (without?.share.weekCame ?? 0)
    for (const one of this.#recent) {
      expected += one.expected
      came += one.came
    }
    return Math.min(1.5, Math.max(0.3, came / expected))
  }

  /** Returns the factor of today, from all sources but this one. */
  factor(without: SourceState): number {
    const week = this.weekFactor(without)
    const { factorLeads } = this.#options
    const came = this.#came - without.share.todayCame
    const expected = this.#expected - without.todayExpected
    return Math.min(1.5, (came + factorLeads * week) / (expected + factorLeads))
  }

  finishDay(states: readonly SourceState[]) {
    const week = this.weekFactor()
    const mean = this.#expected * week
    if (mean > 5 && this.#came > mean * 0.5) {
      this.#excess = this.#excess * 0.97 + (this.#came - mean) ** 2 - mean
      this.#squares = this.#squares * 0.97 + mean ** 2
    }
    // A holiday says nothing about the following week.
    if (this.#came > mean * this.#options.quietShare) {
      this.#recent.push({ expected: this.#expected, came: this.#came })
      if (this.#recent.length > 7) this.#recent.shift()
      keepUsualDay(states, this.#usualDays++ % 7)
    }
    for (const state of states) {
      state.share.todayCame = 0
      state.todayExpected = 0
    }
    this.#expected = 0
    this.#came = 0
  }

  /** Returns today's count if it is significantly low, even without the source that is missing the most. */
  findQuiet(states: readonly SourceState[]): QuietSpell['found'] | null {
    const chance = this.#chanceOfFew(this.#expected, this.#came)
    if (chance >= this.#options.quietChance) return null
    let missed: SourceState | null = null
    const missing = ({ todayExpected, share }: SourceState) => todayExpected - share.todayCame
    for (const state of states) if (missed === null || missing(state) > missing(missed)) missed = state
    if (missed === null) return null
    const others = this.#chanceOfFew(this.#expected - missed.todayExpected, this.#came - missed.share.todayCame)
    if (others >= this.#options.quietChance) return null
    return { expected: this.#expected * this.weekFactor(), came: this.#came, chance }
  }

  /** Returns the chance of this few leads; 1 where too few are expected to tell, or they are not far below. */
  #chanceOfFew(expected: number, came: number): number {
    const { quietShare, quietMinExpected } = this.#options
    const mean = expected * this.weekFactor()
    if (mean < quietMinExpected || came > mean * quietShare) return 1
    const spread = Math.max(0.005, this.#squares > 0 ? this.#excess / this.#squares : 0.02)
    return negativeBinomialCdf(came, mean, 1 / spread)
  }

  /** Returns the count of the last hour. */
  lastHour(): AgencyCount {
    const { expected, came } = this.#hours.at(-1)!
    return { expected: expected * this.weekFactor(), came }
  }

  /** Returns whether the last hours are back to normal: as many as it takes to expect, or get, ten leads. */
  hasResumed(): boolean {
    const week = this.weekFactor()
    let expected = 0
    let came = 0
    for (const one of this.#hours.toReversed()) {
      expected += one.expected * week
      came += one.came
      if (Math.max(expected, came) >= 10) return came >= expected * this.#options.resumedShare
    }
    return false
  }
}

/** Replaces each source's share of the usual day seven days ago. */
function keepUsualDay(states: readonly SourceState[], place: number) {
  for (const { share, todayExpected } of states) {
    share.weekExpected += todayExpected - share.week[place]!
    share.weekCame += share.todayCame - share.week[7 + place]!
    share.week[place] = todayExpected
    share.week[7 + place] = share.todayCame
  }
}

/** Opens, continues or closes the quiet spell at an hour. */
export function followQuiet(
  quiet: QuietSpell | null,
  { agency, states }: { agency: AgencyDay; states: readonly SourceState[] },
  at: number,
  spells: QuietSpell[],
): QuietSpell | null {
  if (quiet) {
    const { expected, came } = agency.lastHour()
    quiet.total = { expected: quiet.total.expected + expected, came: quiet.total.came + came }
    if (!agency.hasResumed()) return quiet
    quiet.closed_at = at
    return null
  }
  const found = agency.findQuiet(states)
  if (!found) return null
  const last = spells.at(-1)
  // A spell that returns within twelve hours is reopened.
  if (last?.closed_at && at - last.closed_at < 12 * msPerHour) {
    last.closed_at = null
    return last
  }
  const spell: QuietSpell = {
    ...{ opened_at: at, closed_at: null, found },
    total: { expected: found.expected, came: found.came },
  }
  spells.push(spell)
  return spell
}
