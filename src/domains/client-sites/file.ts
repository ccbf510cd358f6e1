import { shownStatus } from '#contract/site-status.ts'
import type { CsvFile } from '#server/csv-stream.ts'
import type { ClientSite } from './contract.ts'
import { columnTitles as titles } from './words.ts'

/** The columns of client_sites.csv: those of the table that are no links alone. */
export const columns: CsvFile<ClientSite>['columns'] = [
  { title: titles.url, cell: ({ url }) => url },
  { title: titles.campaign, cell: ({ campaign }) => campaign?.name },
  { title: titles.status, cell: ({ status }) => shownStatus(status) },
  { title: titles.ip, cell: ({ ip }) => ip },
]
