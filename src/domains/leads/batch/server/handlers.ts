import { and, eq, isNotNull } from 'drizzle-orm'
import { countOf } from '#contract/count-of.ts'
import { writeAudit } from '#core/audit/write-audit.ts'
import { runTransaction, type Tx } from '#core/db/db.ts'
import { conflictError, forbiddenError, staleVersionError, validationError } from '#core/http/errors.ts'
import { type EndpointCall, implementContract } from '#domains/app-context.ts'
import { leadsContract } from '#domains/leads/contract.ts'
import { noCampaignId } from '#domains/leads/labels.ts'
import { assertValidReferences } from '#domains/leads/model/edit-lead.ts'
import { buildLeadMatch } from '#domains/leads/model/filter.ts'
import { batchActionRules, leadBatchContract, mayRunBatch, tooManyMessage } from '../contract.ts'
import { maxBatchLeads } from '../labels.ts'
import { leadBatchesTable, leadBatchRowsTable } from '../schema.ts'
import { batchAuditKind, createBatch, startBatch } from './create-batch.ts'
import { readBatch, readMatchingIds } from './queries.ts'

export const leadBatchHandlers = implementContract(leadBatchContract, {
  create: (call) => {
    const { db, me, body } = call
    if (!mayRunBatch(me, body)) throw forbiddenError()
    return runTransaction(db, async (tx) => {
      const ids = await findBatchIds(tx, call)
      if (body.action === 'move')
        await assertValidReferences(tx, me, { campaign_id: noCampaignId, clientsite_id: null }, body.value)
      return createBatch(tx, call, body, ids)
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
      if (state === 'undone') throw conflictError('This was already undone')
      if (state === 'queued' || state === 'running') throw conflictError('This is not finished yet')
      await tx.update(leadBatchesTable).set({ undoing: true, state: 'queued' }).where(eq(leadBatchesTable.id, id))
      await forgetKeptReasons(tx, id)
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

/** An undo that gave up is tried again for all leads that it left. */
const forgetKeptReasons = (tx: Tx, id: number) =>
  tx
    .update(leadBatchRowsTable)
    .set({ kept_reason: null })
    .where(and(eq(leadBatchRowsTable.batch_id, id), isNotNull(leadBatchRowsTable.kept_reason)))

type BatchCall = Pick<EndpointCall<typeof leadBatchContract.create>, 'me' | 'context' | 'actor' | 'body'>

/** Returns the ids of the requested leads. A filter is resolved with the caller's permissions. */
async function findBatchIds(tx: Tx, { me, body, context }: BatchCall): Promise<number[]> {
  const { ids, filter } = body
  if (!filter) return [...new Set(ids)]
  const { archived, ...query } = filter
  const mayList = archived ? leadsContract.archived.allow : leadsContract.list.allow
  if (!mayList(me)) throw forbiddenError()
  const zone = context.settings.AGENCY_TIMEZONE
  const found = await readMatchingIds(tx, buildLeadMatch(me, query, { archived: archived === 1, zone }))
  if (found.total !== body.total)
    throw staleVersionError(
      leadBatchContract.create,
      `${countOf(found.total, 'lead')} ${found.total === 1 ? 'matches' : 'match'} now`,
      found.total,
    )
  if (found.total > maxBatchLeads) throw validationError({ filter: [tooManyMessage] })
  return found.ids
}
