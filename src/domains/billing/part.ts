import { describeMentions } from '#core/erasure/personal-data.ts'
import type { ServerPart } from '#domains/server-part.ts'
import { disputesTable } from './disputes/schema.ts'
import { disputesHandlers } from './disputes/server/handlers.ts'
import { statementDocumentHandlers } from './statements/server/document-handlers.ts'
import { statementsHandlers } from './statements/server/handlers.ts'
import { statementJobs } from './statements/server/jobs.ts'
import { statementLinesData, statementsData } from './statements/server/personal-data.ts'

export const billingPart: ServerPart = {
  handlers: [...statementsHandlers, ...statementDocumentHandlers, ...disputesHandlers],
  jobs: statementJobs,
  tables: ['statements'],
  // Answers to disputes may mention a person; a statement's line keeps its lead and its amount.
  personalData: [
    describeMentions('Answers to disputes', disputesTable, { columns: ['answer'], kept: ['via', 'reason', 'state'] }),
    statementLinesData,
    statementsData,
  ],
  withoutPeople: { 'Keys of links to statements, hashed and encrypted': ['statement_keys'] },
  encryptedColumns: [{ table: 'statement_keys', column: 'key_encrypted', id: 'id' }],
  listRules: { dispute: 'those of their campaigns', statement: 'those of their campaigns' },
}
