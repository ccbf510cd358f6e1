type Cached<T> = { version: string; value: T; at: number; took: number }

/** In milliseconds. Faster work is done again at each change. */
const quickWork = 300
/** In milliseconds. Older values are not returned during a refresh. */
const longestKept = 3_600_000

/**
 * Caches expensive work until its version changes. Slow work is kept for a multiple of its duration despite changes, so
 * that a busy agency spends little on it; after that it is refreshed in the background while callers get the old value.
 */
export class VersionedCache<T> {
  readonly #keepFactor: number
  #cached: Cached<T> | null = null
  #pending: { version: string; value: Promise<T> } | null = null

  constructor(keepFactor: number) {
    this.#keepFactor = keepFactor
  }

  read(version: string, work: () => Promise<T> | T): Promise<T> {
    const cached = this.#cached
    if (cached?.version === version) return Promise.resolve(cached.value)
    const age = cached ? performance.now() - cached.at : Number.POSITIVE_INFINITY
    const isSlow = cached !== null && cached.took > quickWork
    if (isSlow && age < cached.took * this.#keepFactor) return Promise.resolve(cached.value)
    const value = this.#start(version, work, isSlow)
    if (!isSlow || age > Math.max(longestKept, cached.took * this.#keepFactor)) return value
    value.catch(() => {}) // the next caller gets the error
    return Promise.resolve(cached.value)
  }

  #start(version: string, work: () => Promise<T> | T, isSlow: boolean): Promise<T> {
    // No one knows yet whether the first work is slow: in a busy process every caller would start it again.
    const isShared = isSlow || this.#cached === null
    if (this.#pending && (this.#pending.version === version || isShared)) return this.#pending.value
    const pending = { version, value: this.#work(version, work) }
    this.#pending = pending
    const forget = () => {
      if (this.#pending === pending) this.#pending = null
    }
    pending.value.then(forget, forget)
    return pending.value
  }

  async #work(version: string, work: () => Promise<T> | T): Promise<T> {
    const started = performance.now()
    const value = await work()
    this.#cached = { version, value, at: performance.now(), took: performance.now() - started }
    return value
  }
}
