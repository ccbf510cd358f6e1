import { buildCsvColumns } from '#core/csv/field-csv.ts'
import { gmbFields } from '../fields.ts'
import { getGmbStatusName, isNotFound, notFoundStatusName } from '../labels.ts'

/** The columns of campaign_gmbs.csv: those of the table without the encrypted recovery email. */
export const gmbsCsvColumns = buildCsvColumns(gmbFields, {
  status: (gmb) => (isNotFound(gmb) ? notFoundStatusName : getGmbStatusName(gmb.status)),
  changed: ({ changed_fields }) => changed_fields.join(', '),
  checked_at: ({ checked_at }) => checked_at,
  campaign_name: ({ campaign_name }) => campaign_name,
  updated_at: ({ updated_at }) => updated_at,
})
