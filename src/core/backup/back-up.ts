import { createWriteStream, existsSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { getErrorMessage } from '#contract/error-message.ts'
import { getLastMigration } from '../db/migrate.ts'
import { HttpError } from '../http/errors.ts'
import type { SecretBox } from '../secrets/secrets.ts'
import type { BackupPlan } from './backup-plan.ts'
import { decryptAllSecrets } from './encrypted-columns.ts'
import {
  type BackupManifest,
  createHashingStream,
  createKeyCheck,
  manifestPath,
  tableFilePath,
  uploadFilePath,
} from './manifest.ts'
import {
  type BackupTable,
  formatTableColumns,
  holdsColumn,
  listTablesByDependency,
  readSequenceCounters,
} from './tables.ts'

type BackupSource = {
  pool: pg.Pool
  secrets: SecretBox
  store: { get(key: string): Promise<Readable | null> }
}

/** A backup holds all data: only its owner may read it. */
const [folderMode, fileMode] = [0o700, 0o600]

/** Returns the mode of the folder, such as `755`, if others may open it; null if they may not, or it does not exist. */
export function findOpenMode(folder: string): string | null {
  const found = statSync(folder, { throwIfNoEntry: false })
  return found && (found.mode & 0o077) !== 0 ? (found.mode & 0o777).toString(8) : null
}

/** `missing` counts the uploads that the database has and the store does not. */
type WrittenBackup = BackupManifest & { missing: number }

/**
 * Writes a backup into a new folder: each table in PostgreSQL's COPY format, from one snapshot, without blocking users; then the
 * uploads; then the manifest. It does not contain the key, only a check of it.
 */
export async function writeBackup(context: BackupSource, plan: BackupPlan, folder: string): Promise<WrittenBackup> {
  if (existsSync(folder)) throw new HttpError(409, `${folder} already exists; a backup needs a new folder`)
  const part = `${folder}.part`
  rmSync(part, { recursive: true, force: true }) // what a failed backup left may have been erased since
  for (const file of [tableFilePath(part, 'x'), uploadFilePath(part, 'x')])
    mkdirSync(dirname(file), { recursive: true, mode: folderMode })
  const inDatabase = await saveTablesSnapshot(context, plan, part)
  const { uploads, missing } = await saveUploads(context, plan, part)
  const made: BackupManifest = {
    format: 1,
    made_at: new Date().toISOString(),
    migration: getLastMigration(),
    key: createKeyCheck(context.secrets),
    ...inDatabase,
    uploads,
  }
  writeFileSync(manifestPath(part), `${JSON.stringify(made, null, 2)}\n`, { mode: fileMode, flush: true })
  renameSync(part, folder)
  return { ...made, missing }
}

async function saveTablesSnapshot(
  { pool, secrets }: BackupSource,
  { derivedTables, encryptedColumns }: BackupPlan,
  folder: string,
) {
  const client = await pool.connect()
  try {
    await client.query('begin isolation level repeatable read read only')
    const listed = await listTablesByDependency(client, derivedTables)
    // With a secret of another key it could not be restored.
    const encrypted = encryptedColumns.filter(({ table, column }) => holdsColumn(listed, table, column))
    await decryptAllSecrets(client, encrypted, secrets)
    const counters = await readSequenceCounters(client)
    const tables: BackupManifest['tables'] = []
    for (const table of listed) tables.push(await saveTable(client, table, folder))
    await client.query('commit')
    return { tables, counters }
  } finally {
    client.release(true) // an aborted copy leaves the connection in COPY mode
  }
}

async function saveTable(client: pg.PoolClient, table: BackupTable, folder: string) {
  const copy = client.query(copyTo(`copy ${formatTableColumns(table)} to stdout`))
  const { stream, digest } = createHashingStream()
  await pipeline(
    copy,
    stream,
    createGzip(),
    createWriteStream(tableFilePath(folder, table.name), { mode: fileMode, flush: true }),
  )
  return { ...table, rows: copy.rowCount, sha256: digest() }
}

/** Saves the uploads. Throws if the store cannot be read. A file that was removed after the tables were read is not missing. */
async function saveUploads({ pool, store }: BackupSource, { uploadKeys }: BackupPlan, folder: string) {
  const readKeys = async () => (await pool.query<{ key: string }>(uploadKeys)).rows.map(({ key }) => key)
  const uploads: BackupManifest['uploads'] = []
  const skipped = new Set<string>()
  for (const key of await readKeys()) {
    try {
      const bytes = await store.get(key)
      if (!bytes) {
        skipped.add(key)
        continue
      }
      const { stream, digest } = createHashingStream()
      await pipeline(bytes, stream, createWriteStream(uploadFilePath(folder, key), { mode: fileMode, flush: true }))
      uploads.push({ key, sha256: digest() })
    } catch (error) {
      throw new HttpError(503, `The upload ${key} could not be saved: ${getErrorMessage(error)}`)
    }
  }
  const missing = skipped.size === 0 ? 0 : (await readKeys()).filter((key) => skipped.has(key)).length
  return { uploads, missing }
}
