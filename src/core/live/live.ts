import pg from 'pg'
import type { AppLogger } from '../log/log.ts'

type PayloadHandler = (payload: string) => void

/** A connection that listens to PostgreSQL notifications, reconnects after an outage, and calls the handlers of each channel. */
export class PgListener {
  readonly #connectionString: string
  readonly #channels: readonly string[]
  readonly #log: AppLogger
  readonly #handlers = new Map<string, Set<PayloadHandler>>()
  #client: pg.Client | null = null
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
      application_name: 'leadline-live',
      keepAlive: true,
    })
    client.on('error', (error) => this.#lost(client, error))
    client.on('end', () => this.#lost(client, new Error('connection ended')))
    client.on('notification', ({ channel, payload }) => {
      for (const handle of this.#handlers.get(channel) ?? []) handle(payload ?? '')
    })
    await client.connect()
    for (const channel of this.#channels) await client.query(`listen ${channel}`)
    this.#client = client
    // Notifications during the outage are lost: an empty payload tells handlers to check for themselves.
    for (const handlers of this.#handlers.values()) for (const handle of handlers) handle('')
  }

  /** Calls the handler with each payload, and with '' after a gap. Returns a function that stops it. */
  on(channel: string, handle: PayloadHandler): () => void {
    const handlers = this.#handlers.get(channel) ?? new Set()
    this.#handlers.set(channel, handlers.add(handle))
    return () => handlers.delete(handle)
  }

  async stop(): Promise<void> {
    this.#stopped = true
    if (this.#retry) clearTimeout(this.#retry)
    await this.#client?.end().catch(() => {})
  }

  #lost(client: pg.Client, error: Error) {
    if (this.#stopped || this.#retry || (this.#client && this.#client !== client)) return
    this.#client = null
    this.#log.warn({ err: error }, 'live connection lost')
    client.end().catch(() => {})
    const again = () => {
      this.#retry = null
      this.start().catch(() => {
        if (!this.#stopped) this.#retry = setTimeout(again, 500)
      })
    }
    this.#retry = setTimeout(again, 500)
  }
}
