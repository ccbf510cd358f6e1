import { and, inArray, lt, sql } from 'drizzle-orm'
import type { House } from '#server/house.ts'
import { type Job, job } from '#server/jobs.ts'
import { goThrough } from './going-through.ts'
import { imports } from './table.ts'
import type { Task } from './task.ts'
import { takeBack } from './undoing.ts'
import { importStates, isDraft } from './words.ts'

/** Looks at every line of a file, or imports it: whichever its import is about. */
export const goThroughFile: Job<Task> = job({
  name: 'import-file',
  run: async (house, task: Task) => {
    if ((await goThrough(house, task)) === 'more') await sendAgain(house, goThroughFile, task)
  },
})

export const undoImport: Job<Task> = job({
  name: 'import-undo',
  run: async (house, task: Task) => {
    if ((await takeBack(house, task)) === 'more') await sendAgain(house, undoImport, task)
  },
})

const sendAgain = ({ db, jobs }: House, again: Job<Task>, task: Task) =>
  db.transaction((tx) => jobs.send(tx, again, task))

/** What was uploaded a day ago and never imported. */
const forgetFiles = job({
  name: 'import-forget',
  cron: '23 * * * *',
  run: ({ db }) => forgetOld(db),
})

export async function forgetOld(db: House['db']): Promise<void> {
  const isOld = lt(imports.created_at, sql`now() - interval '24 hours'`)
  await db.delete(imports).where(and(isOld, inArray(imports.state, importStates.filter(isDraft))))
}

export const importsJobs = [goThroughFile, undoImport, forgetFiles]
