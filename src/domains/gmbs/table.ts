import { sql } from 'drizzle-orm'
import { boolean, check, doublePrecision, index, integer, pgTable, smallint, text } from 'drizzle-orm/pg-core'
import { campaigns } from '#domains/campaigns/table.ts'
import { bytes, identity, instant, now } from '#server/columns.ts'

/** A campaign's listing on Google Maps, as staff keep it. */
export const gmbs = pgTable(
  'campaign_gmbs',
  {
    id: identity(),
    campaign_id: integer()
      .notNull()
      .references(() => campaigns.id),
    title: text().notNull(),
    address: text(),
    website: text(),
    phone: text(),
    email: text(),
    /** Both encrypted, bound to their row. */
    password: bytes(),
    recovery_email: bytes(),
    /** A maps link with the listing's `cid`. */
    link: text().notNull(),
    review_link: text(),
    /** 1 Live, 2 Pending, 3 Unverified, 4 Suspended, 5 Closed. */
    status: smallint().notNull(),
    client_owned: boolean().notNull().default(false),
    is_client_location: boolean().notNull().default(false),
    notes: text(),
    /** The public listing is not what was last seen, or is gone. */
    changed: boolean().notNull().default(false),
    reviews_count: integer(),
    latitude: doublePrecision(),
    longitude: doublePrecision(),
    version: integer().notNull().default(1),
    created_at: now(),
    updated_at: now(),
    deleted_at: instant(),
  },
  (gmb) => [
    index('campaign_gmbs_campaign').on(gmb.campaign_id).where(sql`${gmb.deleted_at} is null`),
    check('campaign_gmbs_status', sql`${gmb.status} between 1 and 5`),
  ],
)
