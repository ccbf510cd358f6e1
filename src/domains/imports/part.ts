import type { ServerPart } from '#domains/server-part.ts'
import { createImportsHandlers } from './server/handlers.ts'
import { createImportsJobs } from './server/jobs.ts'
import { importsPersonalData } from './server/personal-data.ts'

export const importsPart: ServerPart = {
  handlers: ({ imports }) => createImportsHandlers(imports),
  jobs: ({ imports }) => createImportsJobs(imports),
  tables: ['imports'],
  personalData: importsPersonalData,
  withoutPeople: { 'Numbers of rows and what became of them': ['import_rows'] },
  encryptedColumns: [
    { table: 'import_files', column: 'content', id: 'import_id' },
    { table: 'import_refused', column: 'content', id: 'import_id' },
  ],
}
