const hourMs = 3_600_000
/** The computation budget per hour, in milliseconds of one core; the first computation of an hour always runs. */
const budgetMs = 4000

/** A value that is recomputed at each whole hour, and in between as often as the budget allows. */
export class PacedValue<T> {
  #kept: { value: T; hour: number } | null = null
  #spent = 0
  #cost = 0

  async get(now: Date, compute: () => Promise<T>): Promise<T> {
    const hour = Math.floor(now.getTime() / hourMs)
    if (this.#kept && this.#kept.hour === hour && this.#spent + this.#cost > budgetMs) return this.#kept.value
    if (this.#kept?.hour !== hour) this.#spent = 0
    const before = process.cpuUsage()
    const value = await compute()
    const { user, system } = process.cpuUsage(before)
    this.#cost = (user + system) / 1000
    this.#spent += this.#cost
    this.#kept = { value, hour }
    return value
  }
}
