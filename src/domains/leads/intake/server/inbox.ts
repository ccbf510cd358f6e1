import type pg from 'pg'
import { liveChannels } from '#domains/leads/live-channels.ts'
import type { inboundEventsTable } from '../schema.ts'
import { RequestBatcher } from './batcher.ts'

export type ReceivedEvent = Pick<
  typeof inboundEventsTable.$inferSelect,
  'provider' | 'clientsite_id' | 'headers' | 'body'
>
/** A site as far as it proves who sends: its keys, still sealed. */
export type SealedSite = { id: number; company: string | null; signingKey: Buffer | null; hookKey: Buffer | null }

/** So many events that go to the disk together are a rush, */
const rushThreshold = 5
/** which is over when there was none for so many milliseconds. */
const rushCooldownMs = 150

/** What goes to the disk together at most. Each number of events is a statement of its own, which PostgreSQL keeps planned. */
const maxBatchBytes = 8 * 1024 * 1024
const maxBatchEvents = 64

/** What every event of a hook needs of the database: who may send it, and a place. Events that come together share both. */
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
    this.#byCompany = new RequestBatcher(async (asked) => {
      const found = await querySealedSites(pool, sealedSiteQueries.byCompany, asked.flat())
      return asked.map((companies) => found.filter(({ company }) => company !== null && companies.includes(company)))
    }, 500)
    this.#byId = new RequestBatcher(async (asked) => {
      const found = await querySealedSites(pool, sealedSiteQueries.byId, asked)
      return asked.map((id) => found.filter((site) => site.id === id))
    }, 500)
  }

  /** Whether events come faster here than one after the other could be stored. */
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

// Named, so that PostgreSQL plans each of these once a connection: a rush asks them all the time.
const sealedSiteSelect =
  'select id, callrail_campaign_identifier as company, callrail_signing_key as "signingKey", hook_key as "hookKey"'
const sealedSiteQueries = {
  byCompany: {
    name: 'hook sites by company',
    text: `${sealedSiteSelect} from client_sites where callrail_campaign_identifier = any($1::text[]) and deleted_at is null`,
  },
  byId: {
    name: 'hook sites by id',
    text: `${sealedSiteSelect} from client_sites where id = any($1::int[]) and deleted_at is null`,
  },
}

async function querySealedSites(
  pool: pg.Pool,
  query: { name: string; text: string },
  asked: unknown[],
): Promise<SealedSite[]> {
  return (await pool.query<SealedSite>({ ...query, values: [asked] })).rows
}

/** One round trip and one commit; whoever works is woken by that commit. */
async function insertEvents(pool: pg.Pool, events: ReceivedEvent[]): Promise<true[]> {
  const rows = events.map((_, index) => `($${4 * index + 1}, $${4 * index + 2}, $${4 * index + 3}, $${4 * index + 4})`)
  const values = events.flatMap((event) => [event.provider, event.clientsite_id, event.headers, event.body])
  await pool.query({
    name: `hook events ${events.length}`,
    text: `
      with stored as (insert into inbound_events (provider, clientsite_id, headers, body) values ${rows.join(', ')})
      select pg_notify('${liveChannels.event}', '')`,
    values,
  })
  return events.map(() => true)
}
