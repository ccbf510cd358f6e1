import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { getErrorMessage } from '#contract/error-message.ts'
import { getErrorCode } from '../error-code.ts'
import { conflictError, HttpError } from '../http/errors.ts'
import { assertNotRunning } from '../live/live.ts'
import type { SecretBox } from '../secrets/secrets.ts'
import type { BackupPlan } from './backup-plan.ts'
import { decryptAllSecrets } from './encrypted-columns.ts'
import {
  type BackupManifest,
  createHashingStream,
  createKeyCheck,
  hashBytes,
  readManifest,
  tableFilePath,
  uploadFilePath,
} from './manifest.ts'
import { formatTableColumns, holdsColumn, quoteIdentifier } from './tables.ts'

type RestoreTarget = {
  url: string
  secrets: SecretBox
  store: { put(key: string, bytes: Buffer): Promise<void> }
  migrate: (url: string, options?: { upTo?: string }) => Promise<void>
  /** Reads the restored rows before they are committed, and stores what the next start needs: if it throws, nothing is restored. */
  check?: (client: pg.Client) => Promise<void>
}
export type RestoreResult = { rows: number; uploads: number; secrets: number }

/**
 * Restores a backup into an unused database: migrates to the backup's own schema, then copies its rows in one transaction, which is
 * rolled back unless every file is intact, every secret decrypts and every upload is stored; then migrates to the current schema.
 */
export async function restoreBackup(
  { url, secrets, store, migrate, check }: RestoreTarget,
  plan: BackupPlan,
  folder: string,
): Promise<RestoreResult> {
  const kept = readManifest(folder)
  if (kept.key !== createKeyCheck(secrets))
    throw new HttpError(422, 'This backup was made with another SECRET_KEY: its secrets cannot be decrypted')
  const client = new pg.Client(url)
  client.on('error', () => {}) // the query that fails reports it; unhandled, it would end the process
  await client.connect()
  try {
    await resetUnusedDatabase(client, plan)
    await migrate(url, { upTo: kept.migration })
    await client.query('begin')
    await restoreRows(client, kept, folder)
    await check?.(client)
    for (const { table, column, sql } of plan.afterRows)
      if (holdsColumn(kept.tables, table, column)) await client.query(sql)
    const encrypted = plan.encryptedColumns.filter(({ table, column }) => holdsColumn(kept.tables, table, column))
    const opened = await decryptAllSecrets(client, encrypted, secrets)
    for (const upload of kept.uploads) await store.put(upload.key, await readUploadFile(folder, upload))
    await client.query('commit')
    await migrate(url).catch((error: Error) => {
      const reason = getErrorMessage(error.cause ?? error) // a failed statement has its own as cause
      throw new HttpError(
        503,
        `The backup is back, but not in the form of this version; the next start goes on: ${reason}`,
      )
    })
    const rows = kept.tables.reduce((sum, table) => sum + table.rows, 0)
    return { rows, uploads: kept.uploads.length, secrets: opened }
  } finally {
    await client.end()
  }
}

async function readUploadFile(folder: string, { key, sha256 }: BackupManifest['uploads'][number]): Promise<Buffer> {
  const damaged = new HttpError(422, `The upload ${key} is missing or damaged in the backup`)
  let bytes: Buffer
  try {
    bytes = await readFile(uploadFilePath(folder, key))
  } catch (error) {
    throw isFileDamaged(error) ? damaged : error
  }
  if (sha256 !== hashBytes(bytes)) throw damaged
  return bytes
}

/** Returns whether reading failed because a file is missing or cut off. */
const isFileDamaged = (error: unknown) => /^(ENOENT|Z_\w+)$/.test(getErrorCode(error))

const schemas = ['public', 'drizzle', 'pgboss']

/** Throws 409 if the database is in use, by a running Leadline too, or another program's alone; otherwise drops what is there, as of an earlier start. */
async function resetUnusedDatabase(client: pg.Client, plan: BackupPlan) {
  if (await isInUse(client, plan)) throw conflictError('This database is in use; restore a backup into an empty one')
  // A running process would end up without its job queue: its schedules are made at its start.
  await assertNotRunning(client)
  for (const schema of schemas) await client.query(`drop schema if exists ${schema} cascade`)
  await client.query('create schema public')
}

async function isInUse(client: pg.Client, { inUse }: BackupPlan): Promise<boolean> {
  const { rows } = await client.query<{ name: string }>(
    `select nspname || '.' || relname as name from pg_class join pg_namespace on pg_namespace.oid = relnamespace
     where nspname = any($1) and relkind in ('r', 'p')
       and not exists (select 1 from pg_depend where objid = pg_class.oid and deptype = 'e')`, // an extension's
    [schemas],
  )
  const tables = new Set(rows.map(({ name }) => name))
  const isOurs = tables.has(`public.${inUse.marker}`)
  const journal = 'drizzle.__drizzle_migrations' // a first migration that failed leaves it empty
  if (!isOurs && [...tables].some((name) => name !== journal)) return true
  const conditions = isOurs
    ? Object.entries(inUse.rows).map(([table, condition]) => [`public.${table}`, condition] as const)
    : [[journal, 'true'] as const]
  for (const [table, condition] of conditions)
    if (tables.has(table) && (await client.query(`select 1 from ${table} where ${condition} limit 1`)).rows.length > 0)
      return true
  return false
}

const appendOnlyTables = ['audit', 'happenings']

async function restoreRows(client: pg.Client, { tables, counters }: BackupManifest, folder: string) {
  // Disables the triggers of append-only tables, and removes the rows that migrations inserted.
  const guarded = appendOnlyTables.filter((table) => tables.some(({ name }) => name === table))
  for (const table of guarded) await client.query(`alter table ${table} disable trigger user`)
  await client.query(`truncate ${tables.map(({ name }) => quoteIdentifier(name)).join(', ')} cascade`)
  for (const table of tables) {
    const { stream, digest } = createHashingStream()
    const copy = client.query(copyFrom(`copy ${formatTableColumns(table)} from stdin`))
    const damaged = new HttpError(422, `The file of the table ${table.name} is damaged`)
    try {
      await pipeline(createReadStream(tableFilePath(folder, table.name)), createGunzip(), stream, copy)
    } catch (error) {
      throw isFileDamaged(error) ? damaged : error
    }
    if (copy.rowCount !== table.rows || digest() !== table.sha256) throw damaged
  }
  for (const table of guarded) await client.query(`alter table ${table} enable trigger user`)
  for (const { table, column, last } of counters)
    if (last > 0)
      await client.query('select setval(pg_get_serial_sequence($1, $2), $3)', [quoteIdentifier(table), column, last])
}
