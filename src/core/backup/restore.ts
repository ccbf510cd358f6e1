import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { conflictError, HttpError } from '../http/errors.ts'
import type { SecretBox } from '../secrets/secrets.ts'
import type { BackupPlan } from './backup-plan.ts'
import { decryptAllSecrets } from './encrypted-columns.ts'
import {
  type BackupManifest,
  createKeyCheck,
  createSha256,
  readManifest,
  tableFilePath,
  uploadFilePath,
} from './manifest.ts'
import { formatTableColumns, quoteIdentifier } from './tables.ts'

type RestoreTarget = {
  url: string
  secrets: SecretBox
  store: { put(key: string, bytes: Buffer): Promise<void> }
  migrate: (url: string, options?: { upTo?: string }) => Promise<void>
}
export type RestoreResult = { rows: number; uploads: number; secrets: number }

/**
 * Puts a backup into an empty place: its own schema first, then its rows in one transaction, which is undone unless every
 * file is what was written and every secret opens; then the schema of today, and the uploads.
 */
export async function restoreBackup(
  { url, secrets, store, migrate }: RestoreTarget,
  plan: BackupPlan,
  folder: string,
): Promise<RestoreResult> {
  const kept = readManifest(folder)
  if (kept.key !== createKeyCheck(secrets))
    throw new HttpError(422, 'This backup was made with another SECRET_KEY: its secrets would not open')
  const client = new pg.Client(url)
  await client.connect()
  try {
    await resetUnusedDatabase(client, plan)
    await migrate(url, { upTo: kept.migration })
    await client.query('begin')
    await restoreRows(client, kept, folder)
    for (const { table, sql } of plan.afterRows) if (holdsTable(kept, table)) await client.query(sql)
    const encrypted = plan.encryptedColumns.filter(({ table, column }) => holdsTable(kept, table, column))
    const opened = await decryptAllSecrets(client, encrypted, secrets)
    await client.query('commit')
    await migrate(url)
    for (const key of kept.uploads) await store.put(key, await readFile(uploadFilePath(folder, key)))
    const rows = kept.tables.reduce((sum, table) => sum + table.rows, 0)
    return { rows, uploads: kept.uploads.length, secrets: opened }
  } finally {
    await client.end()
  }
}

/** False where the backup is of a release that did not have this table or column yet. */
const holdsTable = ({ tables }: BackupManifest, name: string, column?: string): boolean =>
  tables.some((table) => table.name === name && (column === undefined || table.columns.includes(column)))

/** Refuses a database that somebody works with; one that was only started is begun anew. */
async function resetUnusedDatabase(client: pg.Client, { inUse }: BackupPlan) {
  const { rows } = await client.query<{ found: string | null }>('select to_regclass($1) as found', [inUse.marker])
  if (rows[0]?.found && (await client.query(inUse.query)).rows.length > 0)
    throw conflictError('This database is in use; a backup is restored into an empty one')
  for (const schema of ['public', 'drizzle', 'pgboss']) await client.query(`drop schema if exists ${schema} cascade`)
  await client.query('create schema public')
}

const appendOnlyTables = ['audit', 'happenings']

async function restoreRows(client: pg.Client, { tables, counters }: BackupManifest, folder: string) {
  // What the migrations put in themselves, and the guards of append-only tables, stand aside until the rows are in.
  const guarded = appendOnlyTables.filter((table) => tables.some(({ name }) => name === table))
  for (const table of guarded) await client.query(`alter table ${table} disable trigger user`)
  await client.query(`truncate ${tables.map(({ name }) => quoteIdentifier(name)).join(', ')} cascade`)
  for (const table of tables) {
    const hash = createSha256()
    const watched = new PassThrough()
    watched.on('data', (chunk: Buffer) => hash.update(chunk))
    const copy = client.query(copyFrom(`copy ${formatTableColumns(table)} from stdin`))
    await pipeline(createReadStream(tableFilePath(folder, table.name)), createGunzip(), watched, copy)
    if (copy.rowCount !== table.rows || hash.digest('hex') !== table.sha256)
      throw new HttpError(422, `The file of the table ${table.name} is not what was written`)
  }
  for (const table of guarded) await client.query(`alter table ${table} enable trigger user`)
  for (const { table, column, last } of counters)
    if (last > 0)
      await client.query('select setval(pg_get_serial_sequence($1, $2), $3)', [quoteIdentifier(table), column, last])
}
