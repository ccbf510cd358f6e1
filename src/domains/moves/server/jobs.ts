import { type AppContext, defineJob } from '#domains/app-context.ts'
import type { KindWriters } from './movable.ts'
import { type MoveTask, readQueue, undoQueue, writeQueue } from './move-task.ts'
import { readMove } from './read-move.ts'
import { undoMove } from './undo-move.ts'
import { writeMove } from './write-move.ts'

export const createMovesJobs = (writers: KindWriters) => [
  defineJob({ ...readQueue, run: (context, task: MoveTask) => readMove(context, task) }),
  defineJob({
    ...writeQueue,
    run: async (context, task: MoveTask) => {
      if ((await writeMove(context, writers, task)) === 'more') await resendTask(context, writeQueue, task)
    },
  }),
  defineJob({
    ...undoQueue,
    run: async (context, task: MoveTask) => {
      if ((await undoMove(context, writers, task)) === 'more') await resendTask(context, undoQueue, task)
    },
  }),
]

const resendTask = ({ db, jobs }: AppContext, queue: { name: string }, task: MoveTask) =>
  db.transaction((tx) => jobs.send(tx, queue, task))
