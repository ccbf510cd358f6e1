import { sql } from 'drizzle-orm'
import type { Db } from '#server/db.ts'
import { isUnavailable } from '#server/errors.ts'
import { channels } from '#server/live.ts'
import type { inboundEvents } from './table.ts'

export type Arrived = Pick<typeof inboundEvents.$inferSelect, 'provider' | 'clientsite_id' | 'headers' | 'body'>
type Waiting = { event: Arrived; resolve: () => void; reject: (error: unknown) => void }

const mostEvents = 200
const mostBytes = 8 * 1024 * 1024

/**
 * Stores events as they arrive. Whatever comes in while one insert is on its way goes with the next, so that a rush costs a few
 * large commits instead of many small ones; each sender is answered only after the commit that holds its event.
 */
export class Inbox {
  readonly #db: Db
  #waiting: Waiting[] = []
  #storing = false

  constructor(db: Db) {
    this.#db = db
  }

  /** Resolves when the event is on disk. */
  store(event: Arrived): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ event, resolve, reject })
      if (!this.#storing) this.#empty()
    })
  }

  async #empty() {
    this.#storing = true
    while (this.#waiting.length > 0) await this.#storeSome(this.#nextOnes())
    this.#storing = false
  }

  #nextOnes(): Waiting[] {
    let bytes = 0
    const full = this.#waiting.findIndex(({ event }, index) => {
      bytes += event.body.length
      return index > 0 && (bytes > mostBytes || index === mostEvents)
    })
    return this.#waiting.splice(0, full === -1 ? this.#waiting.length : full)
  }

  async #storeSome(some: Waiting[]) {
    try {
      await insert(
        this.#db,
        some.map(({ event }) => event),
      )
      for (const { resolve } of some) resolve()
    } catch (error) {
      // One that PostgreSQL refuses must not take the others with it.
      if (some.length > 1 && !isUnavailable(error)) for (const one of some) await this.#storeSome([one])
      else for (const { reject } of some) reject(error)
    }
  }
}

/** One statement, so one round trip and one commit; whoever works is woken by that commit. */
async function insert(db: Db, events: Arrived[]) {
  const rows = events.map(
    ({ provider, clientsite_id, headers, body }) =>
      sql`(${provider}, ${clientsite_id}::int, ${JSON.stringify(headers)}::jsonb, ${body}::bytea)`,
  )
  await db.execute(sql`
    with stored as (
      insert into inbound_events (provider, clientsite_id, headers, body) values ${sql.join(rows, sql`, `)}
    ) select pg_notify(${channels.event}, '')`)
}
