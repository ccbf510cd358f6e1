import type { Tx } from '../db/db.ts'
import { auditTable } from '../db/schema.ts'

type AuditFields = Record<string, unknown>
/** A user, and the API key that acts for them, if any. */
export type AuditAuthor = { id: number; username: string; key?: { id: number; name: string } | undefined }
/** Who makes a change and with which request; null is the program itself. */
export type AuditActor = {
  me: AuditAuthor | null
  requestId?: string | undefined
  address?: string | undefined
}
type AuditChange = {
  kind: string
  rowId: number
  before: AuditFields | null
  after: AuditFields | null
  version?: number
}

const isSameJson = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** Returns the fields of `after` that differ from `before`, with both values. */
export function diffFields(before: AuditFields, after: AuditFields): { before: AuditFields; after: AuditFields } {
  const changed = Object.keys(after).filter((key) => !isSameJson(before[key], after[key]))
  const pick = (from: AuditFields) => Object.fromEntries(changed.map((key) => [key, from[key] ?? null]))
  return { before: pick(before), after: pick(after) }
}

/** Writes an audit entry in the transaction of the change; none if no field differs. */
export const writeAudit = (tx: Tx, actor: AuditActor, change: AuditChange): Promise<void> =>
  writeAudits(tx, actor, [change])

/** Writes the entries of many changes in one statement. */
export async function writeAudits(tx: Tx, actor: AuditActor, changes: readonly AuditChange[]): Promise<void> {
  const entries = changes.flatMap((change) => toAuditEntry(actor, change))
  if (entries.length > 0) await tx.insert(auditTable).values(entries)
}

function toAuditEntry(actor: AuditActor, change: AuditChange): (typeof auditTable.$inferInsert)[] {
  const { before, after } = change
  const action = before === null ? 'created' : after === null ? 'removed' : 'changed'
  const parts = before && after ? diffFields(before, after) : { before, after }
  if (action === 'changed' && Object.keys(parts.after ?? {}).length === 0) return []
  return [
    {
      user_id: actor.me?.id ?? null,
      username: actor.me?.username ?? null,
      key_id: actor.me?.key?.id ?? null,
      key_name: actor.me?.key?.name ?? null,
      kind: change.kind,
      row_id: change.rowId,
      action,
      before: parts.before,
      after: parts.after,
      version: change.version ?? null,
      request_id: actor.requestId ?? null,
      address: actor.address ?? null,
    },
  ]
}
