import { and, eq, sql } from 'drizzle-orm'
import type { Db, DbOrTx, Tx } from '#core/db/db.ts'
import { findCurrentUserById } from '#domains/access/public.ts'
import type { AppContext } from '#domains/app-context.ts'
import type { ImportState } from '../labels.ts'
import { importsTable } from '../schema.ts'
import type { ImportCaller } from './importable.ts'

/** A job's data: the import, its round, and the user and request that started it. */
export type ImportTask = { id: number; round: number; by: number; requestId?: string; address?: string }
/** The queues of both tasks. */
export const processQueue = { name: 'import-file' }
export const undoQueue = { name: 'import-undo' }
export type ImportRow = typeof importsTable.$inferSelect

/** Returns the import; null if the task is over or was replaced by another one. */
export async function beginImportTask(db: Db, task: ImportTask, states: ImportState[]): Promise<ImportRow | null> {
  const [row] = await db.select().from(importsTable).where(matchesTask(task))
  return row && states.includes(row.state) ? row : null
}

/** Locks the import until the commit, so that two workers take turns. */
export async function lockImportTask(tx: Tx, task: ImportTask): Promise<ImportRow | undefined> {
  const [row] = await tx.select().from(importsTable).where(matchesTask(task)).for('update')
  return row
}

/** Returns the user who started the task. Each slice asks: null, and the task halts, once they may no longer import. */
export async function findImportCaller(tx: Tx, context: AppContext, task: ImportTask): Promise<ImportCaller | null> {
  const me = await findCurrentUserById(tx, task.by)
  if (me?.isSuperAdmin) return { context, me, actor: { me, requestId: task.requestId, address: task.address } }
  await haltImportTask(tx, task, noLongerAllowed)
  return null
}

const noLongerAllowed = 'The user who started this may not continue it: someone else has to'

export async function haltImportTask(db: DbOrTx, task: ImportTask, problem: string): Promise<'over'> {
  await db.update(importsTable).set({ problem, updated_at: sql`now()` }).where(matchesTask(task))
  return 'over'
}

const matchesTask = ({ id, round }: ImportTask) => and(eq(importsTable.id, id), eq(importsTable.round, round))
