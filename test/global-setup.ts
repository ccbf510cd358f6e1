import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { migrateDatabase } from '#app/server/migrate.ts'
import { connectDatabase } from '#core/db/db.ts'
import { type PostgresConnection, startPostgres, toConnectionUrl } from '#core/postgres/postgres.ts'
import { parseSettings } from '#core/settings/settings.ts'
import { ensureWeekCounts } from '#domains/reports/counted-weeks/server/recount.ts'
import { type FoundBrowser, findBrowser } from './find-browser.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgres: PostgresConnection
    /** Null where there is none; a test that needs it then fails and says how to get one. */
    browser: FoundBrowser | null
  }
}

const mark = 'leadline-test-'
const quiet = { debug() {}, info() {}, warn: console.warn, error: console.error }

/** Once for the whole run: one PostgreSQL, one migrated database to copy, one browser found. */
export default async function setup(project: TestProject) {
  sweep()
  const dataDir = mkdtempSync(join(tmpdir(), `${mark}${process.pid}-`))
  chmodSync(dataDir, 0o711) // as root, PostgreSQL runs as somebody else and must get in
  const [server, browser] = await Promise.all([
    startPostgres({ dataDir, settings: forgetful, log: quiet }),
    findBrowser(),
  ])
  await makeTemplate(server.connection)
  project.provide('postgres', server.connection)
  project.provide('browser', browser)
  return async () => {
    await server.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** What a database may do that nobody will miss after the run. */
const forgetful = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_connections: '300',
}

/** The migrated database that every test's own is a copy of. Closed to connections, so that nothing hinders the copying. */
async function makeTemplate(connection: PostgresConnection) {
  const client = new pg.Client({ ...connection, database: 'postgres' })
  await client.connect()
  await client.query('create database template')
  const url = toConnectionUrl(connection, 'template')
  await migrateDatabase(url)
  const { db, pool } = connectDatabase(url, quiet)
  await ensureWeekCounts(db, parseSettings({}).AGENCY_TIMEZONE)
  await pool.end()
  await client.query('alter database template with allow_connections false')
  await client.end()
}

/** Removes what a killed run left behind: its PostgreSQL stopped with it, its files could not. */
function sweep() {
  for (const name of readdirSync(tmpdir())) {
    const pid = Number(name.match(`^${mark}(\\d+)-`)?.[1])
    if (pid && !existsSync(`/proc/${pid}`) && existsSync('/proc'))
      rmSync(join(tmpdir(), name), { recursive: true, force: true })
  }
}
