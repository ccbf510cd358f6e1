import { createWriteStream, existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { PassThrough, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { House } from '../app-context.ts'
import { lastMigration } from '../db/migrate.ts'
import { Refusal } from '../http/errors.ts'
import { checkOf, type Manifest, manifestFile, sha256Of, tableFile, uploadFile } from './manifest.ts'
import { countersOf, named, type Table, tablesInOrder } from './tables.ts'

/**
 * Writes everything into a new folder: each table as PostgreSQL's own copy, all of one moment, while people go on working;
 * then the uploads; then what it is. The key is not in it, only a check of it.
 */
export async function backUp(house: House, folder: string): Promise<Manifest> {
  if (existsSync(folder)) throw new Refusal(409, `${folder} is there already; a backup goes into a new folder`)
  const part = `${folder}.part`
  for (const file of [tableFile(part, 'x'), uploadFile(part, 'x')]) mkdirSync(dirname(file), { recursive: true })
  const inDatabase = await ofOneMoment(house, part)
  const uploads = await saveUploads(house, part)
  const made: Manifest = {
    format: 1,
    made_at: new Date().toISOString(),
    migration: lastMigration(),
    key: checkOf(house.secrets),
    ...inDatabase,
    uploads,
  }
  writeFileSync(manifestFile(part), `${JSON.stringify(made, null, 2)}\n`, { flush: true })
  renameSync(part, folder)
  return made
}

async function ofOneMoment({ pool }: House, folder: string) {
  const client = await pool.connect()
  try {
    await client.query('begin isolation level repeatable read read only')
    const counters = await countersOf(client)
    const tables: Manifest['tables'] = []
    for (const table of await tablesInOrder(client)) tables.push(await saveTable(client, table, folder))
    await client.query('commit')
    return { tables, counters }
  } finally {
    client.release(true) // a copy that broke off leaves the connection in the middle of it
  }
}

async function saveTable(client: pg.PoolClient, table: Table, folder: string) {
  const hash = sha256Of()
  const copy = client.query(copyTo(`copy ${named(table)} to stdout`))
  const watched = new PassThrough()
  watched.on('data', (chunk: Buffer) => hash.update(chunk))
  await pipeline(copy, watched, createGzip(), createWriteStream(tableFile(folder, table.name), { flush: true }))
  return { ...table, rows: copy.rowCount, sha256: hash.digest('hex') }
}

/** A file that was removed since the tables were read is in neither. */
async function saveUploads({ pool, store }: House, folder: string): Promise<string[]> {
  const { rows } = await pool.query<{ key: string }>('select key from files order by key')
  const saved: string[] = []
  for (const { key } of rows) {
    const bytes: Readable | null = await store.get(key).catch(() => null)
    if (!bytes) continue
    await pipeline(bytes, createWriteStream(uploadFile(folder, key), { flush: true }))
    saved.push(key)
  }
  return saved
}
