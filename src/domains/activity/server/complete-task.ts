import { and, eq, isNull } from 'drizzle-orm'
import { cutText } from '#contract/cut-text.ts'
import { writeAudit } from '#core/audit/write-audit.ts'
import type { Tx } from '#core/db/db.ts'
import { maxNoteLength } from '../contract.ts'
import { activityItemsTable } from '../schema.ts'
import { activityItemAuditKind } from './mutations.ts'

/** Completes a task whose cause is gone and adds this to its note, whose end is cut if needed. A done or removed task stays unchanged. */
export async function completeTask(tx: Tx, id: number, says: string): Promise<void> {
  const [item] = await tx
    .select()
    .from(activityItemsTable)
    .where(and(eq(activityItemsTable.id, id), isNull(activityItemsTable.deleted_at)))
    .for('update')
  if (!item?.is_task || item.is_done) return
  const added = `\n\n${says}`
  const note = cutText(item.note, maxNoteLength - added.length) + added
  const version = item.version + 1
  await tx.update(activityItemsTable).set({ is_done: true, note, version }).where(eq(activityItemsTable.id, id))
  await writeAudit(
    tx,
    { me: null },
    {
      kind: activityItemAuditKind,
      rowId: id,
      before: { is_done: false, note: item.note },
      after: { is_done: true, note },
      version,
    },
  )
}
