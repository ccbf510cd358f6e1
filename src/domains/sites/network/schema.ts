import { sql } from 'drizzle-orm'
import { foreignKey, index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { identity, instant, now } from '#core/db/columns.ts'
import { networkCategories } from '../categories/schema.ts'
import { checkedColumns, logColumns } from '../checks/server/check-columns.ts'

/** A site of our own private network. */
export const networkSites = pgTable(
  'network_sites',
  {
    id: identity(),
    category_id: integer()
      .notNull()
      .references(() => networkCategories.id),
    /** What somebody registered, shop.example of www.shop.example: a row of `registrations` knows more. */
    domain: text(),
    ...checkedColumns(),
    /** When the search API last found it in the index; the other says when it was last asked. */
    last_google_index: instant(),
    google_asked_at: instant(),
    /** The last crawl that came to its end. */
    crawled_at: instant(),
    next_crawl_at: instant().notNull().default(sql`now()`),
    outgoing_links_parsing_error: text(),
    outgoing_links_parsing_failed_at: instant(),
    created_at: now(),
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

export const networkSiteLogs = pgTable('network_site_logs', logColumns(), (log) => [
  foreignKey({ columns: [log.site_id], foreignColumns: [networkSites.id] }).onDelete('cascade'),
  index('network_site_logs_site').on(log.site_id, log.created_at, log.id),
])
