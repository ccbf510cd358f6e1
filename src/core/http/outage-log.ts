import type { AppLogger } from '../log/log.ts'

/** Logs an outage of the database as one error at its start and one count at its end, however many requests fail. */
export class OutageLog {
  readonly #log: AppLogger
  #outage: { since: number; refused: number } | null = null

  constructor(log: AppLogger) {
    this.#log = log
  }

  refuse(line: { id: string; url: string; err: unknown }) {
    if (this.#outage) this.#outage.refused += 1
    else {
      this.#outage = { since: Date.now(), refused: 1 }
      this.#log.error(line, 'database unavailable; further refused requests are counted')
    }
  }

  /** Call it after each request that the database answered. */
  recover() {
    if (!this.#outage) return
    const { since, refused } = this.#outage
    this.#outage = null
    this.#log.warn({ refused, seconds: Math.round((Date.now() - since) / 1000) }, 'database available again')
  }
}
