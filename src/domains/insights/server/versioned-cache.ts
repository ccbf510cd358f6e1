type Cached<T> = { version: string; value: T; at: number; took: number }

/** In milliseconds. What takes longer than the first is kept for a while though something changed, but not longer than the second. */
const quickWork = 300
const longestKept = 3_600_000

/**
 * Keeps what is expensive to work out while nothing has changed. What takes long is kept for a multiple of that time whatever changes,
 * so that a busy agency spends little on it; after that it is worked out again behind the answer, which does not wait.
 */
export class VersionedCache<T> {
  readonly #patience: number
  #cached: Cached<T> | null = null
  #pending: { version: string; value: Promise<T> } | null = null

  constructor(patience: number) {
    this.#patience = patience
  }

  read(version: string, work: () => Promise<T> | T): Promise<T> {
    const cached = this.#cached
    if (cached?.version === version) return Promise.resolve(cached.value)
    const age = cached ? performance.now() - cached.at : Number.POSITIVE_INFINITY
    const isSlow = cached !== null && cached.took > quickWork
    if (isSlow && age < cached.took * this.#patience) return Promise.resolve(cached.value)
    const value = this.#start(version, work, isSlow)
    if (!isSlow || age > Math.max(longestKept, cached.took * this.#patience)) return value
    value.catch(() => {}) // the next one to ask is told
    return Promise.resolve(cached.value)
  }

  #start(version: string, work: () => Promise<T> | T, isSlow: boolean): Promise<T> {
    if (this.#pending && (this.#pending.version === version || isSlow)) return this.#pending.value
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
