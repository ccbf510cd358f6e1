import { eq } from 'drizzle-orm'
import { type AuditActor, writeAudit } from '#core/audit/write-audit.ts'
import type { Db } from '#core/db/db.ts'
import { isEqualText, type SecretBox } from '#core/secrets/secrets.ts'
import type { AppSettings } from '#core/settings/settings.ts'
import { reportSchedulesTable } from '../schema.ts'

export const scheduleAuditKind = 'report schedule'

/** A key that ends the reports of one client and opens nothing. It holds as long as the secret key does. */
const createUnsubscribeKey = (secrets: SecretBox, clientId: number): string =>
  `${clientId}-${secrets.sign(`report schedule:${clientId}`)}`

/** Returns the address that mail programs call, and that the mail links to. */
export const buildUnsubscribeUrl = (
  { settings, secrets }: { settings: Pick<AppSettings, 'PUBLIC_URL'>; secrets: SecretBox },
  clientId: number,
): string => `${settings.PUBLIC_URL}/api/report-unsubscribe/${createUnsubscribeKey(secrets, clientId)}`

function findUnsubscribedClient(secrets: SecretBox, key: string): number | null {
  const clientId = Number(/^(\d{1,9})-/.exec(key)?.[1] ?? 0)
  return isEqualText(key, createUnsubscribeKey(secrets, clientId)) ? clientId : null
}

/** Ends the schedule that the key is of; false for a key that is none. Doing it twice changes nothing more. */
export async function endScheduleByKey(db: Db, secrets: SecretBox, actor: AuditActor, key: string): Promise<boolean> {
  const clientId = findUnsubscribedClient(secrets, key)
  if (clientId === null) return false
  await db.transaction(async (tx) => {
    const [before] = await tx
      .select({ every: reportSchedulesTable.every })
      .from(reportSchedulesTable)
      .where(eq(reportSchedulesTable.client_id, clientId))
      .for('update')
    if (!before) return
    await tx.update(reportSchedulesTable).set({ every: null }).where(eq(reportSchedulesTable.client_id, clientId))
    await writeAudit(tx, actor, { kind: scheduleAuditKind, rowId: clientId, before, after: { every: null } })
  })
  return true
}
