import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest'
import { type PostgresConnection, startPostgres, toConnectionUrl } from '#core/postgres/postgres.ts'
import { isProcessAlive } from '#core/postgres/postmaster.ts'
import { until } from '#test/until.ts'
import { createDatabase } from './database.ts'

/** A data directory that a server has used and left, for tests that need no fresh one. */
let used: string
const undo: (() => unknown)[] = []
beforeAll(async () => {
  used = temporaryDirectory()
  await (await start(used)).stop()
})
afterAll(() => rmSync(used, { recursive: true, force: true }))
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step()
})

test('the private PostgreSQL starts in its data directory and keeps its data over a restart [RUN-01]', async () => {
  const dataDir = emptyDirectory()
  const first = await start(dataDir)
  await query(first.connection, 'create table kept (word text)')
  await query(first.connection, `insert into kept values ('lead')`)
  await first.stop()
  const second = await start(dataDir)
  expect(await query(second.connection, 'select word from kept')).toEqual([{ word: 'lead' }])
  await second.stop()
  expect(existsSync(join(dataDir, 'postgres/cluster/postmaster.pid'))).toBe(false)
})

test('it listens on a socket only, in a directory closed to others, and not as root', async () => {
  const dataDir = used
  const { connection } = await start(dataDir)
  const settings = await query(
    connection,
    `select current_setting('listen_addresses') as network, current_setting('unix_socket_directories') as sockets`,
  )
  expect(settings).toEqual([{ network: '', sockets: connection.host }])
  const directory = statSync(connection.host)
  expect(directory.mode & 0o777).toBe(0o700)
  expect(directory.uid).not.toBe(0)
  // PostgreSQL runs only as the owner of its files.
  expect(statSync(join(dataDir, 'postgres/cluster')).uid).not.toBe(0)
  expect(Buffer.byteLength(join(connection.host, '.s.PGSQL.5432'))).toBeLessThan(100)
})

test('a data directory with a very long path gets a short socket path elsewhere', async () => {
  const dataDir = join(emptyDirectory(), 'deep'.repeat(12), 'down'.repeat(12))
  const { connection } = await start(dataDir)
  undo.unshift(() => rmSync(connection.host, { recursive: true, force: true }))
  expect(Buffer.byteLength(connection.host)).toBeLessThan(100)
  expect(statSync(connection.host).mode & 0o777).toBe(0o700)
})

test('the database folds case in every alphabet and sorts the same on any machine', async () => {
  const { connection } = await start(used)
  const [row] = await query(
    connection,
    `select lower('ÄÉŞИ') as lower, 'É' ilike 'é' as same,
            (select string_agg(w, ' ' order by w) from unnest(array['b', 'é', 'a', 'B']) w) as sorted,
            (select string_agg(w, ' ' order by w collate "und-x-icu") from unnest(array['b', 'é', 'a', 'f', 'B']) w) as human`,
  )
  expect(row).toEqual({ lower: 'äéşи', same: true, sorted: 'B a b é', human: 'a b B é f' })
})

test('a killed PostgreSQL is restarted automatically (R24)', async () => {
  const dataDir = used
  const { connection } = await start(dataDir)
  process.kill(postmaster(dataDir), 'SIGKILL')
  await servesAgain(connection)
})

