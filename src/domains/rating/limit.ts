import type { House } from '#server/house.ts'

const perMinute = 30
const minute = 60_000
const mostAddresses = 10_000

/** When each address saved, in the last minute. Counted in each process: it bounds the work, the key does the guarding. */
const saves = new WeakMap<House, Map<string, number[]>>()

export function isWithinLimit(house: House, address: string, now = Date.now()): boolean {
  const known = saves.get(house) ?? new Map<string, number[]>()
  saves.set(house, known)
  const recent = (known.get(address) ?? []).filter((at) => at > now - minute)
  if (recent.length >= perMinute) return false
  known.delete(address) // goes to the end, so that the first is the one that was silent longest
  known.set(address, [...recent, now])
  if (known.size > mostAddresses) known.delete(known.keys().next().value!)
  return true
}
