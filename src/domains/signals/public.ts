export { signalsPersonalData } from './server/personal-data.ts'
export { type ReportedFinding, reportFindings } from './server/reported-findings.ts'
