import { and, inArray, isNotNull } from 'drizzle-orm'
import {
  describeMentions,
  erasedText,
  eraseMentions,
  findRecordIds,
  type PersonalData,
} from '#core/erasure/personal-data.ts'
import { statementLinesTable, statementsTable } from '../schema.ts'

const lineColumns = ['because', 'lead_name'] as const

/** A line keeps its lead and its amount; the name goes with the person, from sent statements too. */
export const statementLinesData: PersonalData = {
  ...describeMentions('Lines of statements', statementLinesTable, {
    columns: lineColumns,
    kept: ['kind', 'standing', 'lead_type'],
  }),
  erase: async (tx, person) => {
    const { lead_id, lead_name } = statementLinesTable
    const { rowCount } = await tx
      .update(statementLinesTable)
      .set({ lead_name: erasedText })
      .where(and(isNotNull(lead_name), inArray(lead_id, [...findRecordIds(person, 'lead')])))
    return (rowCount ?? 0) + (await eraseMentions(tx, statementLinesTable, lineColumns, person))
  },
}

/** Clients are businesses, and their billing emails are theirs: only a note about a payment may name a person. */
export const statementsData = describeMentions('Payments of statements', statementsTable, {
  columns: ['paid_note'],
  kept: ['terms', 'month', 'client_name', 'campaign_name', 'agency_name', 'address_lines', 'mailed_to'],
})
