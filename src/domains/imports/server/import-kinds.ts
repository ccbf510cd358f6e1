import { campaignsImport } from '#domains/campaigns/public.ts'
import { clientsImport } from '#domains/clients/public.ts'
import { leadImporter } from '#domains/leads/public.ts'
import { clientSitesImport } from '#domains/sites/public.ts'
import type { ImportKind } from '../labels.ts'
import type { ImportDefinition } from './importable.ts'

/** Every kind of import. `unknown`, because a definition only receives rows that it parsed itself. */
export const importDefinitions: Record<ImportKind, ImportDefinition<unknown>> = {
  clients: clientsImport,
  campaigns: campaignsImport,
  'client-sites': clientSitesImport,
  leads: leadImporter,
}
