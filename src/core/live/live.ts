import pg from 'pg'
import { RecentEvents } from '#contract/recent-events.ts'
import { conflictError } from '../http/errors.ts'
import type { AppLogger } from '../log/log.ts'

/** By it a process that uses a database is known. */
const listenerName = 'leadline-live'

/** Throws 409 if a Leadline is running on this database. */
export async function assertNotRunning(client: pg.ClientBase): Promise<void> {
  const listeners = 'select from pg_stat_activity where datname = current_database() and application_name = $1'
  if ((await client.query(listeners, [listenerName])).rows.length > 0)
    throw conflictError('Stop Leadline first: it is running on this database')
}

type PayloadHandler = (payload: string) => void

/** A connection that listens to PostgreSQL notifications, reconnects after an outage, and calls the handlers of each channel. */
export class PgListener {
  readonly #connectionString: string
  readonly #channels: readonly string[]
  readonly #log: AppLogger
  readonly #handlers = new Map<string, Set<PayloadHandler>>()
  /** What was heard since the last outage. Streams of a process before this one have ended, and their readers read all again. */
  #recent = new RecentEvents<{ channel: string; payload: string }>(Number.POSITIVE_INFINITY)
  /** The only connection, also while it is being made. */
  #client: pg.Client | null = null
  #isListening = false
  #retry: NodeJS.Timeout | null = null
  #stopped = false

  constructor(connectionString: string, channels: readonly string[], log: AppLogger) {
    this.#connectionString = connectionString
    this.#channels = channels
    this.#log = log
  }

  async start(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.#connectionString,
      keepAlive: true,
    })
    this.#client = client
    client.on('error', (error) => this.#lose(client, error))
    client.on('end', () => this.#lose(client, new Error('connection ended')))
    client.on('notification', ({ channel, payload = '' }) => {
      this.#recent.add({ channel, payload })
      for (const handle of this.#handlers.get(channel) ?? []) handle(payload)
    })
    await client.connect()
    await client.query(`set application_name = '${listenerName}'`) // the address may have another
    for (const channel of this.#channels) await client.query(`listen ${channel}`)
    this.#isListening = true
    if (this.#retry) this.#recent = new RecentEvents()
    // Notifications during the outage are lost: an empty payload tells handlers to check for themselves.
    for (const handlers of this.#handlers.values()) for (const handle of handlers) handle('')
  }

  /**
   * Calls the handler with each payload, those of the last `age` milliseconds at once, and with '' after a gap. Returns a function that
   * stops it.
   */
  on(channel: string, handle: PayloadHandler, age = 0): () => void {
    const handlers = this.#handlers.get(channel) ?? new Set()
    this.#handlers.set(channel, handlers.add(handle))
    const earlier = age > 0 ? this.#recent.ofLast(age) : []
    if (earlier === null) handle('')
    else for (const heard of earlier) if (heard.channel === channel) handle(heard.payload)
    return () => handlers.delete(handle)
  }

  async stop(): Promise<void> {
    this.#stopped = true
    if (this.#retry) clearTimeout(this.#retry)
    await this.#client?.end().catch(() => {})
  }

  /** Replaces a connection soon; a second call for the same one is ignored. */
  #lose(client: pg.Client, error: Error) {
    if (this.#stopped || this.#client !== client) return
    if (this.#isListening) this.#log.warn({ err: error }, 'live connection lost')
    this.#client = null
    this.#isListening = false
    client.end().catch(() => {})
    this.#retry = setTimeout(() => {
      this.start().catch((reason) => this.#client && this.#lose(this.#client, reason))
    }, 500)
  }
}
