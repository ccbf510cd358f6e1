export { type RecordedHappening, recordHappening, recordHappenings } from './server/record-happening.ts'
