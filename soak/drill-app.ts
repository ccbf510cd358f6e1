import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { toConnectionUrl } from '#core/postgres/postgres.ts'
import { postCall } from '#test/provider-hooks.ts'
import { type ListeningServer, startServer, stopServer } from '#test/server-process.ts'
import { until } from '#test/until.ts'

/** The key that CallRail signs with in a drill, and the company whose calls become leads. */
const signingKey = 'key-of-the-drill'
const company = 'COM-drill'

export const drillSettings = {
  SECRET_KEY: '5e'.repeat(32),
  ADMIN_PASSWORD: 'password of the drill',
  CALLRAIL_SIGNING_KEY: signingKey,
}

/** A campaign whose client is mailed, and the site that CallRail knows it by. */
export async function openAgency(query: (text: string) => Promise<unknown>): Promise<void> {
  await query(`
    with client as (insert into clients (name, emails) values ('Client', array['owner@client.example']) returning id),
    campaign as (
      insert into campaigns (name, client_id, manager, start_date, initial_target)
      select 'Campaign', id, 'Morgan', '2025-01-15', 20 from client returning id)
    insert into client_sites (url, campaign_id, callrail_campaign_identifier)
    select 'https://drill.example', id, '${company}' from campaign`)
}

/** How many hooks wait in the journal of a data directory. */
export function countJournalFiles(folder: string): number {
  const journal = join(folder, 'hook-journal')
  return existsSync(journal) ? readdirSync(journal).filter((name) => name.endsWith('.json')).length : 0
}

/** A drill's own Leadline: a data directory with its private PostgreSQL, and the process that serves it, which can be restarted. */
export class DrillApp {
  readonly folder: string
  readonly #settings: Record<string, string>
  #serving: ListeningServer | null = null

  constructor(settings: Record<string, string> = {}, folder = mkdtempSync(join(tmpdir(), 'leadline-drill-'))) {
    this.folder = folder
    chmodSync(folder, 0o711) // as root, PostgreSQL runs as another user, who needs access
    this.#settings = { ...drillSettings, DATA_DIR: folder, ...settings }
  }

  async start(): Promise<void> {
    this.#serving = await startServer(this.#settings)
  }

  get url(): string {
    return this.#serving?.url ?? ''
  }

  get pid(): number {
    return this.#serving!.child.pid!
  }

  /** Returns the process id of the private PostgreSQL, 0 if it is not running. */
  get postmaster(): number {
    return existsSync(this.#postmasterFile) ? Number.parseInt(readFileSync(this.#postmasterFile, 'utf8'), 10) : 0
  }

  get #postmasterFile(): string {
    return join(this.folder, 'postgres/cluster/postmaster.pid')
  }

  stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    return this.#serving ? stopServer(this.#serving, signal) : Promise.resolve(null)
  }

  /** Returns the current status of `/readyz` or another address; 0 without a response. */
  async status(path = '/readyz'): Promise<number> {
    const answer = await fetch(this.url + path, { signal: AbortSignal.timeout(10_000) }).catch(() => null)
    await answer?.arrayBuffer()
    return answer?.status ?? 0
  }

  ready = () => until(async () => (await this.status()) === 200, 60)

  /** Queries the database directly, while it is available. */
  async query<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    const socket = readFileSync(this.#postmasterFile, 'utf8').split('\n')[4]!.trim()
    const client = new pg.Client(toConnectionUrl({ host: socket, port: 5432, user: 'leadline', database: 'leadline' }))
    client.on('error', () => {})
    await client.connect()
    try {
      return (await client.query(text, values)).rows
    } finally {
      await client.end()
    }
  }

  async number(text: string): Promise<number> {
    return Number((await this.query<{ n: string }>(`select (${text}) as n`))[0]!.n)
  }

  /** Returns whether every hook that was answered 200 is in the database and processed; the journal fills the table. */
  async hasReadHooks(): Promise<boolean> {
    return (
      countJournalFiles(this.folder) === 0 &&
      (await this.number(`select count(*) from inbound_events where state = 'stored'`)) === 0
    )
  }

  open = () => openAgency((text) => this.query(text))

  async close(): Promise<void> {
    await this.stop()
    await until(() => this.postmaster === 0, 30)
    rmSync(this.folder, { recursive: true, force: true })
  }
}

/** Returns a call as CallRail reports it; `lead` becomes its number. */
export const buildSignedCall = (lead: string) =>
  Buffer.from(JSON.stringify(postCall({ resource_id: lead, company_resource_id: company })))

export const drillSigningKey = signingKey
