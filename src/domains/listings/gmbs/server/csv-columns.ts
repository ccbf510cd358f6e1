import type { CsvFile } from '#core/csv/csv-stream.ts'
import { columnTitles, labels, statusName } from '../labels.ts'
import type { FiledGmb } from './queries.ts'

const yesOrNo = (is: boolean) => (is ? 'Yes' : 'No')

/** The columns of campaign_gmbs.csv: those of the table but the recovery email, which is kept encrypted. */
export const columns: CsvFile<FiledGmb>['columns'] = [
  { title: labels.title, cell: (gmb) => gmb.title },
  { title: labels.status, cell: (gmb) => statusName(gmb.status) },
  { title: columnTitles.changed, cell: (gmb) => gmb.changed_fields.join(', ') },
  { title: columnTitles.checked_at, cell: (gmb) => gmb.checked_at },
  { title: labels.campaign_id, cell: (gmb) => gmb.campaign_name },
  { title: labels.address, cell: (gmb) => gmb.address },
  { title: labels.website, cell: (gmb) => gmb.website },
  { title: labels.phone, cell: (gmb) => gmb.phone },
  { title: labels.email, cell: (gmb) => gmb.email },
  { title: labels.link, cell: (gmb) => gmb.link },
  { title: labels.review_link, cell: (gmb) => gmb.review_link },
  { title: labels.client_owned, cell: (gmb) => yesOrNo(gmb.client_owned) },
  { title: labels.is_client_location, cell: (gmb) => yesOrNo(gmb.is_client_location) },
  { title: columnTitles.reviews_count, cell: (gmb) => gmb.reviews_count },
  { title: labels.notes, cell: (gmb) => gmb.notes },
  { title: columnTitles.updated_at, cell: (gmb) => gmb.updated_at },
]
