import { eraseMentions } from '#core/erasure/personal-data.ts'
import type { ServerPart } from '#domains/server-part.ts'
import { happeningsTable } from './schema.ts'

const valueColumns = ['before', 'after']

export const happeningsPart: ServerPart = {
  personalData: [
    {
      label: 'Happenings',
      table: happeningsTable,
      columns: valueColumns,
      kept: ['kind', 'subject_type'],
      mentioning: valueColumns,
      // The table's trigger allows no other change, and this one only within an erasure.
      erase: (tx, person) => eraseMentions(tx, happeningsTable, valueColumns, person),
    },
  ],
}
