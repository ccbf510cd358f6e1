import type { House } from '../app-context.ts'

const minute = 60_000
const mostCallers = 10_000

/**
 * Whether a caller (an address, a user) may once more, who may so many times a minute. Counted in each process: it bounds the
 * work, it guards nothing.
 */
export function timesAMinute(times: number) {
  /** When each caller came, in the last minute. */
  const calls = new WeakMap<House, Map<string | number, number[]>>()
  return (house: House, caller: string | number, now = Date.now()): boolean => {
    const known = calls.get(house) ?? new Map<string | number, number[]>()
    calls.set(house, known)
    const recent = (known.get(caller) ?? []).filter((at) => at > now - minute)
    if (recent.length >= times) return false
    known.delete(caller) // goes to the end, so that the first is the one that was silent longest
    known.set(caller, [...recent, now])
    if (known.size > mostCallers) known.delete(known.keys().next().value!)
    return true
  }
}
