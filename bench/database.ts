import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { migrateDatabase } from '#app/server/migrate.ts'
import { startPostgres, toConnectionUrl } from '#core/postgres/postgres.ts'
import { parseSettings } from '#domains/app-settings.ts'
import { ensureLeadSums } from '#domains/leads/sums/server/build-sums.ts'
import { until } from '#test/until.ts'
import { say } from './report.ts'
import { type Pace, seed } from './seed.ts'

export const folder = import.meta.dirname
export type Database = { url: string; socket: string; stop(): Promise<void> }

/**
 * Opens the kept database of that size under bench/data, on the private PostgreSQL that the product itself runs on, with the
 * default settings. It is created the first time, which takes a minute and a half for a million leads.
 */
export async function openDatabase(leads: number, pace: Pace = 'growing'): Promise<Database> {
  const dataDir = join(folder, 'data', pace === 'growing' ? String(leads) : `${pace}-${leads}`)
  const mark = join(dataDir, 'seeded')
  const wanted = fingerprint()
  const isMade = existsSync(mark) && readFileSync(mark, 'utf8') === wanted
  if (!isMade) rmSync(dataDir, { recursive: true, force: true })
  mkdirSync(dataDir, { recursive: true })
  chmodSync(dataDir, 0o711) // as root, PostgreSQL runs as another user, who needs access
  if (!isMade) {
    say(`making ${leads} leads, once`)
    const started = Date.now()
    await make(dataDir, leads, pace)
    writeFileSync(mark, wanted)
    say(`made in ${Math.round((Date.now() - started) / 1000)} s`)
  }
  const server = await startPostgres({ dataDir, log })
  const url = toConnectionUrl(server.connection)
  await migrateDatabase(url)
  await addUp(url)
  await warm(url)
  return { url, socket: server.connection.host, stop: () => server.stop() }
}

const log = { debug() {}, info() {}, warn: console.warn }

/** A database that is being made may be lost in a crash: it is made again. */
const whileMaking = {
  fsync: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '8GB',
  checkpoint_timeout: '1h',
  autovacuum: 'off',
  shared_buffers: '1GB',
}

async function make(dataDir: string, leads: number, pace: Pace) {
  const server = await startPostgres({ dataDir, settings: whileMaking, log })
  const url = toConnectionUrl(server.connection)
  await migrateDatabase(url)
  await withClient(url, (client) => seed(client, leads, pace))
  await addUp(url)
  await server.stop()
}

/** Identifies the seed: a database from another seed is recreated. One with an older schema is migrated, as usual. */
const fingerprint = () =>
  createHash('sha256')
    .update(readFileSync(join(folder, 'seed.ts')))
    .digest('hex')

/** Builds the sums of all leads, as a worker would within the first minutes. */
async function addUp(url: string) {
  const pool = new pg.Pool({ connectionString: url })
  pool.on('error', () => {}) // a connection that is being closed when the server stops
  const started = Date.now()
  await ensureLeadSums(drizzle(pool), parseSettings({}).AGENCY_TIMEZONE)
  say(`sums of leads built in ${Math.round((Date.now() - started) / 1000)} s`)
  await pool.query('vacuum analyze') // as autovacuum would have by now
  await pool.end()
}

/** Loads tables and indexes into memory, so that the figures are those of a database that has been up for a while. */
const warm = (url: string) =>
  withClient(url, async (client) => {
    await client.query('create extension if not exists pg_prewarm')
    await client.query(`
      select pg_prewarm(oid, 'read') from pg_class where relkind in ('r', 'i') and relnamespace = 'public'::regnamespace`)
  })

export async function withClient<Answer>(url: string, run: (client: pg.Client) => Promise<Answer>): Promise<Answer> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return await run(client)
  } finally {
    await client.end()
  }
}

/** Removes the users whose name begins so, with what the app has queued for them. */
export async function removeUsers(client: pg.Client, name: string): Promise<void> {
  await client.query('delete from messages using users where users.id = user_id and starts_with(username, $1)', [name])
  await client.query('delete from users where starts_with(username, $1)', [name])
}

/**
 * Removes the leads whose provider's id begins so. Waits until the app has added the changes to its sums, which it does each minute:
 * until then its readers add them up, and the next figures would be those of a rush.
 */
export async function removeLeads(client: pg.Client, id: string): Promise<void> {
  await client.query('truncate inbound_events')
  await client.query('delete from leads where starts_with(lead_id, $1)', [id])
  await client.query('vacuum analyze leads')
  await until(async () => (await client.query('select from lead_changes limit 1')).rowCount === 0)
}
