import { and, asc, count, eq, isNotNull, sql } from 'drizzle-orm'
import type { DbOrTx } from '#core/db/db.ts'
import { notFoundError } from '#core/http/errors.ts'
import type { CurrentUser } from '#domains/access/public.ts'
import type { LeadMatch } from '#domains/leads/model/filter.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { visibleLeadsCondition } from '#domains/leads/model/visibility.ts'
import type { LeadBatch } from '../contract.ts'
import { maxBatchLeads } from '../labels.ts'
import { leadBatchesTable, leadBatchRowsTable } from '../schema.ts'

/** Returns how many leads match, and the ids of as many as one batch may have. */
export async function readMatchingIds(db: DbOrTx, { where }: LeadMatch): Promise<{ total: number; ids: number[] }> {
  const found = await db.execute<{ total: string; ids: number[] }>(sql`
    select (select count(*) from ${leadsTable} where ${where}) as total,
      array(select ${leadsTable.id} from ${leadsTable} where ${where} order by ${leadsTable.id} limit ${maxBatchLeads}) as ids`)
  const { total, ids } = found.rows[0]!
  return { total: Number(total), ids }
}

/** Returns those of these ids that are leads which this person may see. */
export async function readSeenIds(db: DbOrTx, me: CurrentUser, ids: number[]): Promise<number[]> {
  const isNamed = sql`${leadsTable.id} = any(${sql.param(ids)}::int[])`
  const rows = await db
    .select({ id: leadsTable.id })
    .from(leadsTable)
    .where(and(isNamed, visibleLeadsCondition(me)))
  return rows.map(({ id }) => id)
}

/** Reads a batch for its creator or a super admin. Throws 404 for anyone else. */
export async function readBatch(db: DbOrTx, me: CurrentUser, id: number): Promise<LeadBatch> {
  const [batch] = await db.select().from(leadBatchesTable).where(eq(leadBatchesTable.id, id))
  if (!batch || (batch.user_id !== me.id && !me.isSuperAdmin)) throw notFoundError()
  const { version, reason, undone_version, kept_reason, batch_id, lead_id, place } = leadBatchRowsTable
  const [outcome, skipReason] = batch.undoing ? [undone_version, kept_reason] : [version, reason]
  const isOfBatch = eq(batch_id, id)
  const [counted] = await db
    .select({ total: batch.undoing ? count(version) : count(), changed: count(outcome), skipped: count(skipReason) })
    .from(leadBatchRowsTable)
    .where(isOfBatch)
  const { total, changed, skipped } = counted!
  const { action, state, problem } = batch
  return {
    id,
    action,
    state,
    total,
    processed: changed + skipped,
    changed,
    skipped: await db
      .select({ id: lead_id, reason: sql<string>`${skipReason}` })
      .from(leadBatchRowsTable)
      .where(and(isOfBatch, isNotNull(skipReason)))
      .orderBy(asc(place)),
    problem,
  }
}
