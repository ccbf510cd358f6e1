import { msPerHour } from '#contract/days.ts'

/** In milliseconds of one core. Cheaper computations always run. */
const cheap = 50
/** In between, a computation waits for this many times what the last one took. */
const rest = 400

/** A value that is recomputed at each whole hour, and in between for at most a 400th of the time. */
export class PacedValue<T> {
  #kept: { value: T; hour: number; at: number; cost: number } | null = null

  async get(now: Date, compute: () => Promise<T>): Promise<T> {
    const hour = Math.floor(now.getTime() / msPerHour)
    const kept = this.#kept
    if (kept?.hour === hour && kept.cost > cheap && performance.now() - kept.at < kept.cost * rest) return kept.value
    const before = process.cpuUsage()
    const value = await compute()
    const { user, system } = process.cpuUsage(before)
    this.#kept = { value, hour, at: performance.now(), cost: (user + system) / 1000 }
    return value
  }
}
