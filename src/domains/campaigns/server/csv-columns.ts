import type { CsvFile } from '#core/csv/csv-stream.ts'
import type { Campaign } from '../contract.ts'
import { campaignColumnTitles } from '../labels.ts'

type PlainCampaignField = {
  [Field in keyof Campaign]: Campaign[Field] extends string | number | null ? Field : never
}[keyof Campaign]

const createPlainColumn = (field: PlainCampaignField & keyof typeof campaignColumnTitles) => ({
  title: campaignColumnTitles[field],
  cell: (campaign: Campaign) => campaign[field],
})

/** The columns of campaigns.csv: those of the table. */
export const campaignCsvColumns: CsvFile<Campaign>['columns'] = [
  createPlainColumn('id'),
  createPlainColumn('name'),
  { title: campaignColumnTitles.categories, cell: ({ categories }) => categories.map(({ name }) => name).join(', ') },
  { title: campaignColumnTitles.client, cell: ({ client }) => client.name },
  {
    title: campaignColumnTitles.client_sites,
    cell: ({ client_sites }) => client_sites.map(({ url }) => url).join(', '),
  },
  createPlainColumn('manager'),
  createPlainColumn('start_date'),
  createPlainColumn('due_date'),
  createPlainColumn('current_target'),
  createPlainColumn('initial_target'),
  createPlainColumn('month_3_target'),
  createPlainColumn('month_6_target'),
  createPlainColumn('month_9_target'),
  createPlainColumn('month_12_target'),
  createPlainColumn('service_fee'),
  createPlainColumn('approved_ppc'),
  { title: campaignColumnTitles.ppc, cell: ({ ppc }) => ppc && Math.round(ppc * 100) / 100 },
  createPlainColumn('net'),
  createPlainColumn('gmbs_count'),
]
