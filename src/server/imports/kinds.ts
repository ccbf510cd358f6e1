import { campaignsImport } from '#domains/campaigns/importing.ts'
import { clientSitesImport } from '#domains/client-sites/importing.ts'
import { clientsImport } from '#domains/clients/importing.ts'
import type { ImportKind } from '#domains/imports/words.ts'
import { leadsImport } from '#domains/leads/intake/importing.ts'
import type { Importable } from './importable.ts'

/** Everything that comes in from a file. A kind is handed only the rows that it has itself understood. */
export const importables: Record<ImportKind, Importable<unknown>> = {
  clients: clientsImport,
  campaigns: campaignsImport,
  'client-sites': clientSitesImport,
  leads: leadsImport,
}
