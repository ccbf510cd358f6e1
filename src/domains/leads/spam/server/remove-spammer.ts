import { eq } from 'drizzle-orm'
import { type AuditActor, writeAudit } from '#core/audit/write-audit.ts'
import type { Tx } from '#core/db/db.ts'
import { ruleHitsTable, spammersTable } from '../schema.ts'

export const spammerColumns = {
  id: spammersTable.id,
  name: spammersTable.name,
  phone: spammersTable.phone,
  email: spammersTable.email,
}

/** Removes a spammer. Returns whether there was one. */
export async function removeSpammer(tx: Tx, actor: AuditActor, id: number): Promise<boolean> {
  const [before] = await tx.delete(spammersTable).where(eq(spammersTable.id, id)).returning(spammerColumns)
  if (!before) return false
  await tx.delete(ruleHitsTable).where(eq(ruleHitsTable.rule_id, id))
  await writeAudit(tx, actor, { kind: 'spammer', rowId: id, before, after: null })
  return true
}
