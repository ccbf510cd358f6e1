import { eq } from 'drizzle-orm'
import { type AuditActor, writeAudit } from '#core/audit/write-audit.ts'
import type { Db } from '#core/db/db.ts'
import { isEqualText, type SecretBox } from '#core/secrets/secrets.ts'
import type { AppSettings } from '#domains/app-settings.ts'
import { stopEmails } from '#domains/messages/public.ts'
import { reportSchedulesTable } from '../schema.ts'
import { findSchedule } from './schedules.ts'

export const scheduleAuditKind = 'report schedule'

/** The client of a test email, whose key ends nothing: ids start at 1. */
export const testEmailClient = 0

/** Creates a key that can only end one client's reports. It is valid as long as the secret key. */
const createUnsubscribeKey = (secrets: SecretBox, clientId: number): string =>
  `${clientId}-${secrets.sign(`report schedule:${clientId}`)}`

/** Returns the URL that mail clients call and that the email links to. */
export const buildUnsubscribeUrl = (
  { settings, secrets }: { settings: Pick<AppSettings, 'PUBLIC_URL'>; secrets: SecretBox },
  clientId: number,
): string => `${settings.PUBLIC_URL}/api/report-unsubscribe/${createUnsubscribeKey(secrets, clientId)}`

function findUnsubscribedClient(secrets: SecretBox, key: string): number | null {
  const clientId = Number(/^(\d{1,9})-/.exec(key)?.[1] ?? 0)
  return isEqualText(key, createUnsubscribeKey(secrets, clientId)) ? clientId : null
}

/**
 * Ends the schedule of the key, and stops the reports that wait to be sent; returns its client, null for an invalid key. A second call
 * changes nothing.
 */
export async function endScheduleByKey(
  db: Db,
  secrets: SecretBox,
  actor: AuditActor,
  key: string,
): Promise<number | null> {
  const clientId = findUnsubscribedClient(secrets, key)
  if (clientId === null || clientId === testEmailClient) return clientId
  await db.transaction(async (tx) => {
    const stored = await findSchedule(tx, clientId, { lock: true })
    await stopEmails(tx, { kind: 'report', record_id: clientId, reason: 'unsubscribed' })
    if (!stored?.every) return
    const { every, version } = stored
    await tx
      .update(reportSchedulesTable)
      .set({ every: null, version: version + 1 })
      .where(eq(reportSchedulesTable.client_id, clientId))
    await writeAudit(tx, actor, {
      kind: scheduleAuditKind,
      rowId: clientId,
      before: { every },
      after: { every: null },
    })
  })
  return clientId
}
