import type { CsvFile } from '#core/csv/csv-stream.ts'
import type { CurrentUser } from '#domains/access/public.ts'
import type { Client } from '../contract.ts'
import { clientColumnTitles, getNotificationsLabel, timezoneLabels } from '../labels.ts'

type ClientCsvColumns = CsvFile<Client>['columns']

const clientNameColumns: ClientCsvColumns = [
  { title: clientColumnTitles.id, cell: ({ id }) => id },
  { title: clientColumnTitles.name, cell: ({ name }) => name },
]
const fullClientColumns: ClientCsvColumns = [
  ...clientNameColumns,
  { title: clientColumnTitles.email, cell: ({ user }) => user?.email },
  {
    title: clientColumnTitles.notifications,
    cell: ({ disable_notifications: disabled }) => getNotificationsLabel(disabled),
  },
  { title: clientColumnTitles.timezone, cell: ({ timezone }) => timezoneLabels[timezone] ?? timezone },
  { title: clientColumnTitles.campaigns, cell: ({ campaigns }) => campaigns.map(({ name }) => name).join(', ') },
  { title: clientColumnTitles.active, cell: ({ user }) => (user?.is_active ? 'Yes' : 'No') },
]

/** The columns of clients.csv: those of the table, as far as this person reads them. */
export const getClientCsvColumns = (me: CurrentUser): ClientCsvColumns =>
  me.permissions.clients ? fullClientColumns : clientNameColumns
