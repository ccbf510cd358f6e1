import { describeMentions, type PersonalData } from '#core/erasure/personal-data.ts'
import { disputesTable } from '../../disputes/schema.ts'
import { statementLinesTable } from '../../statements/schema.ts'

/** Answers to disputes may mention a person; a statement's line keeps its lead and its amount. */
export const billingPersonalData: PersonalData[] = [
  describeMentions('Answers to disputes', disputesTable, { columns: ['answer'], kept: ['via', 'state'] }),
  describeMentions('Lines of statements', statementLinesTable, { columns: ['because'], kept: ['kind', 'standing'] }),
]
