import { and, inArray, lt, sql } from 'drizzle-orm'
import { type AppContext, defineJob } from '#domains/app-context.ts'
import { importStates, isImportDraft } from '../labels.ts'
import { importRefusedTable, importsTable } from '../schema.ts'
import { type ImportTask, processQueue, undoQueue } from './import-task.ts'
import type { ImportDefinitions } from './importable.ts'
import { processImport } from './process-file.ts'
import { undoImportedRows } from './undo-import.ts'

export const createImportsJobs = (definitions: ImportDefinitions) => [
  /** Validates or imports a file, depending on its state. */
  defineJob({
    ...processQueue,
    run: async (context, task: ImportTask) => {
      if ((await processImport(context, definitions, task)) === 'more') await resendTask(context, processQueue, task)
    },
  }),
  defineJob({
    ...undoQueue,
    run: async (context, task: ImportTask) => {
      if ((await undoImportedRows(context, definitions, task)) === 'more') await resendTask(context, undoQueue, task)
    },
  }),
  deleteOldImportsJob,
]

const resendTask = ({ db, jobs }: AppContext, queue: { name: string }, task: ImportTask) =>
  db.transaction((tx) => jobs.send(tx, queue, task))

/** Deletes files that were uploaded a day ago and never imported, and refused lines after 30 days. */
const deleteOldImportsJob = defineJob({
  name: 'import-forget',
  cron: '23 * * * *',
  run: ({ db }) => deleteOldImports(db),
})

export async function deleteOldImports(db: AppContext['db']): Promise<void> {
  const isOld = lt(importsTable.created_at, sql`now() - interval '24 hours'`)
  await db.delete(importsTable).where(and(isOld, inArray(importsTable.state, importStates.filter(isImportDraft))))
  await db.delete(importRefusedTable).where(lt(importRefusedTable.created_at, sql`now() - interval '30 days'`))
}
