import { and, inArray, lt, sql } from 'drizzle-orm'
import { type AppContext, defineJob, type JobDefinition } from '#domains/app-context.ts'
import { importStates, isImportDraft } from '../labels.ts'
import { importRefusedTable, importsTable } from '../schema.ts'
import type { ImportTask } from './import-task.ts'
import { processImport } from './process-file.ts'
import { undoImportedRows } from './undo-import.ts'

/** Validates or imports a file, depending on its state. */
export const processImportJob: JobDefinition<ImportTask> = defineJob({
  name: 'import-file',
  run: async (context, task: ImportTask) => {
    if ((await processImport(context, task)) === 'more') await resendTask(context, processImportJob, task)
  },
})

export const undoImportJob: JobDefinition<ImportTask> = defineJob({
  name: 'import-undo',
  run: async (context, task: ImportTask) => {
    if ((await undoImportedRows(context, task)) === 'more') await resendTask(context, undoImportJob, task)
  },
})

const resendTask = ({ db, jobs }: AppContext, again: JobDefinition<ImportTask>, task: ImportTask) =>
  db.transaction((tx) => jobs.send(tx, again, task))

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

export const importsJobs = [processImportJob, undoImportJob, deleteOldImportsJob]
