import type { ViewedTable } from '#domains/access/public.ts'
import { getReadableFields, type LeadField, leadsContract } from '../../contract.ts'
import { leadColumns } from '../../fields.ts'
import { findUnreadableParts } from '../../model/filter.ts'

export const leadsViewedTable: ViewedTable = {
  ...leadsContract.list,
  columns: leadColumns,
  // Everyone may show columns that are not fields, like the actions.
  mayShow: (me, column) => getReadableFields(me).has(column as LeadField) || !Object.hasOwn(leadRowShape, column),
  findRefused: findUnreadableParts,
}
const leadRowShape = leadsContract.list.list.row.shape
