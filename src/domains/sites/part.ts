import { and, eq, isNull } from 'drizzle-orm'
import { describeCampaignRows } from '#domains/access/public.ts'
import type { ServerPart } from '#domains/server-part.ts'
import { networkCategoriesHandlers } from './categories/server/handlers.ts'
import { siteChecksJobs } from './checks/server/jobs.ts'
import { clientSitesContract } from './client/contract.ts'
import { clientSitesTable } from './client/schema.ts'
import { clientSitesHandlers } from './client/server/handlers.ts'
import { clientSitesImport } from './client/server/import-rows.ts'
import { ipsHandlers } from './ips/server/handlers.ts'
import { outgoingLinksHandlers } from './links/server/handlers.ts'
import { linkCrawlJobs } from './links/server/jobs.ts'
import { networkSitesHandlers } from './network/server/handlers.ts'
import { networkSitesImport } from './network/server/import-rows.ts'
import { redirectDomainsHandlers } from './redirects/server/handlers.ts'
import { redirectDomainsImport } from './redirects/server/import-rows.ts'
import { redirectDomainsJobs } from './redirects/server/jobs.ts'
import { domainDataJobs } from './registrations/server/jobs.ts'

export const sitesPart: ServerPart = {
  handlers: [
    ...clientSitesHandlers,
    ...networkSitesHandlers,
    ...outgoingLinksHandlers,
    ...redirectDomainsHandlers,
    ...networkCategoriesHandlers,
    ...ipsHandlers,
  ],
  jobs: [...siteChecksJobs, ...domainDataJobs, ...linkCrawlJobs, ...redirectDomainsJobs],
  tables: ['client-sites', 'network-sites', 'network-categories', 'outgoing-links', 'redirect-domains', 'ips'],
  savedViews: { 'client-sites': clientSitesContract.list },
  scopedRows: [
    describeCampaignRows(/^\/clientsite\/:/, (db, id) =>
      db
        .select({ campaign_id: clientSitesTable.campaign_id })
        .from(clientSitesTable)
        .where(and(eq(clientSitesTable.id, id), isNull(clientSitesTable.deleted_at))),
    ),
  ],
  imports: {
    'client-sites': clientSitesImport,
    'network-sites': networkSitesImport,
    'redirect-domains': redirectDomainsImport,
  },
  withoutPeople: {
    'Websites and domains of clients and of the agency': [
      'client_sites',
      'ips',
      'network_categories',
      'network_sites',
      'outgoing_links',
      'redirect_domains',
      'redirect_tasks',
      'registrations',
      'spoken_hosts',
    ],
  },
  encryptedColumns: [
    { table: 'client_sites', column: 'hook_key', id: 'id' },
    { table: 'client_sites', column: 'callrail_signing_key', id: 'id' },
  ],
  afterRestore: [
    {
      table: 'redirect_tasks',
      sql: `
        update redirect_tasks set state = 'failed', ended_at = now(), error = 'Restored from a backup; cPanel may have changed since'
        where state = 'running'`,
    },
  ],
  listRules: { 'client-site': 'sites of their campaigns' },
}
