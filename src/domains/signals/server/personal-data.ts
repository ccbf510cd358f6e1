import { describeMentions, type PersonalData } from '#core/erasure/personal-data.ts'
import { signalFindingsTable, signalsTable } from '../schema.ts'

const kept = ['kind', 'severity', 'subject_type', 'subject_id']

/** Where signals and their findings store personal data. */
export const signalsPersonalData: PersonalData[] = [
  describeMentions('Signals', signalsTable, {
    columns: ['title', 'subject_label', 'evidence', 'closing_evidence'],
    kept: [...kept, 'detected_kind', 'expected_lost'],
  }),
  describeMentions('Findings', signalFindingsTable, { columns: ['title', 'subject_label', 'evidence'], kept }),
]
