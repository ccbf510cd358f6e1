import { and, eq, sql } from 'drizzle-orm'
import type { House } from '#core/app-context.ts'
import type { Db, Tx } from '#core/db/db.ts'
import { findPerson } from '#domains/access/server/current-user.ts'
import type { ImportState } from '../labels.ts'
import { imports } from '../schema.ts'
import type { By } from './importable.ts'

/** What a job is sent with: whose import, which task of it, and who wanted it through which request. */
export type Task = { id: number; round: number; by: number; requestId?: string; address?: string }
export type ImportRow = typeof imports.$inferSelect

/** The import with whoever works on it; null where the task is over, or another one has taken its place. */
export async function begin(
  house: House,
  task: Task,
  states: ImportState[],
): Promise<{ row: ImportRow; by: By } | null> {
  const { db } = house
  const [row] = await db.select().from(imports).where(isThis(task))
  if (!row || !states.includes(row.state)) return null
  const me = await findPerson(db, task.by)
  if (!me?.isSuperAdmin) {
    await halt(db, task, 'Who began this may not go on with it: somebody else has to')
    return null
  }
  return { row, by: { house, me, actor: { me, requestId: task.requestId, address: task.address } } }
}

/** Held until the commit, so that two who work on it take turns. */
export async function holdTask(tx: Tx, task: Task): Promise<ImportRow | undefined> {
  const [row] = await tx.select().from(imports).where(isThis(task)).for('update')
  return row
}

export async function halt(db: Db, task: Task, problem: string): Promise<'over'> {
  await db.update(imports).set({ problem, updated_at: sql`now()` }).where(isThis(task))
  return 'over'
}

const isThis = ({ id, round }: Task) => and(eq(imports.id, id), eq(imports.round, round))

/** A job is no longer than a minute, and ends when the process is to leave: what is left is another job's. */
export function timeIsUp({ jobs }: House): () => boolean {
  const end = Date.now() + 60_000
  return () => jobs.stopping.aborted || Date.now() > end
}
