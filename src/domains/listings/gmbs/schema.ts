import { type SQL, sql } from 'drizzle-orm'
import { boolean, check, doublePrecision, index, integer, jsonb, pgTable, smallint, text } from 'drizzle-orm/pg-core'
import { byteaColumn, identityColumn, timestampColumn, timestampNowColumn } from '#core/db/columns.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import type { ListingSnapshot } from '#integrations/public-listing/public-listing.ts'
import { verificationStatuses } from '../google/labels.ts'

/** A campaign's listing on Google Maps. */
export const gmbsTable = pgTable(
  'campaign_gmbs',
  {
    id: identityColumn(),
    campaign_id: integer()
      .notNull()
      .references(() => campaignsTable.id),
    title: text().notNull(),
    address: text(),
    website: text(),
    phone: text(),
    email: text(),
    /** Both encrypted and bound to their row. */
    password: byteaColumn(),
    recovery_email: byteaColumn(),
    /** A maps link with the listing's `cid`. */
    link: text().notNull(),
    /** Identifies the listing, whatever form its link has. */
    cid: text().generatedAlwaysAs((): SQL => sql`substring(link from '[?&]cid=([0-9]{15,20})(?![0-9])')`),
    review_link: text(),
    /** 1 Live, 2 Pending, 3 Unverified, 4 Suspended, 5 Closed. */
    status: smallint().notNull(),
    client_owned: boolean().notNull().default(false),
    is_client_location: boolean().notNull().default(false),
    notes: text(),
    /** Since when it is suspended; independent of `changed`. */
    suspended_at: timestampColumn(),
    /** The public listing differs from the last read one or is gone, and no one has accepted this yet. */
    changed: boolean().notNull().default(false),
    changed_at: timestampColumn(),
    /** Labels of the changed fields. */
    changed_fields: text().array().notNull().default(sql`'{}'`),
    /** The public listing as last read; the first read compares nothing. */
    seen: jsonb().$type<ListingSnapshot>(),
    /** The source of `seen`: the public link or the linked Google account. Values of the two are never compared. */
    seen_by: text({ enum: ['link', 'google'] }),
    /** Google's last verification status of a linked listing. */
    standing: text({ enum: verificationStatuses }),
    seen_at: timestampColumn(),
    /** When a check first missed the listing; the next check decides. */
    missed_at: timestampColumn(),
    /** When the listing was missed twice in a row. */
    gone_at: timestampColumn(),
    checked_at: timestampColumn(),
    /** Why the last check was inconclusive. */
    check_problem: text(),
    /** When a pending check was requested. */
    check_asked_at: timestampColumn(),
    next_check_at: timestampNowColumn(),
    reviews_count: integer(),
    /** Of the pin on the map. */
    latitude: doublePrecision(),
    longitude: doublePrecision(),
    version: integer().notNull().default(1),
    created_at: timestampNowColumn(),
    updated_at: timestampNowColumn(),
    deleted_at: timestampColumn(),
  },
  (gmb) => [
    index('campaign_gmbs_campaign').on(gmb.campaign_id).where(sql`${gmb.deleted_at} is null`),
    index('campaign_gmbs_by_title').on(sql`fold_text(${gmb.title})`, gmb.id).where(sql`${gmb.deleted_at} is null`),
    index('campaign_gmbs_place').on(gmb.latitude, gmb.longitude).where(sql`${gmb.deleted_at} is null`),
    index('campaign_gmbs_cid').on(gmb.cid).where(sql`${gmb.deleted_at} is null`),
    index('campaign_gmbs_due').on(gmb.next_check_at).where(sql`${gmb.deleted_at} is null`),
    index('campaign_gmbs_asked').on(gmb.check_asked_at).where(sql`${gmb.check_asked_at} is not null`),
    check('campaign_gmbs_status', sql`${gmb.status} between 1 and 5`),
  ],
)

/** Resets the results of checks: a new link is another listing to them. */
export const resetCheckColumns = () => ({
  changed: false,
  changed_at: null,
  changed_fields: [],
  seen: null,
  seen_by: null,
  standing: null,
  seen_at: null,
  missed_at: null,
  gone_at: null,
  checked_at: null,
  check_problem: null,
  next_check_at: new Date(),
})

/** One row per changed field of a listing. Checks write rows without a username. */
export const gmbLogsTable = pgTable(
  'campaign_gmb_logs',
  {
    id: identityColumn(),
    gmb_id: integer()
      .notNull()
      .references(() => gmbsTable.id),
    created_at: timestampNowColumn(),
    /** The field's label in the dialog. */
    changed: text().notNull(),
    /** Formatted values; both null for a secret. */
    old: text(),
    new: text(),
    username: text(),
  },
  (log) => [index('campaign_gmb_logs_gmb').on(log.gmb_id, log.created_at, log.id)],
)

export const getPasswordContext = (id: number) => `campaign_gmbs.password:${id}`
export const getRecoveryEmailContext = (id: number) => `campaign_gmbs.recovery_email:${id}`
