import { buildCsvColumns } from '#core/csv/field-csv.ts'
import { campaignFields } from '../fields.ts'

/** The columns of campaigns.csv: those of the table. */
export const campaignCsvColumns = buildCsvColumns(campaignFields, {
  categories: ({ categories }) => categories.map(({ name }) => name).join(', '),
  client: ({ client }) => client.name,
  client_sites: ({ client_sites }) => client_sites.map(({ url }) => url).join(', '),
  ppc: ({ ppc }) => ppc && Math.round(ppc * 100) / 100,
})
