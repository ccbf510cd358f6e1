import { sql } from 'drizzle-orm'
import { index, pgTable, text } from 'drizzle-orm/pg-core'
import { identityColumn, timestampColumn, timestampNowColumn } from '#core/db/columns.ts'

/** An address that a site resolves to; kept while a site uses it. */
export const ipsTable = pgTable(
  'ips',
  {
    id: identityColumn(),
    ip: text().notNull().unique(),
    /** Its PTR name. */
    reverse_ip: text(),
    /** Of its network, as RDAP tells: who, ISO 3166 country, and the region in their address. */
    owner: text(),
    country: text(),
    region: text(),
    looked_up_at: timestampColumn(),
    next_look_up_at: timestampColumn().notNull().default(sql`now()`),
    created_at: timestampNowColumn(),
  },
  (ip) => [index('ips_due').on(ip.next_look_up_at), index('ips_order').on(sql`(ip::inet)`)],
)
