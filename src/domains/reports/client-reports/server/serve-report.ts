import { readAgencyBrand } from '#domains/agency/public.ts'
import { serveDocument } from '#domains/documents/public.ts'
import type { ClientReport } from '../contract.ts'
import { reportMessages } from '../labels.ts'
import { readReportNumbers } from './report.ts'
import { noteReportOpened, type OpenedReport } from './report-keys.ts'
import { describeReportPdf } from './report-pdf.ts'

type FindReport<Params> = Parameters<typeof serveDocument<Params, OpenedReport, ClientReport>>[0]['find']

/** Returns the calls of a report that opens by its key, or for its own client. */
export const serveReport = <Params>(find: FindReport<Params>) =>
  serveDocument<Params, OpenedReport, ClientReport>({
    notFound: reportMessages.notFound,
    find,
    read: async ({ db, settings }, opened) => {
      const numbers = await readReportNumbers(db, settings, opened)
      return numbers && { ...numbers, agency: await readAgencyBrand(db, settings), expires_at: opened.expires_at }
    },
    noteOpened: ({ db }, { id }) => noteReportOpened(db, id),
    describe: describeReportPdf,
    nameFile: ({ from, to }) => `report-${from}-${to}.pdf`,
  })
