import type { CsvFile } from '#core/csv/csv-stream.ts'
import { getGmbStatusName, gmbColumnTitles, gmbFieldLabels } from '../labels.ts'
import type { GmbCsvRow } from './queries.ts'

const formatYesNo = (is: boolean) => (is ? 'Yes' : 'No')

/** The columns of campaign_gmbs.csv: those of the table without the recovery email, which is stored encrypted. */
export const gmbsCsvColumns: CsvFile<GmbCsvRow>['columns'] = [
  { title: gmbFieldLabels.title, cell: (gmb) => gmb.title },
  { title: gmbFieldLabels.status, cell: (gmb) => getGmbStatusName(gmb.status) },
  { title: gmbColumnTitles.changed, cell: (gmb) => gmb.changed_fields.join(', ') },
  { title: gmbColumnTitles.checked_at, cell: (gmb) => gmb.checked_at },
  { title: gmbFieldLabels.campaign_id, cell: (gmb) => gmb.campaign_name },
  { title: gmbFieldLabels.address, cell: (gmb) => gmb.address },
  { title: gmbFieldLabels.website, cell: (gmb) => gmb.website },
  { title: gmbFieldLabels.phone, cell: (gmb) => gmb.phone },
  { title: gmbFieldLabels.email, cell: (gmb) => gmb.email },
  { title: gmbFieldLabels.link, cell: (gmb) => gmb.link },
  { title: gmbFieldLabels.review_link, cell: (gmb) => gmb.review_link },
  { title: gmbFieldLabels.client_owned, cell: (gmb) => formatYesNo(gmb.client_owned) },
  { title: gmbFieldLabels.is_client_location, cell: (gmb) => formatYesNo(gmb.is_client_location) },
  { title: gmbColumnTitles.reviews_count, cell: (gmb) => gmb.reviews_count },
  { title: gmbFieldLabels.notes, cell: (gmb) => gmb.notes },
  { title: gmbColumnTitles.updated_at, cell: (gmb) => gmb.updated_at },
]
