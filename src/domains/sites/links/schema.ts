import { sql } from 'drizzle-orm'
import { bigint, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { instant, now } from '#core/db/columns.ts'
import { networkSites } from '../network/schema.ts'

/** A link from a page of a network site to another host. A lost one stays, with the day it was lost. */
export const outgoingLinks = pgTable(
  'outgoing_links',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    network_site_id: integer()
      .notNull()
      .references(() => networkSites.id, { onDelete: 'cascade' }),
    url: text().notNull(),
    /** Where it leads, without `www.`. */
    host: text().notNull(),
    anchor: text(),
    rel: text(),
    /** Content type of the page it was found on. */
    type: text(),
    page: text().notNull(),
    /** Address, words and rel together, hashed: what makes it the same link again. */
    key: text().notNull(),
    first_seen_at: now(),
    last_seen_at: now(),
    lost_at: instant(),
  },
  (link) => [
    uniqueIndex('outgoing_links_key').on(link.network_site_id, link.key),
    index('outgoing_links_url').on(link.url, link.id),
    index('outgoing_links_host').on(link.host, link.network_site_id),
    index('outgoing_links_search').using('gin', sql`(url || ' ' || coalesce(anchor, '')) gin_trgm_ops`),
  ],
)
