import { describeMentions, type PersonalData } from '#core/erasure/personal-data.ts'
import { viewsTable } from '../schema.ts'

/** A saved search may contain a person's name. */
export const viewsPersonalData: PersonalData[] = [
  describeMentions('Saved views', viewsTable, {
    columns: ['name', 'query'],
    kept: ['table', 'columns', 'sort', 'order', 'shared'],
  }),
]
