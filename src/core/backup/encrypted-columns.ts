import type pg from 'pg'
import { HttpError } from '../http/errors.ts'
import type { SecretBox } from '../secrets/secrets.ts'
import type { BackupPlan } from './backup-plan.ts'

type EncryptedColumns = BackupPlan['encryptedColumns']

/** A secret of the database. `at` is where its row is while no one changes it. */
type StoredSecret = { table: string; column: string; at: string; place: string; sealed: Buffer }

/** Reads the secrets of the database one by one, because a file that waits to be imported may be large. */
async function* readSecrets(
  client: pg.ClientBase,
  encryptedColumns: EncryptedColumns,
  { most = '', lock = '' }: { most?: 'limit 1' | ''; lock?: 'for update' | '' } = {},
): AsyncGenerator<StoredSecret> {
  for (const { table, column, id } of encryptedColumns) {
    const { rows } = await client.query<{ at: string; id: string }>(
      `select ctid as at, ${id} as id from ${table} where ${column} is not null ${most} ${lock}`,
    )
    for (const { at, id } of rows) {
      const found = await client.query<{ sealed: Buffer | null }>(
        `select ${column} as sealed from ${table} where ctid = $1`,
        [at],
      )
      const sealed = found.rows[0]?.sealed
      if (sealed) yield { table, column, at, place: `${table}.${column}:${id}`, sealed }
    }
  }
}

/** Returns whether this key opens a secret of the database, or there is none. One of each column is tried first, then all. */
export async function opensSomeSecret(
  client: pg.ClientBase,
  encryptedColumns: EncryptedColumns,
  secrets: SecretBox,
): Promise<boolean> {
  let isEmpty = true
  for (const most of ['limit 1', ''] as const) {
    for await (const { sealed, place } of readSecrets(client, encryptedColumns, { most })) {
      isEmpty = false
      if (isOpenedBy(secrets, sealed, place)) return true
    }
    if (isEmpty) return true
  }
  return false
}

function isOpenedBy(secrets: SecretBox, sealed: Buffer, place: string): boolean {
  try {
    secrets.open(sealed, place)
    return true
  } catch {
    return false
  }
}

/** Decrypts every secret of the database and returns their number. Throws at the first that this key does not open. */
export async function decryptAllSecrets(
  client: pg.ClientBase,
  encryptedColumns: EncryptedColumns,
  secrets: SecretBox,
): Promise<number> {
  let count = 0
  for await (const { sealed, place } of readSecrets(client, encryptedColumns)) {
    openSecret(secrets, sealed, place)
    count += 1
  }
  return count
}

/** Decrypts every secret with the old key and encrypts it with the next, in the caller's transaction. Returns their number. */
export async function reencryptSecrets(
  client: pg.ClientBase,
  encryptedColumns: EncryptedColumns,
  old: SecretBox,
  next: SecretBox,
): Promise<number> {
  let count = 0
  for await (const { table, column, at, place, sealed } of readSecrets(client, encryptedColumns, {
    lock: 'for update',
  })) {
    await client.query(`update ${table} set ${column} = $1 where ctid = $2`, [
      next.seal(openSecret(old, sealed, place), place),
      at,
    ])
    count += 1
  }
  return count
}

/** Encrypts what waits in the data of jobs with the next key, like columns. Returns how many jobs. */
export async function reencryptJobs(
  client: pg.ClientBase,
  jobs: readonly { name: string; sealPlace?: string }[],
  old: SecretBox,
  next: SecretBox,
): Promise<number> {
  let count = 0
  for (const { name, sealPlace } of jobs) {
    if (sealPlace === undefined) continue
    const { rows } = await client.query<{ id: string; sealed: string }>(
      `select id, data->>'sealed' as sealed from pgboss.job where name = $1 and state < 'completed' for update`,
      [name],
    )
    for (const { id, sealed } of rows) {
      const text = openSecret(old, Buffer.from(sealed, 'base64'), sealPlace)
      await client.query(
        `update pgboss.job set data = data || jsonb_build_object('sealed', $1::text) where name = $2 and id = $3`,
        [next.seal(text, sealPlace).toString('base64'), name, id],
      )
    }
    count += rows.length
  }
  return count
}

/** Opens a secret. Throws 422 if it was encrypted with another key. */
function openSecret(secrets: SecretBox, sealed: Buffer, place: string): string {
  try {
    return secrets.open(sealed, place)
  } catch {
    const [column, id = ''] = place.split(':')
    const row = /^\d+$/.test(id) ? ` (row ${id})` : '' // another one may be an address
    throw new HttpError(
      422,
      `SECRET_KEY does not open everything in ${column}: some has another key${row}. Empty what it does not open: “If the key is lost” in docs/operating.md`,
    )
  }
}
