import { buildCsvColumns } from '#core/csv/field-csv.ts'
import type { CurrentUser } from '#domains/access/public.ts'
import { clientOptionSchema } from '../contract.ts'
import { clientFields } from '../fields.ts'
import { getNotificationsLabel } from '../labels.ts'

const clientCsvColumns = buildCsvColumns(clientFields, {
  email: ({ user }) => user?.email,
  notifications: ({ disable_notifications }) => getNotificationsLabel(disable_notifications),
  campaigns: ({ campaigns }) => campaigns.map(({ name }) => name).join(', '),
  active: ({ user }) => (user?.is_active ? 'Yes' : 'No'),
})

/** The columns of clients.csv: those of the table that this person may see. */
export const getClientCsvColumns = (me: CurrentUser) =>
  clientCsvColumns.filter(({ name }) => me.permissions.clients || name in clientOptionSchema.shape)
