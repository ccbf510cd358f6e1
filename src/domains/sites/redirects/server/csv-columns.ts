import { buildCsvColumns } from '#core/csv/field-csv.ts'
import { formatSiteStatus } from '#domains/sites/checks/contract.ts'
import { redirectDomainFields } from '../fields.ts'

/** The columns of 301_domains.csv: those of the table. */
export const redirectDomainCsvColumns = buildCsvColumns(redirectDomainFields, {
  live_status: ({ live_status }) => formatSiteStatus(live_status),
})
