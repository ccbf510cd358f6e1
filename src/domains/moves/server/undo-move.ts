import { and, desc, eq, inArray, notExists } from 'drizzle-orm'
import { writeAudit } from '#core/audit/write-audit.ts'
import { runTransaction, type Tx } from '#core/db/db.ts'
import { HttpError, isDatabaseUnavailable, isSerializationFailure } from '#core/http/errors.ts'
import type { AppContext } from '#domains/app-context.ts'
import type { MovedKind, WrittenKind } from '../labels.ts'
import { movedIdsTable, moveItemsTable, movesTable } from '../schema.ts'
import type { KindWriters, MoveCaller } from './movable.ts'
import { resumeMoveHistories, undoMoveHistory } from './move-history.ts'
import { type MoveTask, readMoveRow, requireMoveCaller, setMove } from './move-task.ts'
import { isItem } from './write-move.ts'

type Item = typeof moveItemsTable.$inferSelect
const batchSize = 50

/** Takes back what a move has written, the last first. Returns whether there is more to do. */
export async function undoMove(context: AppContext, writers: KindWriters, task: MoveTask): Promise<'more' | 'over'> {
  const isOver = context.jobs.createTimeLimit()
  const row = await readMoveRow(context.db, task.id)
  if (row?.state !== 'undoing') return 'over'
  while (!isOver()) {
    const isMore = await runTransaction(context.db, (tx) => undoBatch(tx, context, writers, task))
    if (!isMore) return 'over'
  }
  return 'more'
}

/** Returns false when nothing is left. */
async function undoBatch(tx: Tx, context: AppContext, writers: KindWriters, task: MoveTask): Promise<boolean> {
  const by = await requireMoveCaller(tx, context, task)
  const [row] = await tx.select().from(movesTable).where(eq(movesTable.id, task.id)).for('update')
  if (row?.state !== 'undoing') return false // another worker has ended it by now
  if (await undoMoveHistory(tx, row)) return true
  const items = await tx
    .select()
    .from(moveItemsTable)
    .where(and(eq(moveItemsTable.move_id, task.id), eq(moveItemsTable.state, 'written')))
    .orderBy(desc(moveItemsTable.position))
    .limit(batchSize)
    .for('update')
  // Leads are the last that were written.
  const leads = await undoLeads(tx, writers, items)
  for (const item of items) {
    const kept = leads.has(item) ? leads.get(item)! : await undoItem(tx, by, writers, item)
    await tx
      .update(moveItemsTable)
      .set(kept === null ? { state: 'removed', kept: null } : { state: 'kept', kept })
      .where(isItem(item))
  }
  if (items.length > 0) return true
  await forgetMovedIds(tx, task.id)
  await setMove(tx, task.id, { state: 'undone', undone_at: new Date() })
  await resumeMoveHistories(tx, context, row)
  await writeAudit(tx, by.actor, {
    kind: 'move',
    rowId: task.id,
    before: { state: 'done' },
    after: { state: 'undone' },
  })
  return false
}

/** What stays is not forgotten, or another move would bring it again. */
async function forgetMovedIds(tx: Tx, id: number): Promise<void> {
  const { move_id, state, kind, old_id, row_id } = moveItemsTable
  const kept = tx
    .select({ key: moveItemsTable.key })
    .from(moveItemsTable)
    .where(
      and(
        ...[eq(move_id, id), eq(state, 'kept'), eq(kind, movedIdsTable.kind)],
        ...[eq(old_id, movedIdsTable.old_id), eq(row_id, movedIdsTable.row_id)],
      ),
    )
  await tx.delete(movedIdsTable).where(and(eq(movedIdsTable.move_id, id), notExists(kept)))
}

/** Takes the leads among these back together. Returns why each stays, or null; none at all if that fails, to do it one by one. */
async function undoLeads(tx: Tx, { lead }: KindWriters, items: readonly Item[]): Promise<Map<Item, string | null>> {
  const leads = items.filter(({ kind, becomes }) => kind === 'lead' && becomes === 'new')
  if (leads.length === 0) return new Map()
  try {
    const ids = leads.map(({ row_id }) => row_id!)
    const kept = await tx.transaction((inner) => lead.removeMany!(inner, ids))
    return new Map(leads.map((item) => [item, describeKept(item, kept.get(item.row_id!))]))
  } catch (error) {
    if (isDatabaseUnavailable(error) || isSerializationFailure(error)) throw error
    return new Map()
  }
}

const describeKept = ({ label }: Item, reason: string | null | undefined) => (reason ? `${label}: ${reason}` : null)

/** Returns why the thing stays; null if it is taken back, or was here before the move. */
async function undoItem(tx: Tx, by: MoveCaller, writers: KindWriters, item: Item): Promise<string | null> {
  const writer = writers[item.kind as WrittenKind]
  const id = item.row_id!
  if (item.becomes === 'same') {
    const reason = item.replaced && (await writer.restore?.(tx, by, id, item.replaced))
    return describeKept(item, reason)
  }
  const stays = (kind: MovedKind, row: number) => wasKept(tx, item.move_id, kind, row)
  try {
    const reason = await tx.transaction((inner) => writer.remove(inner, by, id, { stays, made: item.replaced }))
    return describeKept(item, reason)
  } catch (error) {
    if (isDatabaseUnavailable(error) || isSerializationFailure(error)) throw error
    if (!(error instanceof HttpError)) by.context.log.error({ err: error }, 'undo of a move')
    return `${item.label}: ${error instanceof HttpError ? error.message : 'something here refers to it'}`
  }
}

async function wasKept(tx: Tx, moveId: number, kind: MovedKind, row: number): Promise<boolean> {
  const { move_id, kind: kindColumn, row_id, state } = moveItemsTable
  const found = await tx.$count(
    moveItemsTable,
    and(eq(move_id, moveId), eq(kindColumn, kind), eq(row_id, row), inArray(state, ['kept'])),
  )
  return found > 0
}
