import { countOf } from '#contract/count-of.ts'
import { msPerDay, msPerHour } from '#contract/days.ts'
import type { Signal } from '../contract.ts'

/** Returns the numbers of a signal; a closed one keeps those that it was opened with. */
export const readEvidence = ({ evidence }: Signal): Signal['evidence'] => ({
  ...(evidence.opened_with as object | undefined),
  ...evidence,
})

/** Returns when the problem started, which may be before it was found. */
export function getSignalStart(signal: Signal): string {
  const { last_lead_at, since } = readEvidence(signal)
  return [readText(last_lead_at), readText(since)].find(isInstant) ?? signal.opened_at
}

/** Returns how long ago an instant was, in its largest unit: `3 hours`. */
export function formatAge(from: string, now: number): string {
  const ms = Math.max(0, now - Date.parse(from))
  const [count, unit] =
    ms >= 2 * msPerDay
      ? [Math.floor(ms / msPerDay), 'day']
      : ms >= msPerHour
        ? [Math.floor(ms / msPerHour), 'hour']
        : [Math.max(1, Math.floor(ms / 60_000)), 'minute']
  return countOf(count, unit)
}

export const readText = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)
const isInstant = (text: string | null): text is string => text !== null && /^\d{4}-\d\d-\d\dT/.test(text)
