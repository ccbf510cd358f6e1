import type { DbOrTx } from '#core/db/db.ts'
import type { AppSettings } from '#domains/app-settings.ts'
import type { ReportNumbers } from '../contract.ts'
import { buildClientReport } from '../model/report.ts'
import { type KeptReport, readReportFacts } from './facts.ts'

/** Reads a client's results; null for an unknown client. */
export async function readReportNumbers(
  db: DbOrTx,
  settings: Pick<AppSettings, 'AGENCY_TIMEZONE'>,
  request: KeptReport,
): Promise<ReportNumbers | null> {
  const facts = await readReportFacts(db, request, settings.AGENCY_TIMEZONE)
  return facts && buildClientReport(facts)
}
