import { inArray, sql } from 'drizzle-orm'
import { clientSites } from '#domains/client-sites/table.ts'
import type { Db } from '#server/db.ts'
import { channels } from '#server/live.ts'
import type { inboundEvents } from './table.ts'
import { Together } from './together.ts'

export type Arrived = Pick<typeof inboundEvents.$inferSelect, 'provider' | 'clientsite_id' | 'headers' | 'body'>
/** A site as far as it proves who sends: its keys, still sealed. */
export type SealedSite = { id: number; company: string | null; signingKey: Buffer | null; hookKey: Buffer | null }

/** What every event of a hook needs of the database: who may send it, and a place. Events that come together share both. */
export class Inbox {
  readonly #storing: Together<Arrived, true>
  readonly #byCompany: Together<string[], SealedSite[]>
  readonly #byId: Together<number, SealedSite[]>

  constructor(db: Db) {
    this.#storing = new Together(
      (events) => insert(db, events),
      8 * 1024 * 1024,
      ({ body }) => body.length + 20_000,
    )
    this.#byCompany = new Together(async (asked) => {
      const found = await sites(db, inArray(clientSites.callrail_campaign_identifier, asked.flat()))
      return asked.map((companies) => found.filter(({ company }) => company !== null && companies.includes(company)))
    }, 500)
    this.#byId = new Together(async (asked) => {
      const found = await sites(db, inArray(clientSites.id, asked))
      return asked.map((id) => found.filter((site) => site.id === id))
    }, 500)
  }

  /** Resolves when the event is on disk. */
  async store(event: Arrived): Promise<void> {
    await this.#storing.ask(event)
  }

  async sitesOf(companies: string[]): Promise<SealedSite[]> {
    return companies.length === 0 ? [] : this.#byCompany.ask(companies)
  }

  async siteById(id: number): Promise<SealedSite | undefined> {
    return (await this.#byId.ask(id))[0]
  }
}

function sites(db: Db, which: ReturnType<typeof inArray>): Promise<SealedSite[]> {
  return db
    .select({
      id: clientSites.id,
      company: clientSites.callrail_campaign_identifier,
      signingKey: clientSites.callrail_signing_key,
      hookKey: clientSites.hook_key,
    })
    .from(clientSites)
    .where(sql`${which} and ${clientSites.deleted_at} is null`)
}

/** One statement, so one round trip and one commit; whoever works is woken by that commit. */
async function insert(db: Db, events: Arrived[]): Promise<true[]> {
  const rows = events.map(
    ({ provider, clientsite_id, headers, body }) =>
      sql`(${provider}, ${clientsite_id}::int, ${JSON.stringify(headers)}::jsonb, ${body}::bytea)`,
  )
  await db.execute(sql`
    with stored as (
      insert into inbound_events (provider, clientsite_id, headers, body) values ${sql.join(rows, sql`, `)}
    ) select pg_notify(${channels.event}, '')`)
  return events.map(() => true)
}
