import { getTableName } from 'drizzle-orm'
import { describeMentions } from '#core/erasure/personal-data.ts'
import { messagesTable } from '#domains/messages/schema.ts'
import type { ServerPart } from '#domains/server-part.ts'
import { disputesTable } from './disputes/schema.ts'
import { disputesHandlers } from './disputes/server/handlers.ts'
import { firstNumberedDay } from './statements/contract.ts'
import { daysPerCampaign } from './statements/fields.ts'
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
  // The job that mails a statement is not in a backup: one that no email shows was not emailed. Its tries end after three days.
  afterRestore: [
    {
      table: getTableName(messagesTable),
      column: 'record_id',
      sql: `
        update statements set mailed_at = null, mailed_to = null
        where mailed_at > (select max(mailed_at) from statements) - interval '4 days' and not exists (
          select from ${getTableName(messagesTable)} message where kind = 'statement' and message.created_at > mailed_at - interval '1 minute'
            and record_id = campaign_id::bigint * ${daysPerCampaign} + (from_day - date '${firstNumberedDay}'))`,
    },
  ],
  listRules: { dispute: 'those of their campaigns', statement: 'those of their campaigns' },
}
