import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { byteaColumn, identityColumn, timestampColumn, timestampNowColumn } from '#core/db/columns.ts'
import { sessionsTable, usersTable } from '#domains/access/schema.ts'
import { type ChangedLocationFields, type LocationCategory, verificationStatuses } from './labels.ts'

/** A linked Google account. */
export const googleAccountsTable = pgTable('google_accounts', {
  id: identityColumn(),
  /** Google's permanent id of the person. */
  subject: text().notNull().unique(),
  email: text().notNull(),
  account_name: text().notNull(),
  /** Encrypted, bound to the row by `getRefreshTokenContext`. */
  refresh_token: byteaColumn().notNull(),
  linked_by: integer().references(() => usersTable.id),
  linked_at: timestampNowColumn(),
  /** Since when Google rejects the stored access. Data already read stays. */
  needs_relink_since: timestampColumn(),
  /** The OAuth client for which it does, if the access was given to another: that one may come back. */
  refused_client: text(),
  sync_started_at: timestampColumn(),
  sync_ended_at: timestampColumn(),
  /** When the last complete sync ended. */
  synced_at: timestampColumn(),
  /** Why the last sync ended early. */
  problem: text(),
})
export const getRefreshTokenContext = (id: number) => `google_accounts.refresh_token:${id}`

/**
 * A location as Google has it. A location that Google no longer lists is marked, not deleted. Campaigns' listings find theirs by
 * `cid`, and read `standing` here.
 */
export const googleLocationsTable = pgTable(
  'google_locations',
  {
    id: identityColumn(),
    /** The linked account that reads and edits the location. If several reach it, it stays with the first. */
    account_id: integer()
      .notNull()
      .references(() => googleAccountsTable.id, { onDelete: 'cascade' }),
    /** Google's id of the location, `locations/1`. */
    name: text().notNull().unique(),
    /** Google's id and name of the Business Profile account that holds the location. */
    business_account: text().notNull(),
    business_account_name: text().notNull(),
    title: text().notNull(),
    store_code: text(),
    address: text(),
    region_code: text().notNull().default('US'),
    phone: text(),
    website: text(),
    description: text(),
    /** Names of places, separated by `; `. */
    service_area: text(),
    primary_category: jsonb().$type<LocationCategory>(),
    categories: jsonb().$type<LocationCategory[]>().notNull().default([]),
    /** The display names of all categories, for searching and sorting. */
    category_names: text().notNull().default(''),
    google_maps_url: text(),
    review_link: text(),
    place_id: text(),
    /** From the maps link: 15 to 20 digits. */
    cid: text(),
    /** OPEN, CLOSED_TEMPORARILY or CLOSED_PERMANENTLY. */
    open_status: text(),
    standing: text({ enum: verificationStatuses }).notNull().default('unknown'),
    standing_since: timestampColumn().notNull().default(sql`now()`),
    has_google_updated: boolean().notNull().default(false),
    has_pending_edits: boolean().notNull().default(false),
    /** Google's names of the parts that it is still reviewing. */
    pending_parts: text().array().notNull().default([]),
    vanished_since: timestampColumn(),
    /** When a sync or a save last found the location at Google. */
    seen_at: timestampColumn().notNull().default(sql`now()`),
    /** When the content was read; answers to earlier requests are outdated. */
    read_at: timestampColumn().notNull().default(sql`now()`),
    /** Counts changes of editable fields. */
    version: integer().notNull().default(1),
    searchable: text().generatedAlwaysAs(
      sql`fold_search(title || ' ' || coalesce(store_code, '') || ' ' || coalesce(address, '') || ' ' || coalesce(phone, '') || ' ' || coalesce(website, '')
        || ' ' || coalesce(description, '') || ' ' || coalesce(service_area, '') || ' ' || category_names)`,
    ),
  },
  (location) => [
    index('google_locations_by_title').on(sql`fold_text(${location.title})`, location.id),
    index('google_locations_cid').on(location.cid),
    index('google_locations_account').on(location.account_id, location.seen_at),
    index('google_locations_searchable').using('gin', sql`${location.searchable} gin_trgm_ops`),
  ],
)

/** Queued edits, sent to Google in order: at most ten per minute and location. */
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
    /** Each try counts toward the limit per minute. */
    sent_at: timestampColumn(),
    ended_at: timestampColumn(),
  },
  (edit) => [
    index('google_edits_open').on(edit.location_id, edit.id).where(sql`state in ('waiting', 'sending', 'failed')`),
    index('google_edits_sent').on(edit.location_id, edit.sent_at),
  ],
)

/** All categories of a region, because Google only searches by the start of a name. */
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

/** Account links in progress: each state works once, for ten minutes, in the session that started it. */
export const googleLinkStatesTable = pgTable(
  'google_link_states',
  {
    state_hash: byteaColumn().primaryKey(),
    session_hash: byteaColumn()
      .notNull()
      .references(() => sessionsTable.token_hash, { onDelete: 'cascade', onUpdate: 'cascade' }),
    expires_at: timestampColumn().notNull(),
  },
  (state) => [index('google_link_states_session').on(state.session_hash)],
)
