import { sql } from 'drizzle-orm'
import { index, pgTable, text } from 'drizzle-orm/pg-core'
import { identity, instant, now } from '#core/db/columns.ts'

/** An address that a site resolves to; kept while a site uses it. */
export const ips = pgTable(
  'ips',
  {
    id: identity(),
    ip: text().notNull().unique(),
    /** Its PTR name. */
    reverse_ip: text(),
    /** Of its network, as RDAP tells: who, ISO 3166 country, and the region in their address. */
    owner: text(),
    country: text(),
    region: text(),
    looked_up_at: instant(),
    next_look_up_at: instant().notNull().default(sql`now()`),
    created_at: now(),
  },
  (ip) => [index('ips_due').on(ip.next_look_up_at), index('ips_order').on(sql`(ip::inet)`)],
)
