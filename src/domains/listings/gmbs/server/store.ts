import { eq, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import { type AuditActor, writeAudit } from '#core/audit/write-audit.ts'
import type { Tx } from '#core/db/db.ts'
import { gmbLogsTable, gmbsTable } from '../schema.ts'

export const gmbAuditKind = 'listing'
export type GmbRow = typeof gmbsTable.$inferSelect
export type GmbValues = PgUpdateSetSource<typeof gmbsTable>
/** A changed field with formatted values; a secret has none. */
export type GmbLogLine = { changed: string; old?: string | null; new: string | null }

type GmbUpdate = {
  columns: GmbValues
  lines: GmbLogLine[]
  audit: { before: Record<string, unknown>; after: Record<string, unknown> }
}

/**
 * Updates a listing that the caller has locked. With log lines it becomes a new version, recorded in both logs; without any,
 * nothing visible has changed, and only the columns are written.
 */
export async function updateGmbRow(
  tx: Tx,
  actor: AuditActor,
  before: GmbRow,
  { columns, lines, audit }: GmbUpdate,
): Promise<void> {
  const { id } = before
  const version = before.version + 1
  const isNew = lines.length > 0
  await tx
    .update(gmbsTable)
    .set({ ...columns, ...(isNew ? { version, updated_at: sql`now()` } : {}) })
    .where(eq(gmbsTable.id, id))
  if (!isNew) return
  await writeAudit(tx, actor, { kind: gmbAuditKind, rowId: id, ...audit, version })
  await writeGmbLog(tx, actor, id, lines)
}

/** Adds lines to a listing's log; checks write them without a username. */
export async function writeGmbLog(tx: Tx, { me }: AuditActor, gmb_id: number, lines: GmbLogLine[]): Promise<void> {
  await tx.insert(gmbLogsTable).values(lines.map((line) => ({ ...line, gmb_id, username: me?.username ?? null })))
}
