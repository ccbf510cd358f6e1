/** The silence model's state of a source during a replay. */

export const hourMs = 3_600_000
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
export type SourceState = {
  history: SourceHistory
  next: number
  /** Decayed leads and decayed exposure, as of `ratedAt`. */
  leads: number
  exposure: number
  /** Leads per unit of exposure, as of the last lead. */
  rate: number
  shape: number
  lastLead: number
  slots: Float64Array
  slotLeads: number
  /** Since the last lead: dispersed exposure of finished days, and plain exposure of today. */
  gapDispersed: number
  gapExpected: number
  gapToday: number
  /** Whether its site has been offline since the last lead. */
  gapOffline: boolean
  today: number
  todayExpected: number
  /** Its share of the agency's leads today, of the last usual week, and of its category's trend. */
  share: AgencyShare
  excess: number
  squares: number
  signal: SilenceSignal | null
  first: number
}

/** A source's share of the agency's sums. Without this share, the sums predict the source. */
export type AgencyShare = {
  todayCame: number
  weekExpected: number
  weekCame: number
  /** The usual days of the week: seven expectations, then seven counts. */
  week: Float64Array
  trendExpected: number
  trendCame: number
}

export type DispersionSums = { excess: number; squares: number }

export function createState(history: SourceHistory): SourceState {
  return {
    history,
    next: 0,
    leads: 0,
    exposure: 0,
    rate: 0,
    shape: 1,
    lastLead: -1,
    slots: new Float64Array(168),
    slotLeads: 0,
    gapDispersed: 0,
    gapExpected: 0,
    gapToday: 0,
    gapOffline: false,
    today: 0,
    todayExpected: 0,
    share: { todayCame: 0, weekExpected: 0, weekCame: 0, week: new Float64Array(14), trendExpected: 0, trendCame: 0 },
    excess: 0,
    squares: 0,
    signal: null,
    first: history.leads[0]!,
  }
}

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
