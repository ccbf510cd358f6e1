import { msPerDay } from '#contract/days.ts'
import type { Signal } from '../contract.ts'

/** Returns when the problem started, which may be before it was found. */
export function getSignalStart({ evidence, opened_at }: Signal): string {
  const started = [readText(evidence.last_lead_at), readText(evidence.since)].find(isInstant)
  return started ?? opened_at
}

/** Returns how long ago an instant was, in its largest unit: `3 hours`. */
export function formatAge(from: string, now: number): string {
  const ms = Math.max(0, now - Date.parse(from))
  const [count, unit] =
    ms >= 2 * msPerDay
      ? [Math.floor(ms / msPerDay), 'day']
      : ms >= 3_600_000
        ? [Math.floor(ms / 3_600_000), 'hour']
        : [Math.floor(ms / 60_000), 'minute']
  return `${count.toLocaleString('en-US')} ${unit}${count === 1 ? '' : 's'}`
}

/** Returns the leads probably lost, always with their range; below one, only the upper bound. */
export function formatLostLeads({ low, mid, high }: NonNullable<Signal['expected_lost']>): string {
  const show = (value: number) => value.toLocaleString('en-US', { maximumFractionDigits: value < 10 ? 1 : 0 })
  if (high < 1) return 'under 1'
  return `${show(mid)} (${show(low)} to ${show(high)})`
}

export const readText = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)
const isInstant = (text: string | null): text is string => text !== null && /^\d{4}-\d\d-\d\dT/.test(text)
