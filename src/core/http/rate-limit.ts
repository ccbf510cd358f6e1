const minuteMs = 60_000
const maxCallers = 10_000

/**
 * Whether a caller (an address, a user) may once more, who may so many times a minute. Counted in each process: it bounds the
 * work, it guards nothing.
 */
export function createRateLimiter(times: number) {
  /** When each caller came, in the last minute. */
  const calls = new WeakMap<object, Map<string | number, number[]>>()
  return (context: object, caller: string | number, now = Date.now()): boolean => {
    const known = calls.get(context) ?? new Map<string | number, number[]>()
    calls.set(context, known)
    const recent = (known.get(caller) ?? []).filter((at) => at > now - minuteMs)
    if (recent.length >= times) return false
    known.delete(caller) // goes to the end, so that the first is the one that was silent longest
    known.set(caller, [...recent, now])
    if (known.size > maxCallers) known.delete(known.keys().next().value!)
    return true
  }
}