test('a pid file left by a power cut that names another running program does not stop the next start', async () => {
  const dataDir = used
  const first = await start(dataDir)
  await first.stop()
  writeFileSync(join(dataDir, 'postgres/cluster/postmaster.pid'), `${process.pid}\n${dataDir}\n`)
  const second = await start(dataDir)
  expect(await query(second.connection, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('when the application is killed, its PostgreSQL shuts down too, and the next start continues with the data', async () => {
  const dataDir = used
  const application = await otherProcess(dataDir)
  const left = postmaster(dataDir)
  application.kill('SIGKILL')
  await once(application, 'exit')
  const next = await start(dataDir)
  expect(await query(next.connection, 'select count(*)::int as tables from proof')).toEqual([{ tables: 0 }])
  expect(postmaster(dataDir)).not.toBe(left)
})

test('a second process on the same data directory uses the running server, and takes over when the first one exits', async () => {
  const dataDir = used
  const application = await otherProcess(dataDir)
  const server = postmaster(dataDir)
  const second = await start(dataDir)
  expect(postmaster(dataDir)).toBe(server)
  application.kill('SIGKILL')
  await once(application, 'exit')
  await until(() => !isProcessAlive(server)) // it serves on until its watchdog stops it, a moment later
  await servesAgain(second.connection)
  await second.stop()
  expect(existsSync(join(dataDir, 'postgres/cluster/postmaster.pid'))).toBe(false)
})

test('two first starts at the same time create one cluster', async () => {
  const dataDir = emptyDirectory()
  const [one, other] = await Promise.all([otherProcess(dataDir), start(dataDir)])
  expect(await query(other.connection, 'select 1 as one')).toEqual([{ one: 1 }])
  one.kill('SIGKILL')
})

test('a setting that PostgreSQL refuses fails the start with PostgreSQL’s message', async () => {
  const starting = startPostgres({ dataDir: used, settings: { fsync: 'off', work_mem: 'plenty' }, log })
  await expect(starting).rejects.toThrow(/does not start: .*work_mem/)
})

test('a test file gets its own migrated database, and dropping it ends open connections', async () => {
  const own = await createDatabase()
  const guest = new pg.Client(own.url)
  const ended = new Promise((resolve) => guest.on('error', resolve))
  await guest.connect()
  const { rows } = await guest.query(`select count(*)::int as tables from pg_tables where schemaname = 'public'`)
  expect(rows[0].tables).toBeGreaterThan(0)
  await own.drop()
  expect(String(await ended)).toMatch(/terminating connection|terminated unexpectedly/)
  const names = await query({ ...inject('postgres'), database: 'postgres' }, 'select datname from pg_database')
  expect(names).not.toContainEqual({ datname: new URL(own.url).pathname.slice(1) })
})

// ——— helpers ———

const log = { debug() {}, info() {}, warn() {} }

function emptyDirectory(): string {
  const path = temporaryDirectory()
  undo.push(() => rmSync(path, { recursive: true, force: true }))
  return path
}

function temporaryDirectory(): string {
  const path = mkdtempSync(join(tmpdir(), 'leadline-pg-'))
  chmodSync(path, 0o711) // as root, PostgreSQL runs as another user, who needs access
  return path
}

async function start(dataDir: string) {
  const server = await startPostgres({ dataDir, settings: { fsync: 'off', shared_buffers: '16MB' }, log })
  undo.push(() => server.stop())
  return server
}

/** Starts the same server from another process, as `npm start` does for `npx leadline`. Ready when this resolves. */
async function otherProcess(dataDir: string): Promise<ChildProcess> {
  const root = resolve(import.meta.dirname, '..')
  const program = `
    import { startPostgres } from '#core/postgres/postgres.ts'
    import pg from 'pg'
    const log = { debug() {}, info() {}, warn() {} }
    const { connection } = await startPostgres({ dataDir: process.argv[1], settings: { fsync: 'off' }, log })
    const client = new pg.Client(connection)
    await client.connect()
    await client.query('create table if not exists proof (n int)')
    await client.end()
    process.stdout.write('ready')
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', program, dataDir], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  undo.push(() => child.kill('SIGKILL'))
  await once(child.stdout!, 'data')
  return child
}

function postmaster(dataDir: string): number {
  return Number.parseInt(readFileSync(join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8'), 10)
}

async function servesAgain(connection: PostgresConnection) {
  for (;;) {
    try {
      return await query(connection, 'select 1')
    } catch {
      await pause(20)
    }
  }
}

async function query(connection: PostgresConnection, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(toConnectionUrl(connection))
  client.on('error', () => {}) // a killed server breaks the connection as well as the query
  try {
    await client.connect()
    return (await client.query(text)).rows
  } finally {
    await client.end().catch(() => {})
  }
}
