import { and, desc, eq, inArray, isNull, sql } from 'drizzle-orm'
import { writeAudit } from '#core/audit/write-audit.ts'
import { runTransaction, type Tx } from '#core/db/db.ts'
import type { AppContext } from '#domains/app-context.ts'
import type { ImportKind } from '../labels.ts'
import { importProblemsTable, importRowsTable, importsTable } from '../schema.ts'
import { beginImportTask, findImportCaller, type ImportRow, type ImportTask, lockImportTask } from './import-task.ts'
import type { ImportCaller, ImportDefinitions, RowReference } from './importable.ts'

/** Removes the rows that an import created, in batches. Returns whether there is more to do. */
export async function undoImportedRows(
  context: AppContext,
  definitions: ImportDefinitions,
  task: ImportTask,
): Promise<'more' | 'over'> {
  if (!(await beginImportTask(context.db, task, ['undoing']))) return 'over'
  const isOver = context.jobs.createTimeLimit()
  while (!isOver()) {
    const isMore = await runTransaction(context.db, async (tx) => {
      const row = await lockImportTask(tx, task)
      const by = row?.state === 'undoing' ? await findImportCaller(tx, context, task) : null
      return row !== undefined && by !== null && undoBatch(tx, row, definitions[row.kind], by)
    })
    if (!isMore) return 'over'
  }
  return 'more'
}

/** Removes the last rows first. Returns false when none are left. */
async function undoBatch(
  tx: Tx,
  row: ImportRow,
  kind: ImportDefinitions[ImportKind],
  by: ImportCaller,
): Promise<boolean> {
  const made = await tx
    .select({ line: importRowsTable.line, id: importRowsTable.row_id })
    .from(importRowsTable)
    .where(and(eq(importRowsTable.import_id, row.id), isNull(importRowsTable.fate)))
    .orderBy(desc(importRowsTable.line))
    .limit(kind.atOnce)
  if (made.length === 0) {
    await finishUndo(tx, row, by)
    return false
  }
  const ids = made.map(({ id }) => id)
  const reasons = await kind.remove(tx, by, ids, () => findReferredRows(tx, kind.references, ids))
  const kept = made.flatMap(({ line, id }) => {
    const says = reasons.get(id)
    return says === undefined ? [] : [{ import_id: row.id, kind: 'kept' as const, line, says }]
  })
  if (kept.length > 0) await tx.insert(importProblemsTable).values(kept)
  const { removed = [], kept: left = [] } = Object.groupBy(made, ({ id }) => (reasons.has(id) ? 'kept' : 'removed'))
  await setRowOutcome(tx, row.id, removed, 'removed')
  await setRowOutcome(tx, row.id, left, 'kept')
  await tx
    .update(importsTable)
    .set({
      removed: sql`${importsTable.removed} + ${made.length - kept.length}`,
      kept: sql`${importsTable.kept} + ${kept.length}`,
      updated_at: sql`now()`,
    })
    .where(eq(importsTable.id, row.id))
  return true
}

async function findReferredRows(tx: Tx, references: readonly RowReference[], ids: number[]) {
  const reasons = new Map<number, string>()
  for (const { column, reason } of references) {
    const found = await tx
      .selectDistinct({ id: sql<number>`${column}` })
      .from(column.table)
      .where(inArray(column, ids))
    for (const { id } of found) if (!reasons.has(id)) reasons.set(id, reason)
  }
  return reasons
}

/** By their lines: the key of the table has them. */
const setRowOutcome = (tx: Tx, id: number, rows: readonly { line: number }[], fate: 'removed' | 'kept') =>
  tx
    .update(importRowsTable)
    .set({ fate })
    .where(
      and(
        eq(importRowsTable.import_id, id),
        inArray(
          importRowsTable.line,
          rows.map(({ line }) => line),
        ),
      ),
    )

async function finishUndo(tx: Tx, { id, removed, kept }: ImportRow, { actor }: ImportCaller) {
  await tx
    .update(importsTable)
    .set({ state: 'undone', undone_at: sql`now()`, updated_at: sql`now()` })
    .where(eq(importsTable.id, id))
  await writeAudit(tx, actor, {
    kind: 'import',
    rowId: id,
    before: { state: 'done' },
    after: { state: 'undone', removed, kept },
  })
}
