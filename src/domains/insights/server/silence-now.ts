import { msPerDay, msPerHour } from '#contract/days.ts'
import { runInSlices } from '#core/jobs/run-in-slices.ts'
import type { QuietSpell } from './agency-activity.ts'
import { createHourClock } from './silence-backtest.ts'
import { replaySilenceByDay, type SourceGap } from './silence-model.ts'
import type { SourceHistory } from './source-state.ts'

export type SilenceNow = {
  /** The full hour up to which leads were evaluated. */
  at: number
  gaps: SourceGap[]
  /** The open spell in which the whole agency is quiet; null if it is not. */
  quiet: QuietSpell | null
}

/**
 * Evaluates the silence model at the last full hour, with the same replay as the backtest. The result depends only on
 * the leads, so a restart or another process changes nothing.
 */
export async function evaluateSilence(
  histories: readonly SourceHistory[],
  now: number,
  timeZone: string,
): Promise<SilenceNow> {
  const at = Math.floor(now / msPerHour) * msPerHour
  const known = histories.map((history) => ({ ...history, leads: history.leads.filter((lead) => lead < at) }))
  const first = known.reduce((least, { leads }) => Math.min(least, leads[0] ?? at), at)
  // The first four weeks are history only, to learn the rates.
  const from = Math.min(first + 28 * msPerDay, at)
  const replay = replaySilenceByDay(known, createHourClock(timeZone), { from, to: at })
  const { gaps, allQuiet } = await runInSlices(replay)
  const spell = allQuiet.at(-1)
  return { at, gaps, quiet: spell && spell.closed_at === null ? spell : null }
}
