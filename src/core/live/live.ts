import pg from 'pg'
import type { AppLogger } from '../log/log.ts'

type PayloadHandler = (payload: string) => void

/** One connection that listens, comes back by itself when the server does, and passes on what it hears. */
export class PgListener {
  readonly #connectionString: string
  readonly #channels: readonly string[]
  readonly #log: AppLogger
  readonly #hearers = new Map<string, Set<PayloadHandler>>()
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
      for (const hear of this.#hearers.get(channel) ?? []) hear(payload ?? '')
    })
    await client.connect()
    for (const channel of this.#channels) await client.query(`listen ${channel}`)
    this.#client = client
    // Whatever was said while nobody listened: an empty payload means "look for yourself".
    for (const hearers of this.#hearers.values()) for (const hear of hearers) hear('')
  }

  /** Calls `hear` with each payload, and with '' after a gap. Answers how to stop. */
  on(channel: string, hear: PayloadHandler): () => void {
    const hearers = this.#hearers.get(channel) ?? new Set()
    this.#hearers.set(channel, hearers.add(hear))
    return () => hearers.delete(hear)
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
