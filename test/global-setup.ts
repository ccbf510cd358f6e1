import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { migrateDatabase } from '#app/server/migrate.ts'
import { allJobs } from '#app/server/parts.ts'
import { connectDatabase } from '#core/db/db.ts'
import { JobQueue } from '#core/jobs/jobs.ts'
import { type PostgresConnection, startPostgres, toConnectionUrl } from '#core/postgres/postgres.ts'
import { parseSettings } from '#domains/app-settings.ts'
import { ensureLeadSums } from '#domains/leads/sums/server/build-sums.ts'
import { buildWeb } from '../bin/build.mjs'
import { buildServer } from '../bin/build-server.mjs'
import { unmountDisks } from '../soak/small-disk.ts'
import { type CitusCluster, dropDatabase, findCitusCluster, listDatabases } from './citus/cluster.ts'
import { templateDatabase, testDatabases } from './database-names.ts'
import { type FoundBrowser, findBrowser } from './find-browser.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgres: PostgresConnection
    /** With `CITUS_URL`, the cluster on which every database is distributed (npm run machines -- --citus). */
    citus: CitusCluster | null
    /** Null if there is none; tests that need one then fail and say how to get it. */
    browser: FoundBrowser | null
  }
}

const mark = 'leadline-test-'
const quiet = { debug() {}, info() {}, warn: console.warn, error: console.error }

/**
 * Runs once: starts PostgreSQL, migrates the template database, finds a browser, and builds the server unless it is the sources'.
 * `npm test` has the web built too, which takes as long as all the rest and one processor of two.
 */
export default async function setup(project: TestProject) {
  sweep()
  const dataDir = mkdtempSync(join(findFolder(), `${mark}${process.pid}-`))
  chmodSync(dataDir, 0o711) // as root, PostgreSQL runs as another user, who needs access
  process.env.TMPDIR = join(dataDir, 'tmp') // workers inherit it, so that what tests leave there is removed with the rest
  mkdirSync(process.env.TMPDIR, { mode: 0o711 })
  const citus = process.env.CITUS_URL ? await findCitusCluster(process.env.CITUS_URL) : null
  const [server, browser] = await Promise.all([
    citus ? startOnCluster(citus) : startTemplate(dataDir, project.vitest.config.maxWorkers),
    findBrowser(),
    buildServer(),
    process.env.BUILD_WEB ? buildWeb() : null,
  ])
  project.onTestsRerun(buildServer)
  project.provide('postgres', server.connection)
  project.provide('citus', citus)
  project.provide('browser', browser)
  return async () => {
    await server.stop()
    removeFiles(dataDir)
  }
}

async function startTemplate(dataDir: string, workers: number) {
  const settings = { ...unsafeSettings, max_connections: String(100 * workers) }
  const server = await startPostgres({ dataDir, settings, log: quiet })
  await makeTemplate(server.connection)
  return server
}

/** Makes the template on the coordinator, and removes the databases of the tests at the end. One run at a time can use a cluster. */
async function startOnCluster(cluster: CitusCluster) {
  const dropOurs = async () => {
    for (const name of await listDatabases(cluster, testDatabases)) await dropDatabase(cluster, name)
  }
  await dropOurs() // of a killed run
  await makeTemplate(cluster.coordinator)
  return { connection: cluster.coordinator, stop: dropOurs }
}

/** Test data need not survive a crash. */
const unsafeSettings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
}

/**
 * Creates the migrated database that each test database is copied from, with the job queues that a first start creates one by one. It takes
 * no connections, which would block copying.
 */
async function makeTemplate(connection: PostgresConnection) {
  const client = new pg.Client({ ...connection, database: 'postgres' })
  await client.connect()
  await client.query(`create database ${templateDatabase}`)
  const url = toConnectionUrl(connection, templateDatabase)
  await migrateDatabase(url)
  const { db, pool } = connectDatabase(url, quiet)
  await ensureLeadSums(db, parseSettings({}).AGENCY_TIMEZONE)
  await pool.end()
  const queue = new JobQueue(url, quiet)
  await queue.start(allJobs)
  await queue.stop()
  await client.query(`alter database ${templateDatabase} with allow_connections false`)
  await client.end()
}

/** The disk that Linux keeps in memory. */
const memory = '/dev/shm'

/**
 * Returns where files of tests go: into memory if there is room, because a disk takes seven times as long to copy a database,
 * all of it work of the processor. A run needs less than 2 GB; more must stay free for its processes. Containers often mount it so that no
 * program can be run from it, which some tests do.
 */
function findFolder() {
  if (!existsSync(memory) || !existsSync('/proc/self/mounts')) return tmpdir()
  if (/ \/dev\/shm \S+ \S*\bnoexec\b/.test(readFileSync('/proc/self/mounts', 'utf8'))) return tmpdir()
  const { bavail, bsize } = statfsSync(memory)
  return bavail * bsize > 6 * 1024 ** 3 ? memory : tmpdir()
}

/** Removes the files and disks of killed runs; their PostgreSQL stopped with them. */
function sweep() {
  if (!existsSync('/proc')) return
  for (const folder of [tmpdir(), memory].filter(existsSync)) {
    for (const name of readdirSync(folder)) {
      const pid = Number(name.match(`^${mark}(\\d+)-`)?.[1])
      if (pid && !existsSync(`/proc/${pid}`)) removeFiles(join(folder, name))
    }
  }
}

function removeFiles(folder: string) {
  unmountDisks(folder)
  rmSync(folder, { recursive: true, force: true })
}
