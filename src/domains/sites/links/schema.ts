import { sql } from 'drizzle-orm'
import { bigint, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { timestampColumn, timestampNowColumn } from '#core/db/columns.ts'
import { networkSitesTable } from '../network/schema.ts'

/** A link from a page of a network site to another host. A lost link stays, with the day it was lost. */
export const outgoingLinksTable = pgTable(
  'outgoing_links',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    network_site_id: integer()
      .notNull()
      .references(() => networkSitesTable.id, { onDelete: 'cascade' }),
    url: text().notNull(),
    /** The host that the link leads to, without `www.`. */
    host: text().notNull(),
    anchor: text(),
    rel: text(),
    /** The content type of the page with the link. */
    type: text(),
    page: text().notNull(),
    /** The hash of URL, anchor and rel, which identifies the link in the next crawl. */
    key: text().notNull(),
    first_seen_at: timestampNowColumn(),
    last_seen_at: timestampNowColumn(),
    lost_at: timestampColumn(),
  },
  (link) => [
    uniqueIndex('outgoing_links_key').on(link.network_site_id, link.key),
    index('outgoing_links_url').on(link.url, link.id),
    index('outgoing_links_host').on(link.host, link.network_site_id),
    index('outgoing_links_lost').on(link.host, link.lost_at, link.id).where(sql`lost_at is not null`),
    index('outgoing_links_search').using('gin', sql`fold_search(url || ' ' || coalesce(anchor, '')) gin_trgm_ops`),
  ],
)
