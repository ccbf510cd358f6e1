const maxKept = 100

/** The newest events of a stream, for those who come to it late. */
export class RecentEvents<T> {
  readonly #kept: { at: number; event: T }[] = []
  /** Nothing is missing since then, in milliseconds of `performance.now()`. */
  #since: number

  /** `age`: for so many milliseconds the stream has been heard already. */
  constructor(age = 0) {
    this.#since = performance.now() - age
  }

  add(event: T) {
    this.#kept.push({ at: performance.now(), event })
    if (this.#kept.length > maxKept) this.#since = this.#kept.shift()!.at
  }

  /** Returns the events of the last `age` milliseconds, the oldest first; null if some of them may be missing. */
  ofLast(age: number): T[] | null {
    const from = performance.now() - age
    if (from < this.#since) return null
    return this.#kept.filter(({ at }) => at >= from).map(({ event }) => event)
  }
}
