export { type ReportedFinding, reportFindings } from './server/reported-findings.ts'
