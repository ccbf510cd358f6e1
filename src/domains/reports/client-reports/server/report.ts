import type { DbOrTx } from '#core/db/db.ts'
import { HttpError } from '#core/http/errors.ts'
import { readAgencyBrand } from '#domains/agency/public.ts'
import type { AppContext } from '#domains/app-context.ts'
import type { AppSettings } from '#domains/app-settings.ts'
import type { ClientReport, ReportNumbers } from '../contract.ts'
import { reportMessages } from '../labels.ts'
import { buildClientReport } from '../model/report.ts'
import { type ReportRequest, readReportFacts } from './facts.ts'
import type { OpenedReport } from './report-keys.ts'

/** Reads a client's results; null for an unknown client. */
export async function readReportNumbers(
  db: DbOrTx,
  settings: Pick<AppSettings, 'AGENCY_TIMEZONE'>,
  asked: ReportRequest,
): Promise<ReportNumbers | null> {
  const facts = await readReportFacts(db, asked, settings.AGENCY_TIMEZONE)
  return facts && buildClientReport(facts)
}

/** Returns the page of a report that was found; throws 404 for none. */
export async function readOpenReport({ db, settings }: AppContext, opened: OpenedReport | null): Promise<ClientReport> {
  const numbers = opened && (await readReportNumbers(db, settings, opened))
  if (!numbers) throw new HttpError(404, reportMessages.notFound)
  return { ...numbers, agency: await readAgencyBrand(db, settings), expires_at: opened.expires_at }
}
