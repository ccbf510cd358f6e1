import { sql } from 'drizzle-orm'
import type { Db } from '../db/db.ts'
import { auditTable } from '../db/schema.ts'
import { writeAudit } from './write-audit.ts'

/**
 * Deletes audit entries older than so many days and writes one that says so. A trigger refuses to delete entries of the last year,
 * and any delete without this setting.
 */
export const deleteOldAuditEntries = (db: Db, days: number): Promise<number> =>
  db.transaction(async (tx) => {
    await tx.execute(sql`select set_config('leadline.retention', 'audit', true)`)
    const { rowCount } = await tx.execute(
      sql`delete from ${auditTable} where ${auditTable.at} < now() - ${days} * interval '1 day'`,
    )
    const deleted = rowCount ?? 0
    if (deleted > 0)
      await writeAudit(tx, { me: null }, { kind: 'audit retention', rowId: 0, before: { deleted, days }, after: null })
    return deleted
  })
