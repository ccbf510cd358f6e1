import { and, inArray, lt, sql } from 'drizzle-orm'
import type { House } from '#core/app-context.ts'
import { type Job, job } from '#core/jobs/jobs.ts'
import { importStates, isDraft } from '../labels.ts'
import { imports } from '../schema.ts'
import type { Task } from './import-task.ts'
import { goThrough } from './process-file.ts'
import { takeBack } from './undo-import.ts'

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
