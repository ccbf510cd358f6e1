import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { byteaColumn, identityColumn, timestampColumn, timestampNowColumn } from '#core/db/columns.ts'
import { sessionsTable, usersTable } from '#domains/access/schema.ts'
import { type ChangedLocationFields, type LocationCategory, verificationStatuses } from './labels.ts'

/** A linked Google account. */
export const googleAccountsTable = pgTable('google_accounts', {
  id: identityColumn(),
  /** Google's own lasting name for the person. */
  subject: text().notNull().unique(),
  email: text().notNull(),
  account_name: text().notNull(),
  /** Encrypted, bound to the row: see the place below. */
  refresh_token: byteaColumn().notNull(),
  linked_by: integer().references(() => usersTable.id),
  linked_at: timestampNowColumn(),
  /** Google does not accept the stored access any more. What was read stays. */
  needs_relink_since: timestampColumn(),
  sync_started_at: timestampColumn(),
  sync_ended_at: timestampColumn(),
  /** When all of it was read last. */
  synced_at: timestampColumn(),
  /** Why the last sync ended early. */
  problem: text(),
})
export const getRefreshTokenContext = (id: number) => `google_accounts.refresh_token:${id}`

/**
 * A location as Google has it. What Google does not list any more is marked, not deleted. The listings of campaigns find theirs
 * by `cid`, and read `standing` here.
 */
export const googleLocationsTable = pgTable(
  'google_locations',
  {
    id: identityColumn(),
    /** The linked account that it is read and changed with. Where several reach it, it stays with the one that has it. */
    account_id: integer()
      .notNull()
      .references(() => googleAccountsTable.id, { onDelete: 'cascade' }),
    /** Google's name for it, `locations/1`. */
    name: text().notNull().unique(),
    /** Google's name for the Business Profile account that it is in, and what that is called. */
    business_account: text().notNull(),
    business_account_name: text().notNull(),
    title: text().notNull(),
    store_code: text(),
    address: text(),
    region_code: text().notNull().default('US'),
    phone: text(),
    website: text(),
    description: text(),
    /** Names of places, with `; ` between. */
    service_area: text(),
    primary_category: jsonb().$type<LocationCategory>(),
    categories: jsonb().$type<LocationCategory[]>().notNull().default([]),
    /** All of them by what they are called, for searching and sorting. */
    category_names: text().notNull().default(''),
    google_maps_url: text(),
    review_link: text(),
    place_id: text(),
    /** Out of the maps link: 15 to 20 digits. */
    cid: text(),
    /** OPEN, CLOSED_TEMPORARILY or CLOSED_PERMANENTLY. */
    open_status: text(),
    standing: text({ enum: verificationStatuses }).notNull().default('unknown'),
    standing_since: timestampColumn().notNull().default(sql`now()`),
    has_google_updated: boolean().notNull().default(false),
    has_pending_edits: boolean().notNull().default(false),
    /** Parts that Google is still looking at, as it names them. */
    pending_parts: text().array().notNull().default([]),
    vanished_since: timestampColumn(),
    /** When a sync or a save found it at Google last. */
    seen_at: timestampColumn().notNull().default(sql`now()`),
    /** When its content was read; answers to earlier requests are outdated. */
    read_at: timestampColumn().notNull().default(sql`now()`),
    /** Counts the changes of what can be edited. */
    version: integer().notNull().default(1),
    searchable: text().generatedAlwaysAs(
      sql`lower(title || ' ' || coalesce(store_code, '') || ' ' || coalesce(address, '') || ' ' || coalesce(phone, '') || ' ' || coalesce(website, '')
        || ' ' || coalesce(description, '') || ' ' || coalesce(service_area, '') || ' ' || category_names)`,
    ),
  },
  (location) => [
    index('google_locations_by_title').on(sql`lower(${location.title})`, location.id),
    index('google_locations_cid').on(location.cid),
    index('google_locations_account').on(location.account_id, location.seen_at),
    index('google_locations_searchable').using('gin', sql`${location.searchable} gin_trgm_ops`),
  ],
)

/** Queued edits, sent to Google in order: ten per minute and location. */
export const googleEditsTable = pgTable(
  'google_edits',
  {
    id: identityColumn(),
    location_id: integer()
      .notNull()
      .references(() => googleLocationsTable.id, { onDelete: 'cascade' }),
    /** The wanted values by our field names. */
    fields: jsonb().$type<ChangedLocationFields>().notNull(),
    state: text({ enum: ['waiting', 'sending', 'done', 'failed'] })
      .notNull()
      .default('waiting'),
    /** Google's error, as a sentence and by field. */
    error: text(),
    errors: jsonb().$type<Record<string, string[]>>(),
    user_id: integer(),
    username: text(),
    request_id: text(),
    address: text(),
    created_at: timestampNowColumn(),
    /** Each try counts as one of the minute's ten. */
    sent_at: timestampColumn(),
    ended_at: timestampColumn(),
  },
  (edit) => [
    index('google_edits_open').on(edit.location_id, edit.id).where(sql`state in ('waiting', 'sending', 'failed')`),
    index('google_edits_sent').on(edit.location_id, edit.sent_at),
  ],
)

/** The categories of a region: all of them, because Google finds by the front of a name only. */
export const googleCategoriesTable = pgTable(
  'google_categories',
  {
    region_code: text().notNull(),
    name: text().notNull(),
    display_name: text().notNull(),
    seen_at: timestampColumn().notNull().default(sql`now()`),
  },
  (category) => [primaryKey({ columns: [category.region_code, category.name] })],
)

/** Account links in progress: each works once, for ten minutes, in the session that began it. */
export const googleLinkStatesTable = pgTable(
  'google_link_states',
  {
    state_hash: byteaColumn().primaryKey(),
    session_hash: byteaColumn()
      .notNull()
      .references(() => sessionsTable.token_hash, { onDelete: 'cascade' }),
    expires_at: timestampColumn().notNull(),
  },
  (state) => [index('google_link_states_session').on(state.session_hash)],
)
