import { eq, sql } from 'drizzle-orm'
import { writeAudit } from '#core/audit/write-audit.ts'
import { runTransaction, type Tx } from '#core/db/db.ts'
import { conflictError, forbiddenError, staleVersionError, validationError } from '#core/http/errors.ts'
import { type EndpointCall, implementContract } from '#domains/app-context.ts'
import { leadsContract } from '#domains/leads/contract.ts'
import { noCampaignId } from '#domains/leads/labels.ts'
import { assertValidReferences } from '#domains/leads/model/edit-lead.ts'
import { buildLeadMatch } from '#domains/leads/model/filter.ts'
import { batchActionRules, leadBatchContract, tooManyMessage } from '../contract.ts'
import { maxBatchLeads, maxBatchStep } from '../labels.ts'
import { leadBatchesTable, leadBatchRowsTable } from '../schema.ts'
import { leadBatchJob } from './jobs.ts'
import { readBatch, readMatchingIds } from './queries.ts'
import { runBatchStep } from './run-batch.ts'

const batchAuditKind = 'lead batch'

export const leadBatchHandlers = implementContract(leadBatchContract, {
  create: (call) => {
    const { db, me, body, actor } = call
    const { action, value = null } = body
    if (!batchActionRules[action](me)) throw forbiddenError()
    return runTransaction(db, async (tx) => {
      const ids = await findBatchIds(tx, call)
      if (body.action === 'move')
        await assertValidReferences(tx, me, { campaign_id: noCampaignId, clientsite_id: null }, body.value)
      const [made] = await tx
        .insert(leadBatchesTable)
        .values({ user_id: me.id, action, value })
        .returning({ id: leadBatchesTable.id })
      const { id } = made!
      await tx.execute(sql`
        insert into ${leadBatchRowsTable} (batch_id, place, lead_id)
        select ${id}::int, place, lead_id from unnest(${sql.param(ids)}::int[]) with ordinality one (lead_id, place)`)
      const after = { action, value, total: ids.length }
      await writeAudit(tx, actor, { kind: batchAuditKind, rowId: id, before: null, after })
      await startBatch(tx, call, { id, undo: false, leads: ids.length })
      return readBatch(tx, me, id)
    })
  },

  get: ({ db, me, params }) => readBatch(db, me, params.id),

  undo: (call) => {
    const { db, me, params, actor } = call
    return runTransaction(db, async (tx) => {
      const { id } = params
      await tx.select().from(leadBatchesTable).where(eq(leadBatchesTable.id, id)).for('update')
      const { state, action, total } = await readBatch(tx, me, id)
      if (!batchActionRules[action](me)) throw forbiddenError()
      if (state === 'undone') throw conflictError('This was undone already')
      if (state === 'queued' || state === 'running') throw conflictError('This is not done yet')
      await tx.update(leadBatchesTable).set({ undoing: true, state: 'queued' }).where(eq(leadBatchesTable.id, id))
      await writeAudit(tx, actor, {
        kind: batchAuditKind,
        rowId: id,
        before: { undone: false },
        after: { undone: true },
      })
      await startBatch(tx, call, { id, undo: true, leads: total })
      return readBatch(tx, me, id)
    })
  },
})

type BatchCall = Pick<EndpointCall<typeof leadBatchContract.create>, 'me' | 'context' | 'actor' | 'body'>

/** Freezes the leads that were asked for. A filter is turned into ids under the caller's rights. */
async function findBatchIds(tx: Tx, { me, body, context }: BatchCall): Promise<number[]> {
  const { ids, filter } = body
  if (!filter) return [...new Set(ids)]
  const { archived, ...query } = filter
  const mayList = archived ? leadsContract.archived.allow : leadsContract.list.allow
  if (!mayList(me)) throw forbiddenError()
  const zone = context.settings.AGENCY_TIMEZONE
  const found = await readMatchingIds(tx, buildLeadMatch(me, query, { archived: archived === 1, zone }))
  if (found.total !== body.total)
    throw staleVersionError(leadBatchContract.create, `${found.total} leads match now`, found.total)
  if (found.total > maxBatchLeads) throw validationError({ filter: [tooManyMessage] })
  return found.ids
}

type BatchStart = { id: number; undo: boolean; leads: number }

/** Does a small batch within the call; leaves a large one to a job. */
async function startBatch(
  tx: Tx,
  { me, actor, context }: Omit<BatchCall, 'body'>,
  { id, undo, leads }: BatchStart,
): Promise<void> {
  if (leads <= maxBatchStep) {
    const by = { context, me, actor, zone: context.settings.AGENCY_TIMEZONE }
    while (await runBatchStep(tx, by, { id, undo }));
    return
  }
  const { requestId, address } = actor
  const task = { id, undo, by: me.id, ...(requestId && { requestId }), ...(address && { address }) }
  await context.jobs.send(tx, leadBatchJob, task)
}
