import type { CsvFile } from '#core/csv/csv-stream.ts'
import { shownStatus } from '#domains/sites/checks/contract.ts'
import type { ClientSite } from '../contract.ts'
import { columnTitles as titles } from '../labels.ts'

/** The columns of client_sites.csv: those of the table that are no links alone. */
export const columns: CsvFile<ClientSite>['columns'] = [
  { title: titles.url, cell: ({ url }) => url },
  { title: titles.campaign, cell: ({ campaign }) => campaign?.name },
  { title: titles.status, cell: ({ status }) => shownStatus(status) },
  { title: titles.ip, cell: ({ ip }) => ip },
]
