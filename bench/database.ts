import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { migrateDatabase } from '#app/server/migrate.ts'
import { startPostgres, toConnectionUrl } from '#core/postgres/postgres.ts'
import { parseSettings } from '#core/settings/settings.ts'
import { ensureLeadSums } from '#domains/leads/sums/server/build-sums.ts'
import { say } from './report.ts'
import { type Pace, seed } from './seed.ts'

export const folder = import.meta.dirname
export type Database = { url: string; socket: string; stop(): Promise<void> }

/**
 * The kept database of that size under bench/data, on the private PostgreSQL that the product itself runs on, with the
 * settings that it ships with. It is made the first time, which takes some minutes for a million leads.
 */
export async function openDatabase(leads: number, pace: Pace = 'growing'): Promise<Database> {
  const dataDir = join(folder, 'data', pace === 'growing' ? String(leads) : `${pace}-${leads}`)
  const mark = join(dataDir, 'seeded')
  const wanted = fingerprint()
  const isMade = existsSync(mark) && readFileSync(mark, 'utf8') === wanted
  if (!isMade) rmSync(dataDir, { recursive: true, force: true })
  mkdirSync(dataDir, { recursive: true })
  chmodSync(dataDir, 0o711) // as root, PostgreSQL runs as another user, who needs access
  const server = await startPostgres({ dataDir, log: { debug() {}, info() {}, warn: console.warn } })
  const url = toConnectionUrl(server.connection)
  await migrateDatabase(url)
  if (!isMade) {
    say(`making ${leads} leads, once`)
    const started = Date.now()
    await withClient(url, (client) => seed(client, leads, pace))
    writeFileSync(mark, wanted)
    say(`made in ${Math.round((Date.now() - started) / 1000)} s`)
  }
  await addUp(url)
  await warm(url)
  return { url, socket: server.connection.host, stop: () => server.stop() }
}

/** Of what is seeded: a kept database of another one is made anew. One of an older schema is migrated, as everybody's is. */
const fingerprint = () =>
  createHash('sha256')
    .update(readFileSync(join(folder, 'seed.ts')))
    .digest('hex')

/** The sums of all leads, which a worker would build within the first minutes. */
async function addUp(url: string) {
  const pool = new pg.Pool({ connectionString: url })
  const started = Date.now()
  await ensureLeadSums(drizzle(pool), parseSettings({}).AGENCY_TIMEZONE)
  say(`all leads are added up, ${Math.round((Date.now() - started) / 1000)} s`)
  await pool.query('vacuum analyze lead_sums, lead_changes')
  await pool.end()
}

/** Reads what the measured calls read into memory: the figures are those of a database that has been up for a while. */
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
