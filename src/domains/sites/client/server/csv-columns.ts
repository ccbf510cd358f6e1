import type { CsvFile } from '#core/csv/csv-stream.ts'
import { formatSiteStatus } from '#domains/sites/checks/contract.ts'
import type { ClientSite } from '../contract.ts'
import { clientSiteColumnTitles } from '../labels.ts'

/** The columns of client_sites.csv: those of the table that are no links alone. */
export const clientSiteCsvColumns: CsvFile<ClientSite>['columns'] = [
  { title: clientSiteColumnTitles.url, cell: ({ url }) => url },
  { title: clientSiteColumnTitles.campaign, cell: ({ campaign }) => campaign?.name },
  { title: clientSiteColumnTitles.status, cell: ({ status }) => formatSiteStatus(status) },
  { title: clientSiteColumnTitles.ip, cell: ({ ip }) => ip },
]
