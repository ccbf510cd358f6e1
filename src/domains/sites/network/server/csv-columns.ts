import { buildCsvColumns } from '#core/csv/field-csv.ts'
import { formatSiteStatus } from '#domains/sites/checks/contract.ts'
import { networkSiteFields } from '../fields.ts'

/** The columns of network_sites.csv: those of the table. */
export const networkSiteCsvColumns = buildCsvColumns(networkSiteFields, {
  status: ({ status }) => formatSiteStatus(status),
  http_status_code: ({ http_status_code }) => http_status_code,
  registrar: ({ registrar }) => registrar,
  ip: ({ ip }) => ip?.ip,
  last_google_index: ({ last_google_index }) => last_google_index?.slice(0, 10),
})
