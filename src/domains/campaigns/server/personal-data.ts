import { describeMentions, type PersonalData } from '#core/erasure/personal-data.ts'
import { campaignsTable } from '../schema.ts'

/** Notes of campaigns may mention a person. */
export const campaignsPersonalData: PersonalData[] = [
  describeMentions('Notes of campaigns', campaignsTable, {
    columns: ['notes'],
    kept: ['name', 'manager', 'timezone', 'schedule'],
  }),
]
