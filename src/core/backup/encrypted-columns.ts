import type pg from 'pg'
import { HttpError } from '../http/errors.ts'
import type { SecretBox } from '../secrets/secrets.ts'
import type { BackupPlan } from './backup-plan.ts'

type EncryptedColumns = BackupPlan['encryptedColumns']

/** Returns whether this key opens a secret of the database, or there is none: one of each column is tried. */
export async function opensSomeSecret(
  client: pg.ClientBase,
  encryptedColumns: EncryptedColumns,
  secrets: SecretBox,
): Promise<boolean> {
  let isEmpty = true
  for (const { table, column, id } of encryptedColumns) {
    const { rows } = await client.query<{ id: number; sealed: Buffer }>(
      `select ${id} as id, ${column} as sealed from ${table} where ${column} is not null limit 1`,
    )
    for (const row of rows)
      try {
        openSecret(secrets, row.sealed, `${table}.${column}:${row.id}`)
        return true
      } catch {
        isEmpty = false
      }
  }
  return isEmpty
}

/** Decrypts every secret of the database and returns their number. Throws at the first that this key does not open. */
export async function decryptAllSecrets(
  client: pg.ClientBase,
  encryptedColumns: EncryptedColumns,
  secrets: SecretBox,
): Promise<number> {
  let count = 0
  for (const { table, column, id } of encryptedColumns) {
    const { rows } = await client.query<{ id: number; sealed: Buffer }>(
      `select ${id} as id, ${column} as sealed from ${table} where ${column} is not null`,
    )
    for (const row of rows) openSecret(secrets, row.sealed, `${table}.${column}:${row.id}`)
    count += rows.length
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
  for (const { table, column, id } of encryptedColumns) {
    const { rows } = await client.query<{ id: number; sealed: Buffer }>(
      `select ${id} as id, ${column} as sealed from ${table} where ${column} is not null for update`,
    )
    for (const row of rows) {
      const place = `${table}.${column}:${row.id}`
      const sealed = next.seal(openSecret(old, row.sealed, place), place)
      await client.query(`update ${table} set ${column} = $1 where ${id} = $2`, [sealed, row.id])
    }
    count += rows.length
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
    // What comes after the column may be an address.
    throw new HttpError(422, `SECRET_KEY does not open everything in ${place.split(':')[0]}: some has another key`)
  }
}
