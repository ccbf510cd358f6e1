/** Repeatable random numbers: the same seed returns the same numbers, so two demos of one day are the same agency. */
export class SeededRandom {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** From 0 up to, not including, 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  /** A whole number, both ends included. */
  int(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from + 1))
  }

  pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.next() * list.length)]!
  }

  /** Returns one of the names, according to their weights. */
  weighted<const T extends string>(weights: Record<T, number>): T {
    const entries = Object.entries<number>(weights) as [T, number][]
    let left = this.next() * entries.reduce((sum, [, weight]) => sum + weight, 0)
    for (const [name, weight] of entries) {
      left -= weight
      if (left < 0) return name
    }
    return entries[0]![0]
  }

  /** Returns a number around `median` with a long upper tail: durations, prices, sizes. */
  skewed(median: number, spread = 0.6): number {
    return median * Math.exp(spread * this.normal())
  }

  normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.next())) * Math.cos(2 * Math.PI * this.next())
  }

  /** Returns a number of events when `mean` are expected. */
  count(mean: number): number {
    const limit = Math.exp(-mean)
    let product = this.next()
    let events = 0
    while (product > limit) {
      product *= this.next()
      events += 1
    }
    return events
  }

  text(length: number, alphabet = '0123456789abcdef'): string {
    return Array.from({ length }, () => alphabet[this.int(0, alphabet.length - 1)]).join('')
  }
}
