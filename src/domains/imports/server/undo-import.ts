import { and, desc, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { House } from '#core/app-context.ts'
import { record } from '#core/audit/write-audit.ts'
import { type Tx, transaction } from '#core/db/db.ts'
import { importProblems, importRows, imports } from '../schema.ts'
import { importables } from './import-kinds.ts'
import { begin, holdTask, type ImportRow, type Task, timeIsUp } from './import-task.ts'
import type { By } from './importable.ts'

/** Takes back what an import made, some of it a commit. Answers whether there is more to do. */
export async function takeBack(house: House, task: Task): Promise<'more' | 'over'> {
  const begun = await begin(house, task, ['undoing'])
  if (!begun) return 'over'
  const isOver = timeIsUp(house)
  while (!isOver()) {
    const isMore = await transaction(house.db, async (tx) => {
      const row = await holdTask(tx, task)
      return row?.state === 'undoing' && takeSomeBack(tx, row, begun.by)
    })
    if (!isMore) return 'over'
  }
  return 'more'
}

/** The last ones first. False when there are none any more. */
async function takeSomeBack(tx: Tx, row: ImportRow, by: By): Promise<boolean> {
  const kind = importables[row.kind]
  const made = await tx
    .select({ line: importRows.line, id: importRows.row_id })
    .from(importRows)
    .where(and(eq(importRows.import_id, row.id), isNull(importRows.fate)))
    .orderBy(desc(importRows.line))
    .limit(kind.atOnce)
  if (made.length === 0) {
    await finish(tx, row, by)
    return false
  }
  const ids = made.map(({ id }) => id)
  const reasons = await kind.remove(tx, by, ids)
  const kept = made.flatMap(({ line, id }) => {
    const says = reasons.get(id)
    return says === undefined ? [] : [{ import_id: row.id, kind: 'kept' as const, line, says }]
  })
  if (kept.length > 0) await tx.insert(importProblems).values(kept)
  await settle(
    tx,
    row.id,
    ids.filter((id) => !reasons.has(id)),
    'removed',
  )
  await settle(
    tx,
    row.id,
    ids.filter((id) => reasons.has(id)),
    'kept',
  )
  await tx
    .update(imports)
    .set({
      removed: sql`${imports.removed} + ${made.length - kept.length}`,
      kept: sql`${imports.kept} + ${kept.length}`,
      updated_at: sql`now()`,
    })
    .where(eq(imports.id, row.id))
  return true
}

const settle = (tx: Tx, id: number, rows: number[], fate: 'removed' | 'kept') =>
  tx
    .update(importRows)
    .set({ fate })
    .where(and(eq(importRows.import_id, id), inArray(importRows.row_id, rows)))

async function finish(tx: Tx, { id, removed, kept }: ImportRow, { actor }: By) {
  await tx
    .update(imports)
    .set({ state: 'undone', undone_at: sql`now()`, updated_at: sql`now()` })
    .where(eq(imports.id, id))
  await record(tx, actor, {
    kind: 'import',
    rowId: id,
    before: { state: 'done' },
    after: { state: 'undone', removed, kept },
  })
}
