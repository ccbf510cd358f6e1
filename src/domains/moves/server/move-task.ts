import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Tx } from '#core/db/db.ts'
import { HttpError } from '#core/http/errors.ts'
import { findCurrentUserById } from '#domains/access/public.ts'
import type { AppContext } from '#domains/app-context.ts'
import { movesTable } from '../schema.ts'
import type { MoveCaller } from './movable.ts'

/** A job's data: the move, and the user and request that started it. */
export type MoveTask = { id: number; by: number; requestId?: string | undefined; address?: string | undefined }
export const readQueue = { name: 'move-read' }
export const writeQueue = { name: 'move-write' }
export const undoQueue = { name: 'move-undo' }
export type MoveRow = typeof movesTable.$inferSelect

/** What is said of an error that no sentence is known for. */
export const lastingProblem = 'Something went wrong: the error is in Leadline’s log'

export async function readMoveRow(db: AppContext['db'], id: number): Promise<MoveRow | undefined> {
  const [row] = await db.select().from(movesTable).where(eq(movesTable.id, id))
  return row
}

/** Returns who moves. Throws 403 once they may no longer. */
export async function requireMoveCaller(
  db: AppContext['db'] | Tx,
  context: AppContext,
  task: MoveTask,
): Promise<MoveCaller> {
  const me = await findCurrentUserById(db, task.by)
  if (!me?.isSuperAdmin) throw new HttpError(403, 'The person who started this is no super admin now')
  return { context, me, actor: { me, requestId: task.requestId, address: task.address } }
}

export const setMove = (db: AppContext['db'] | Tx, id: number, values: Partial<MoveRow>, condition?: SQL) =>
  db
    .update(movesTable)
    .set({ ...values, updated_at: sql`now()` })
    .where(and(eq(movesTable.id, id), condition))
