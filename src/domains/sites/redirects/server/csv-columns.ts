import type { CsvFile } from '#core/csv/csv-stream.ts'
import { formatSiteStatus } from '#domains/sites/checks/contract.ts'
import type { RedirectDomain } from '../contract.ts'
import { redirectDomainColumnTitles } from '../labels.ts'

const csvColumnKeys = Object.keys(redirectDomainColumnTitles) as (keyof typeof redirectDomainColumnTitles)[] // its keys are these

/** The columns of 301_domains.csv: those of the table. */
export const redirectDomainCsvColumns: CsvFile<RedirectDomain>['columns'] = csvColumnKeys.map((name) => ({
  title: redirectDomainColumnTitles[name],
  cell: (domain) => (name === 'live_status' ? formatSiteStatus(domain.live_status) : domain[name]),
}))
