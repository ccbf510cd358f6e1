import type { CsvFile } from '#core/csv/csv-stream.ts'
import type { Campaign } from '../contract.ts'
import { campaignColumnTitles as titles } from '../labels.ts'

type Plain = {
  [Field in keyof Campaign]: Campaign[Field] extends string | number | null ? Field : never
}[keyof Campaign]

const plain = (field: Plain & keyof typeof titles) => ({
  title: titles[field],
  cell: (campaign: Campaign) => campaign[field],
})

/** The columns of campaigns.csv: those of the table. */
export const columns: CsvFile<Campaign>['columns'] = [
  plain('id'),
  plain('name'),
  { title: titles.categories, cell: ({ categories }) => categories.map(({ name }) => name).join(', ') },
  { title: titles.client, cell: ({ client }) => client.name },
  { title: titles.client_sites, cell: ({ client_sites }) => client_sites.map(({ url }) => url).join(', ') },
  plain('manager'),
  plain('start_date'),
  plain('due_date'),
  plain('current_target'),
  plain('initial_target'),
  plain('month_3_target'),
  plain('month_6_target'),
  plain('month_9_target'),
  plain('month_12_target'),
  plain('service_fee'),
  plain('approved_ppc'),
  { title: titles.ppc, cell: ({ ppc }) => ppc && Math.round(ppc * 100) / 100 },
  plain('net'),
  plain('gmbs_count'),
]
