import { sql } from 'drizzle-orm'
import { index, pgTable, text } from 'drizzle-orm/pg-core'
import { identityColumn, timestampColumn, timestampNowColumn } from '#core/db/columns.ts'

/** An IP address that a site resolves to; deleted when no site uses it. */
export const ipsTable = pgTable(
  'ips',
  {
    id: identityColumn(),
    ip: text().notNull().unique(),
    /** The PTR name. */
    reverse_ip: text(),
    /** From the network's RDAP: the owner, their ISO 3166 country, and the region of their address. */
    owner: text(),
    country: text(),
    region: text(),
    looked_up_at: timestampColumn(),
    next_look_up_at: timestampColumn().notNull().default(sql`now()`),
    created_at: timestampNowColumn(),
  },
  (ip) => [index('ips_due').on(ip.next_look_up_at), index('ips_order').on(sql`(ip::inet)`)],
)
