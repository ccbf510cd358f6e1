import { sql } from 'drizzle-orm'
import type { Tx } from '#core/db/db.ts'
import { statementsTable } from '../schema.ts'

/**
 * Numbers the sent statements that have no number, in the order of sending: those of an earlier version. Afterwards no other transaction
 * gives a number until this one has ended, so that none is given twice and none is left out.
 */
export async function numberSentStatements(tx: Tx, zone: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('statement numbers'))`)
  await tx.execute(sql`
    with unnumbered as (
      select campaign_id, from_day, sent_at, to_char(sent_at at time zone ${zone}, 'YYYY-MM') as month
      from ${statementsTable} where ordinal is null),
    placed as (
      select campaign_id, from_day, month, row_number() over (partition by month order by sent_at, campaign_id, from_day) as place
      from unnumbered)
    update ${statementsTable} sent
    set month = placed.month,
      ordinal = placed.place + coalesce((select max(ordinal) from ${statementsTable} earlier where earlier.month = placed.month), 0)
    from placed where sent.campaign_id = placed.campaign_id and sent.from_day = placed.from_day`)
}

/** Returns the next number of a month. Call it after `numberSentStatements`, in its transaction. */
export async function takeNextOrdinal(tx: Tx, month: string): Promise<number> {
  const { rows } = await tx.execute<{ next: number }>(
    sql`select coalesce(max(ordinal), 0) + 1 as next from ${statementsTable} where month = ${month}`,
  )
  return rows[0]!.next
}
