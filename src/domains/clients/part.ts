import type { ServerPart } from '#domains/server-part.ts'
import { clientsHandlers } from './server/handlers.ts'
import { clientsImport } from './server/import-rows.ts'
import { clientRows } from './server/scoped-rows.ts'

export const clientsPart: ServerPart = {
  handlers: clientsHandlers,
  tables: ['clients'],
  scopedRows: [clientRows],
  imports: { clients: clientsImport },
  withoutPeople: { 'Businesses that are clients, and what is agreed with them': ['clients'] },
  listRules: { client: 'clients with a campaign of theirs, or without any campaign' },
}
