import { sql } from 'drizzle-orm'
import { writeAudit } from '#core/audit/write-audit.ts'
import type { Tx } from '#core/db/db.ts'
import type { EndpointCall } from '#domains/app-context.ts'
import type { BatchAct, LeadBatch, leadBatchContract } from '../contract.ts'
import { maxBatchStep } from '../labels.ts'
import { leadBatchesTable, leadBatchRowsTable } from '../schema.ts'
import { leadBatchJob } from './jobs.ts'
import { readBatch, readSeenIds } from './queries.ts'
import { notFoundReason, runBatchStep } from './run-batch.ts'

export const batchAuditKind = 'lead batch'

/** Who creates a batch, and through which request. */
type BatchRequest = Pick<EndpointCall<typeof leadBatchContract.get>, 'me' | 'context' | 'actor'>

/** Stores a batch of these leads and starts to change them. */
export async function createBatch(
  tx: Tx,
  request: BatchRequest,
  { action, value = null }: BatchAct,
  ids: number[],
): Promise<LeadBatch> {
  const { me, actor } = request
  const [made] = await tx
    .insert(leadBatchesTable)
    .values({ user_id: me.id, action, value })
    .returning({ id: leadBatchesTable.id })
  const { id } = made!
  const seen = new Set(await readSeenIds(tx, me, ids))
  const unseen = ids.filter((lead) => !seen.has(lead))
  await tx.execute(sql`
    insert into ${leadBatchRowsTable} (batch_id, place, lead_id, reason)
    select ${id}::int, place, lead_id, case when lead_id = any(${sql.param(unseen)}::int[]) then ${notFoundReason} end
    from unnest(${sql.param(ids)}::int[]) with ordinality one (lead_id, place)`)
  const after = { action, value, total: ids.length }
  await writeAudit(tx, actor, { kind: batchAuditKind, rowId: id, before: null, after })
  await startBatch(tx, request, { id, undo: false, leads: ids.length })
  return readBatch(tx, me, id)
}

type BatchStart = { id: number; undo: boolean; leads: number }

/** Runs a small batch within the request; leaves a large one to a job. */
export async function startBatch(
  tx: Tx,
  { me, actor, context }: BatchRequest,
  { id, undo, leads }: BatchStart,
): Promise<void> {
  if (leads <= maxBatchStep) {
    const by = { context, me, actor, zone: context.settings.AGENCY_TIMEZONE }
    while (await runBatchStep(tx, () => by, { id, undo }));
    return
  }
  const { requestId, address } = actor
  const task = {
    ...{ id, undo, by: me.id },
    ...(me.key && { key: me.key }),
    ...(requestId && { requestId }),
    ...(address && { address }),
  }
  await context.jobs.send(tx, leadBatchJob, task)
}
