/** What the silence model keeps of a source while it replays. */

export const hourMs = 3_600_000
export const hoursPerMonth = 24 * 30.4375

export type SourceHistory = {
  id: string
  category: string
  /** Instants of its leads in milliseconds, ascending. */
  leads: readonly number[]
  /** When its site was offline, in milliseconds: such hours say nothing of its rate. */
  outages?: readonly { from: number; to: number }[]
}

export type SilenceSignal = {
  opened_at: number
  closed_at: number | null
  /** Leads expected between the last lead and `opened_at`. */
  expected: number
  last_lead_at: number
  /** The chance of such a gap, when the signal opened. */
  chance: number
}
export type SourceState = {
  history: SourceHistory
  next: number
  /** Decayed leads and the decayed exposure in which they came, at `ratedAt`. */
  leads: number
  exposure: number
  /** Leads a unit of exposure, as it was at the last lead. */
  rate: number
  shape: number
  lastLead: number
  slots: Float64Array
  slotLeads: number
  /** Since the last lead: dispersed exposure of finished days, and plain exposure of today. */
  gapDispersed: number
  gapExpected: number
  gapToday: number
  /** Whether its site was offline since then. */
  gapOffline: boolean
  today: number
  todayExpected: number
  /** Its part in what the agency brought today, in the last usual week, and in its category's trend. */
  share: AgencyShare
  excess: number
  squares: number
  signal: SilenceSignal | null
  first: number
}

/** What one source has added to sums over many: without it they say what to expect of it. */
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

/** Days that are better or worse than expected: the pooled value is worth this many squared expected leads of a source's own. */
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
