/** The silence model's state of a source during a replay. */

export const hoursPerMonth = 24 * 30.4375

export type SourceHistory = {
  id: string
  category: string
  /** Instants of its leads in milliseconds, ascending. */
  leads: readonly number[]
  /** When its site was offline, in milliseconds; these hours say nothing about its rate. */
  outages?: readonly { from: number; to: number }[]
}

export type SilenceSignal = {
  opened_at: number
  closed_at: number | null
  /** Leads expected between the last lead and `opened_at`. */
  expected: number
  last_lead_at: number
  /** The chance of the gap when the signal opened. */
  chance: number
}
/**
 * What each hour reads and changes, by source. In arrays, because a pass over thousands of objects every hour mostly waits
 * for memory.
 */
export class HourlyNumbers {
  readonly #count: number
  /** Milliseconds of the first lead that is not counted yet; Infinity after the last. */
  readonly nextAt: Float64Array
  /** Leads per unit of exposure, as of the last lead. */
  readonly rate: Float64Array
  /** Decayed exposure. */
  readonly exposure: Float64Array
  readonly todayExpected: Float64Array
  /** Leads expected since the last one: of finished days, and of today without the agency's factor. */
  readonly gapExpected: Float64Array
  readonly gapToday: Float64Array
  /** Leads ever counted, and by hour of the week: all sources of an hour in a row. */
  readonly leads: Float64Array
  readonly #leadsBySlot: Float64Array
  readonly isSilent: Uint8Array
  readonly hasOutages: Uint8Array

  constructor(count: number) {
    this.#count = count
    const numbers = () => new Float64Array(count)
    this.nextAt = numbers()
    this.rate = numbers()
    this.exposure = numbers()
    this.todayExpected = numbers()
    this.gapExpected = numbers()
    this.gapToday = numbers()
    this.leads = numbers()
    this.#leadsBySlot = new Float64Array(count * 168)
    this.isSilent = new Uint8Array(count)
    this.hasOutages = new Uint8Array(count)
  }

  leadsAt(slot: number, source: number): number {
    return this.#leadsBySlot[slot * this.#count + source]!
  }

  countLeads(slot: number, source: number, leads: number) {
    this.#leadsBySlot[slot * this.#count + source]! += leads
    this.leads[source]! += leads
  }
}

export class SourceState {
  readonly history: SourceHistory
  /** Its place in the hourly numbers. */
  readonly place: number
  readonly #hourly: HourlyNumbers
  readonly first: number
  /** How many of its leads are counted. */
  next = 0
  lastLead = -1
  /** Decayed leads. */
  leads = 0
  shape = 1
  /** Since the last lead: the dispersed expectation of finished days. */
  gapDispersed = 0
  /** Whether its site has been offline since the last lead. */
  gapOffline = false
  today = 0
  /** Its share of the agency's leads today, of the last usual week, and of its category's trend. */
  share: AgencyShare = {
    ...{ todayCame: 0, weekExpected: 0, weekCame: 0, week: new Float64Array(14) },
    ...{ trendExpected: 0, trendCame: 0 },
  }
  excess = 0
  squares = 0
  #signal: SilenceSignal | null = null

  constructor(history: SourceHistory, place: number, hourly: HourlyNumbers) {
    this.history = history
    this.place = place
    this.#hourly = hourly
    this.first = history.leads[0]!
    hourly.nextAt[place] = this.first
    hourly.hasOutages[place] = history.outages?.length ? 1 : 0
  }

  get signal() {
    return this.#signal
  }
  set signal(signal: SilenceSignal | null) {
    this.#signal = signal
    this.#hourly.isSilent[this.place] = signal ? 1 : 0
  }
  get rate() {
    return this.#hourly.rate[this.place]!
  }
  set rate(rate: number) {
    this.#hourly.rate[this.place] = rate
  }
  get exposure() {
    return this.#hourly.exposure[this.place]!
  }
  set exposure(exposure: number) {
    this.#hourly.exposure[this.place] = exposure
  }
  get todayExpected() {
    return this.#hourly.todayExpected[this.place]!
  }
  set todayExpected(expected: number) {
    this.#hourly.todayExpected[this.place] = expected
  }
  get gapExpected() {
    return this.#hourly.gapExpected[this.place]!
  }
  set gapExpected(expected: number) {
    this.#hourly.gapExpected[this.place] = expected
  }
  get gapToday() {
    return this.#hourly.gapToday[this.place]!
  }
  set gapToday(expected: number) {
    this.#hourly.gapToday[this.place] = expected
  }

  /** Counts the leads before `to` and returns how many. */
  takeLeads(to: number): number {
    const { leads } = this.history
    const before = this.next
    while (this.next < leads.length && leads[this.next]! < to) this.lastLead = leads[this.next++]!
    this.#hourly.nextAt[this.place] = leads[this.next] ?? Number.POSITIVE_INFINITY
    return this.next - before
  }
}

/** A source's share of the agency's sums. Without this share, the sums predict the source. */
type AgencyShare = {
  todayCame: number
  weekExpected: number
  weekCame: number
  /** The usual days of the week: seven expectations, then seven counts. */
  week: Float64Array
  trendExpected: number
  trendCame: number
}

export type DispersionSums = { excess: number; squares: number }

/** The weight of the pooled day-to-day dispersion, in squared expected leads of the source. */
const pooledSquares = 400

export function dispersionOf(state: SourceState, pooled: DispersionSums): number {
  const common = pooled.squares > 0 ? Math.max(0, pooled.excess / pooled.squares) : 0.1
  return Math.max(0.01, (state.excess + common * pooledSquares) / (state.squares + pooledSquares))
}

/** P(nothing in this day) as the exposure of a Poisson with the same chance: a Gamma with variance `spread` times the mean. */
export const disperseExpected = (expected: number, spread: number) => Math.log1p(expected * spread) / spread

export function gapChance(state: SourceState, factor: number, pooled: DispersionSums): number {
  const dispersed = state.gapDispersed + disperseExpected(state.gapToday * factor, dispersionOf(state, pooled))
  return (1 + dispersed / state.shape) ** -state.shape
}
