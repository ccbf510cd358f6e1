import { describeMentions } from '#core/erasure/personal-data.ts'
import type { ServerPart } from '#domains/server-part.ts'
import { disputesTable } from './disputes/schema.ts'
import { disputesHandlers } from './disputes/server/handlers.ts'
import { statementLinesTable } from './statements/schema.ts'
import { statementsHandlers } from './statements/server/handlers.ts'

export const billingPart: ServerPart = {
  handlers: [...statementsHandlers, ...disputesHandlers],
  tables: ['statements', 'disputes'],
  // Answers to disputes may mention a person; a statement's line keeps its lead and its amount.
  personalData: [
    describeMentions('Answers to disputes', disputesTable, { columns: ['answer'], kept: ['via', 'reason', 'state'] }),
    describeMentions('Lines of statements', statementLinesTable, { columns: ['because'], kept: ['kind', 'standing'] }),
  ],
  withoutPeople: { 'Businesses that are clients, and what is agreed with them': ['statements'] },
  listRules: { dispute: 'those of their campaigns', statement: 'those of their campaigns' },
}
