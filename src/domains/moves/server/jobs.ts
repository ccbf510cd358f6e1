import { and, eq, inArray, sql } from 'drizzle-orm'
import { HttpError, isDatabaseUnavailable } from '#core/http/errors.ts'
import { type AppContext, defineJob } from '#domains/app-context.ts'
import { movesTable } from '../schema.ts'
import type { KindWriters } from './movable.ts'
import { lastingProblem, type MoveTask, readQueue, undoQueue, writeQueue } from './move-task.ts'
import { readMove } from './read-move.ts'
import { undoMove } from './undo-move.ts'
import { writeMove } from './write-move.ts'

type RunMove = (context: AppContext, writers: KindWriters, task: MoveTask) => Promise<'more' | 'over'>

export const createMovesJobs = (writers: KindWriters) => [
  defineJob({ ...readQueue, run: (context, task: MoveTask) => readMove(context, task) }),
  defineMoveJob(writeQueue, 'writing', writers, writeMove),
  defineMoveJob(undoQueue, 'undoing', writers, undoMove),
  resumeMovesJob,
]

/** A job that sends itself again while there is more to do, and halts the move, with the reason, at what another try would not mend. */
const defineMoveJob = (queue: { name: string }, state: 'writing' | 'undoing', writers: KindWriters, run: RunMove) =>
  defineJob({
    ...queue,
    run: async (context: AppContext, task: MoveTask) => {
      const { db, jobs, log } = context
      try {
        if ((await run(context, writers, task)) === 'more') await db.transaction((tx) => jobs.send(tx, queue, task))
      } catch (error) {
        if (isDatabaseUnavailable(error) || jobs.stopping.aborted) throw error
        if (!(error instanceof HttpError)) log.error({ err: error }, 'move')
        await db
          .update(movesTable)
          .set({ problem: error instanceof HttpError ? error.message : lastingProblem })
          .where(and(eq(movesTable.id, task.id), eq(movesTable.state, state)))
      }
    },
  })

/**
 * Sends the jobs again of moves that have none: their workers were killed more often than a job is tried, or a backup, which has no
 * jobs, was restored.
 */
const resumeMovesJob = defineJob({ name: 'move-resume', cron: '* * * * *', retries: 0, run: resumeMoves })

const queues = { reading: readQueue, writing: writeQueue, undoing: undoQueue } as const

export async function resumeMoves({ db, jobs }: AppContext): Promise<void> {
  const states = Object.keys(queues) as (keyof typeof queues)[]
  const names = Object.values(queues).map(({ name }) => name)
  const isLost = sql`not exists (select from pgboss.job where name in ${names} and data ->> 'id' = ${movesTable.id}::text
    and state in ('created', 'retry', 'active'))`
  // A plan that the command line reads has no job. What a person has to continue waits for them.
  const isQuiet = sql`${movesTable.updated_at} < now() - interval '2 minutes'`
  const isHalted = sql`${movesTable.state} <> 'reading' and ${movesTable.problem} is not null`
  await db.transaction(async (tx) => {
    const lost = await tx
      .select({ id: movesTable.id, state: movesTable.state, user_id: movesTable.user_id })
      .from(movesTable)
      .where(and(inArray(movesTable.state, states), isQuiet, isLost, sql`not (${isHalted})`))
      .for('update')
    for (const { id, state, user_id } of lost) {
      const queue = queues[state as keyof typeof queues] // the query reads no other
      const { rows } = await tx.execute<{ data: MoveTask }>(sql`
        select data from pgboss.job where name = ${queue.name} and data ->> 'id' = ${id}::text order by created_on desc limit 1`)
      await jobs.send(tx, queue, rows[0]?.data ?? { id, by: user_id })
    }
  })
}
