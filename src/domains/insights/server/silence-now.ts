import { createHourClock } from './silence-backtest.ts'
import { replaySilence, type SourceGap } from './silence-model.ts'
import { hourMs, type SourceHistory } from './source-state.ts'

const dayMs = 24 * hourMs

export type SilenceNow = {
  /** The whole hour up to which it was looked. */
  at: number
  gaps: SourceGap[]
  /** Since when the whole agency is quiet. */
  quiet_since: number | null
}

/**
 * What the silence model says at the last whole hour: the same replay as the back-test's, over the history given. It takes the same
 * answer from the same leads, so that a restart, or another process, changes nothing.
 */
export function evaluateSilence(histories: readonly SourceHistory[], now: number, timeZone: string): SilenceNow {
  const at = Math.floor(now / hourMs) * hourMs
  const known = histories.map((history) => ({ ...history, leads: history.leads.filter((lead) => lead < at) }))
  const first = known.reduce((least, { leads }) => Math.min(least, leads[0] ?? at), at)
  // The first weeks are history: before them no rate is known.
  const from = Math.min(first + 28 * dayMs, at)
  const { gaps, allQuiet } = replaySilence(known, createHourClock(timeZone), { from, to: at })
  const spell = allQuiet.at(-1)
  return { at, gaps, quiet_since: spell && spell.closed_at === null ? spell.opened_at : null }
}
