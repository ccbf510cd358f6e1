import pg from 'pg'
import { inject } from 'vitest'
import { toConnectionUrl } from '#core/postgres/postgres.ts'
import { distributeDatabase, dropDatabase } from './citus/cluster.ts'
import { templateDatabase, testDatabases } from './database-names.ts'

export type TestDatabase = { url: string; drop(): Promise<void> }

let count = 0
let prepared: Promise<TestDatabase> | undefined

/** Returns a new database, migrated by default. `drop` also closes open connections. */
export async function createDatabase({ migrated = true } = {}): Promise<TestDatabase> {
  if (!migrated) return copyDatabase('')
  const database = await (prepared ?? copyTemplate())
  // The next copy is made while the current tests run: that saves each test file a quarter of a second.
  prepared = copyTemplate()
  prepared.catch(() => {}) // the test that uses it fails; after the last test PostgreSQL may be gone
  return database
}

/** Copies the template. A distributed database cannot be copied, so on a cluster each copy is distributed. */
async function copyTemplate(): Promise<TestDatabase> {
  const database = await copyDatabase(`template ${templateDatabase} strategy file_copy`)
  const cluster = inject('citus')
  if (!cluster) return database
  await distributeDatabase(cluster, database.name)
  return { ...database, drop: () => dropDatabase(cluster, database.name) }
}

async function copyDatabase(source: string): Promise<TestDatabase & { name: string }> {
  count += 1
  const name = `${testDatabases}${process.pid}_${count}`
  await run(`create database ${name} ${source}`)
  return {
    name,
    url: toConnectionUrl(inject('postgres'), name),
    drop: () => run(`drop database if exists ${name} with (force)`),
  }
}

async function run(command: string) {
  const client = new pg.Client({ ...inject('postgres'), database: 'postgres' })
  await client.connect()
  try {
    await client.query(command)
  } finally {
    await client.end()
  }
}
