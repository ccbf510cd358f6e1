import { describeMentions, type PersonalData } from '#core/erasure/personal-data.ts'
import type { ServerPart } from '#domains/server-part.ts'
import { signalFindingsTable, signalsTable } from './schema.ts'
import { signalsHandlers } from './server/handlers.ts'
import { signalsJobs } from './server/jobs.ts'
import { watchesHandlers } from './watches/server/handlers.ts'

const kept = ['kind', 'severity', 'subject_type', 'subject_id']

/** Where signals and their findings store personal data. */
const signalsPersonalData: PersonalData[] = [
  describeMentions('Signals', signalsTable, {
    columns: ['title', 'subject_label', 'evidence', 'closing_evidence'],
    kept: [...kept, 'detected_kind', 'expected_lost'],
  }),
  describeMentions('Findings', signalFindingsTable, { columns: ['title', 'subject_label', 'evidence'], kept }),
]

export const signalsPart: ServerPart = {
  handlers: [...signalsHandlers, ...watchesHandlers],
  jobs: signalsJobs,
  personalData: signalsPersonalData,
  withoutPeople: { 'What staff are told of': ['user_watches'] },
  encryptedColumns: [{ table: 'user_watches', column: 'webhook_url', id: 'user_id' }],
}
