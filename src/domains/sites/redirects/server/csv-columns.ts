import type { CsvFile } from '#core/csv/csv-stream.ts'
import { shownStatus } from '#domains/sites/checks/contract.ts'
import type { RedirectDomain } from '../contract.ts'
import { columnTitles } from '../labels.ts'

const names = Object.keys(columnTitles) as (keyof typeof columnTitles)[] // its keys are these

/** The columns of 301_domains.csv: those of the table. */
export const columns: CsvFile<RedirectDomain>['columns'] = names.map((name) => ({
  title: columnTitles[name],
  cell: (domain) => (name === 'live_status' ? shownStatus(domain.live_status) : domain[name]),
}))
