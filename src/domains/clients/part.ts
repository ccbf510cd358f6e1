import { describeMentions } from '#core/erasure/personal-data.ts'
import type { ServerPart } from '#domains/server-part.ts'
import { clientsTable } from './schema.ts'
import { clientsHandlers } from './server/handlers.ts'
import { clientsImport } from './server/import-rows.ts'
import { clientRows } from './server/scoped-rows.ts'

export const clientsPart: ServerPart = {
  handlers: clientsHandlers,
  tables: ['clients'],
  scopedRows: [clientRows],
  imports: { clients: clientsImport },
  // A client is a business; its notes may mention a person.
  personalData: [
    describeMentions('Notes of clients', clientsTable, {
      columns: ['notes'],
      kept: ['name', 'phone', 'timezone', 'emails', 'billing_emails'],
      isVersioned: true,
    }),
  ],
  listRules: { client: 'clients with a campaign of theirs, or without any campaign' },
}
