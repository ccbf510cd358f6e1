import { sql } from 'drizzle-orm'
import { foreignKey, index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { identityColumn, timestampColumn, timestampNowColumn } from '#core/db/columns.ts'
import { networkCategoriesTable } from '../categories/schema.ts'
import { siteCheckColumns, siteLogColumns } from '../checks/server/check-columns.ts'

/** A site of our own private network. */
export const networkSitesTable = pgTable(
  'network_sites',
  {
    id: identityColumn(),
    category_id: integer()
      .notNull()
      .references(() => networkCategoriesTable.id),
    /** The registered domain, shop.example for www.shop.example; see `registrations`. */
    domain: text(),
    ...siteCheckColumns(),
    /** Of the form: checks and crawls do not count. */
    version: integer().notNull().default(1),
    /** When the search API last found the site in the index, and when it was last queried. */
    last_google_index: timestampColumn(),
    google_asked_at: timestampColumn(),
    /** The end of the last completed crawl. */
    crawled_at: timestampColumn(),
    next_crawl_at: timestampColumn().notNull().default(sql`now()`),
    outgoing_links_parsing_error: text(),
    outgoing_links_parsing_failed_at: timestampColumn(),
    created_at: timestampNowColumn(),
  },
  (site) => [
    index('network_sites_category').on(site.category_id),
    index('network_sites_due').on(site.next_check_at),
    index('network_sites_crawl').on(site.next_crawl_at),
    index('network_sites_ip').on(site.ip),
    index('network_sites_host').on(site.host),
    index('network_sites_domain').on(site.domain),
    index('network_sites_url').on(site.url, site.id),
  ],
)

export const networkSiteLogsTable = pgTable('network_site_logs', siteLogColumns(), (log) => [
  foreignKey({ columns: [log.site_id], foreignColumns: [networkSitesTable.id] }).onDelete('cascade'),
  index('network_site_logs_site').on(log.site_id, log.created_at, log.id),
])
