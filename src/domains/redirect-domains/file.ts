import { shownStatus } from '#contract/site-status.ts'
import type { CsvFile } from '#server/csv-stream.ts'
import type { RedirectDomain } from './contract.ts'
import { columnTitles } from './words.ts'

const names = Object.keys(columnTitles) as (keyof typeof columnTitles)[] // its keys are these

/** The columns of 301_domains.csv: those of the table. */
export const columns: CsvFile<RedirectDomain>['columns'] = names.map((name) => ({
  title: columnTitles[name],
  cell: (domain) => (name === 'live_status' ? shownStatus(domain.live_status) : domain[name]),
}))
