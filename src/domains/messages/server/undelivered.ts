import { sql } from 'drizzle-orm'
import type { DbOrTx } from '#core/db/db.ts'
import { messageState, messagesTable } from '../schema.ts'
import { stopReasons } from './stop-emails.ts'

export type UndeliveredEmails = {
  record_id: number
  recipients: string[]
  /** Of the last one. */
  error: string | null
  since: Date
  /** How many emails the mail server refused; whether the others arrived is unknown. */
  refused: number
  count: number
}

/**
 * Returns the records with emails of this kind that were refused or lost, unless a later email about the same record was sent. What is not
 * sent because its reader has unsubscribed is neither.
 */
export async function readUndelivered(
  db: DbOrTx,
  kind: 'statement' | 'report',
  since: Date,
): Promise<UndeliveredEmails[]> {
  const { failed, unknown, sent } = messageState
  const { rows } = await db.execute<Omit<UndeliveredEmails, 'since'> & { since: string }>(sql`
    select message.record_id::float8 as record_id, array_agg(distinct message.recipient) as recipients,
      (array_agg(message.error order by message.id desc))[1] as error, min(message.created_at) as since,
      (count(*) filter (where message.state = ${failed}))::int as refused, count(*)::int as count
    from ${messagesTable} message
    where message.kind = ${kind} and message.record_id is not null and message.created_at > ${since.toISOString()}
      and message.state in (${failed}, ${unknown}) and message.error is distinct from ${stopReasons.unsubscribed} and not exists (
        select from ${messagesTable} later where later.kind = message.kind and later.record_id = message.record_id
          and later.created_at > message.created_at and later.state = ${sent})
    group by message.record_id order by message.record_id`)
  return rows.map((row) => ({ ...row, since: new Date(row.since) }))
}
