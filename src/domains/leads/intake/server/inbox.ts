import { type SQL, sql } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import type pg from 'pg'
import { liveChannels } from '#domains/leads/live-channels.ts'
import { clientSitesTable } from '#domains/sites/client/schema.ts'
import type { inboundEventsTable } from '../schema.ts'
import { RequestBatcher } from './batcher.ts'

export type ReceivedEvent = Pick<
  typeof inboundEventsTable.$inferSelect,
  'provider' | 'clientsite_id' | 'headers' | 'body'
> & { source_id?: number }
/** A site with the keys that verify its senders, still encrypted. */
export type SealedSite = { id: number; company: string | null; signingKey: Buffer | null; hookKey: Buffer | null }

/** This many events in one write are a rush. A steady thousand a second is not, because a write takes a few milliseconds. */
const rushThreshold = 24
/** A rush ends after this many milliseconds without another such write. */
const rushCooldownMs = 150

/** The most bytes and events per write. Each number of events is its own prepared statement. */
const maxBatchBytes = 8 * 1024 * 1024
const maxBatchEvents = 64

/** Reads the sites of senders, and stores events. Concurrent events share both queries. */
export class EventInbox {
  readonly #storing: RequestBatcher<ReceivedEvent, true>
  readonly #byCompany: RequestBatcher<string[], SealedSite[]>
  readonly #byId: RequestBatcher<number, SealedSite[]>
  #rushedAt = 0

  constructor(pool: pg.Pool) {
    this.#storing = new RequestBatcher(
      async (events) => {
        const stored = await insertEvents(pool, events)
        if (events.length >= rushThreshold) this.#rushedAt = Date.now()
        return stored
      },
      maxBatchBytes,
      ({ body }) => Math.max(body.length + 20_000, maxBatchBytes / maxBatchEvents),
    )
    this.#byCompany = new RequestBatcher(async (requests) => {
      const found = await querySealedSites(pool, sealedSiteQueries.byCompany, requests.flat())
      return requests.map((companies) => found.filter(({ company }) => company !== null && companies.includes(company)))
    }, 500)
    this.#byId = new RequestBatcher(async (ids) => {
      const found = await querySealedSites(pool, sealedSiteQueries.byId, ids)
      return ids.map((id) => found.filter((site) => site.id === id))
    }, 500)
  }

  /** Whether events come in faster than they could be stored one by one. */
  get isRushed(): boolean {
    return Date.now() - this.#rushedAt < rushCooldownMs
  }

  /** Resolves when the event is on disk. */
  async store(event: ReceivedEvent): Promise<void> {
    await this.#storing.ask(event)
  }

  async sitesOf(companies: string[]): Promise<SealedSite[]> {
    return companies.length === 0 ? [] : this.#byCompany.ask(companies)
  }

  async siteById(id: number): Promise<SealedSite | undefined> {
    return (await this.#byId.ask(id))[0]
  }
}

// Prepared statements, so that PostgreSQL plans them once per connection: a rush runs them constantly.
const toSealedSiteQuery = (name: string, condition: SQL) => ({
  name,
  text: new PgDialect().sqlToQuery(sql`
    select ${clientSitesTable.id}, ${clientSitesTable.callrail_campaign_identifier} as company,
      ${clientSitesTable.callrail_signing_key} as "signingKey", ${clientSitesTable.hook_key} as "hookKey"
    from ${clientSitesTable} where ${condition} and ${clientSitesTable.deleted_at} is null`).sql,
})
const sealedSiteQueries = {
  byCompany: toSealedSiteQuery(
    'hook sites by company',
    sql`${clientSitesTable.callrail_campaign_identifier} = any(${sql.param([])}::text[])`,
  ),
  byId: toSealedSiteQuery('hook sites by id', sql`${clientSitesTable.id} = any(${sql.param([])}::int[])`),
}

async function querySealedSites(
  pool: pg.Pool,
  query: { name: string; text: string },
  values: unknown[],
): Promise<SealedSite[]> {
  return (await pool.query<SealedSite>({ ...query, values: [values] })).rows
}

/** Stores events in one round trip and one commit, which wakes the workers. */
async function insertEvents(pool: pg.Pool, events: ReceivedEvent[]): Promise<true[]> {
  const rows = events.map((_, index) => `(${[1, 2, 3, 4, 5].map((at) => `$${5 * index + at}`).join(', ')})`)
  const values = events.flatMap(({ provider, clientsite_id, source_id, headers, body }) => [
    provider,
    clientsite_id,
    source_id ?? null,
    headers,
    body,
  ])
  await pool.query({
    name: `hook events ${events.length}`,
    text: `
      with stored as (insert into inbound_events (provider, clientsite_id, source_id, headers, body) values ${rows.join(', ')})
      select pg_notify('${liveChannels.event}', '')`,
    values,
  })
  return events.map(() => true)
}
