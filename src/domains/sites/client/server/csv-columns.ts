import { buildCsvColumns } from '#core/csv/field-csv.ts'
import { formatSiteStatus } from '#domains/sites/checks/contract.ts'
import { clientSiteFields } from '../fields.ts'

/** The columns of client_sites.csv: those of the table, except for mere links. */
export const clientSiteCsvColumns = buildCsvColumns(clientSiteFields, {
  campaign: ({ campaign }) => campaign?.name,
  status: ({ status }) => formatSiteStatus(status),
})
