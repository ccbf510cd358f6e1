import { eq } from 'drizzle-orm'
import { type AuditActor, writeAudit } from '#core/audit/write-audit.ts'
import type { Tx } from '#core/db/db.ts'
import { singleSignOnIdentitiesTable } from '../../single-sign-on/schema.ts'
import { passkeysTable, recoveryCodesTable, totpSecretsTable } from '../schema.ts'

/** Removes all second factors of a user who has lost them and the recovery codes, and whom single sign-on knows them as. */
export async function removeSecondFactors(tx: Tx, actor: AuditActor, userId: number): Promise<void> {
  for (const table of [totpSecretsTable, passkeysTable, recoveryCodesTable, singleSignOnIdentitiesTable])
    await tx.delete(table).where(eq(table.user_id, userId))
  await writeAudit(tx, actor, {
    kind: 'user',
    rowId: userId,
    before: { second_factor: 'old' },
    after: { second_factor: 'removed' },
  })
}
