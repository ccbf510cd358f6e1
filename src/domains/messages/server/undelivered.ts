import { and, asc, eq, gte, inArray, isNotNull, or, sql } from 'drizzle-orm'
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
 * sent because no more of them should come is neither.
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
      and message.state in (${failed}, ${unknown})
      and coalesce(message.error, '') not in (${stopReasons.unsubscribed}, ${stopReasons.ended}) and not exists (
        select from ${messagesTable} later where later.kind = message.kind and later.record_id = message.record_id
          and later.created_at > message.created_at and later.state = ${sent})
    group by message.record_id order by message.record_id`)
  return rows.map((row) => ({ ...row, since: new Date(row.since) }))
}

/** `waits`: a later try may work. `error` is null if no one knows whether the email arrived. */
type UndeliveredEmail = { recipient: string; waits: boolean; error: string | null }

/** Returns the emails about a record since this time that were refused, stopped or lost, or that wait after a try that failed. */
export async function readUndeliveredOf(
  db: DbOrTx,
  { kind, record_id, since }: { kind: 'statement'; record_id: number; since: Date },
): Promise<UndeliveredEmail[]> {
  const { recipient, state, error, created_at } = messagesTable
  const { failed, unknown, queued } = messageState
  const rows = await db
    .select({ recipient, state, error })
    .from(messagesTable)
    .where(
      and(
        eq(messagesTable.kind, kind),
        eq(messagesTable.record_id, record_id),
        gte(created_at, since),
        or(inArray(state, [failed, unknown]), and(eq(state, queued), isNotNull(error))),
      ),
    )
    .orderBy(asc(recipient), messagesTable.id)
  return rows.map((row) => ({
    recipient: row.recipient,
    waits: row.state === queued,
    error: row.state === unknown ? null : row.error,
  }))
}
