import type { CsvFile } from '#core/csv/csv-stream.ts'
import type { Me } from '#domains/access/server/current-user.ts'
import type { Client } from '../contract.ts'
import { notifications, timezones, clientColumnTitles as titles } from '../labels.ts'

type Columns = CsvFile<Client>['columns']

const names: Columns = [
  { title: titles.id, cell: ({ id }) => id },
  { title: titles.name, cell: ({ name }) => name },
]
const all: Columns = [
  ...names,
  { title: titles.email, cell: ({ user }) => user?.email },
  { title: titles.notifications, cell: ({ disable_notifications: disabled }) => notifications(disabled) },
  { title: titles.timezone, cell: ({ timezone }) => timezones[timezone] ?? timezone },
  { title: titles.campaigns, cell: ({ campaigns }) => campaigns.map(({ name }) => name).join(', ') },
  { title: titles.active, cell: ({ user }) => (user?.is_active ? 'Yes' : 'No') },
]

/** The columns of clients.csv: those of the table, as far as this person reads them. */
export const fileColumns = (me: Me): Columns => (me.permissions.clients ? all : names)
