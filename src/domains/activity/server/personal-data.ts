import { describeMentions, type PersonalData } from '#core/erasure/personal-data.ts'
import { activityItemsTable } from '../schema.ts'

/** Notes and tasks may mention a person. */
export const activityPersonalData: PersonalData[] = [
  describeMentions('Notes and tasks', activityItemsTable, { columns: ['note'] }),
]
