import type pg from 'pg'
import type { SecretBox } from '../secrets/secrets.ts'
import type { BackupPlan } from './backup-plan.ts'

type EncryptedColumns = BackupPlan['encryptedColumns']

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
    for (const row of rows) secrets.open(row.sealed, `${table}.${column}:${row.id}`)
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
      const sealed = next.seal(old.open(row.sealed, place), place)
      await client.query(`update ${table} set ${column} = $1 where ${id} = $2`, [sealed, row.id])
    }
    count += rows.length
  }
  return count
}
