import { describeMentions, type PersonalData } from '#core/erasure/personal-data.ts'
import { signalFindingsTable, signalsTable } from '../schema.ts'

const kept = ['kind', 'severity', 'subject_type', 'subject_id']

/** Where signals and what they were found by hold data of a person. */
export const signalsPersonalData: PersonalData[] = [
  describeMentions('Signals', signalsTable, {
    columns: ['title', 'subject_label', 'evidence', 'closing_evidence'],
    kept: [...kept, 'detected_kind', 'expected_lost'],
  }),
  describeMentions('Findings', signalFindingsTable, { columns: ['title', 'subject_label', 'evidence'], kept }),
]
