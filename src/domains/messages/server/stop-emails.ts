import { and, eq, sql } from 'drizzle-orm'
import type { Tx } from '#core/db/db.ts'
import { messageState, messagesTable } from '../schema.ts'

/** Why an email that waited is not sent: someone has closed what it is about, or it should not come anymore. */
export const stopReasons = {
  closed: 'The link was closed since',
  removed: 'The client was removed since',
  switchedOff: 'The client was switched off since',
  unsubscribed: 'The client has unsubscribed since',
  ended: 'The schedule was ended since',
} as const

type StoppedEmails = {
  kind: 'statement' | 'report'
  record_id: number
  /** How their `dedupe_key` begins, if they are not all about the record. */
  keyStart?: string
  reason: 'closed' | 'unsubscribed' | 'ended'
}

/** Stops the emails that wait, in the transaction that closes their link or ends their schedule. */
export async function stopEmails(tx: Tx, { kind, record_id, keyStart = '', reason }: StoppedEmails): Promise<void> {
  const error = stopReasons[reason]
  await tx
    .update(messagesTable)
    .set({ state: messageState.failed, error, content: null })
    .where(
      and(
        eq(messagesTable.kind, kind),
        eq(messagesTable.record_id, record_id),
        eq(messagesTable.state, messageState.queued),
        sql`starts_with(${messagesTable.dedupe_key}, ${keyStart})`,
      ),
    )
}
