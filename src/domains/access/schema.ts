import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import type { PermissionFlag } from '#contract/allow.ts'
import { byteaColumn, identityColumn, timestampColumn, timestampNowColumn } from '#core/db/columns.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { clientsTable } from '#domains/clients/schema.ts'
import { sessionKinds, timeFormats, userRoles } from './labels.ts'
import type { TableLayout } from './sign-in/contract.ts'

export type UserRole = (typeof userRoles)[number]

/** How a person's own session started. */
export type SessionVia = Exclude<(typeof sessionKinds)[number], 'see_as'>

/** Everyone who can sign in: staff, leads handlers, and the one login account of each client. */
export const usersTable = pgTable(
  'users',
  {
    id: identityColumn(),
    username: text().notNull(),
    email: text().notNull(),
    password_hash: text().notNull(),
    role: text({ enum: userRoles }).notNull(),
    is_active: boolean().notNull().default(true),
    /** Stored as ticked; pages that the role may not hold have no effect. */
    permissions: text().array().$type<PermissionFlag[]>().notNull().default([]),
    /** The client whose leads a customer sees. */
    client_id: integer().references(() => clientsTable.id),
    /** Incremented by each change of rights or names, so that editors do not overwrite each other. */
    version: integer().notNull().default(1),
    /** Hidden column keys by view, e.g. { "leads.list": ["url"] }. */
    table_layouts: jsonb().$type<Record<string, TableLayout>>().notNull().default({}),
    hidden_columns: jsonb().$type<Record<string, string[]>>().notNull().default({}),
    /** Whether they finished the first sign-in tour, or joined before it existed. */
    saw_tour: boolean().notNull().default(false),
    /** How screens show a time of day. */
    time_format: text({ enum: timeFormats }).notNull().default('24h'),
    created_at: timestampNowColumn(),
    deleted_at: timestampColumn(),
  },
  (user) => [
    uniqueIndex('users_username').on(sql`lower(${user.username})`).where(sql`${user.deleted_at} is null`),
    uniqueIndex('users_email').on(sql`lower(${user.email})`).where(sql`${user.deleted_at} is null`),
    uniqueIndex('users_client').on(user.client_id).where(sql`${user.deleted_at} is null`),
    check('users_role', sql`${user.role} in ('super_admin', 'admin', 'leads_handler', 'customer')`),
    check('users_customer_has_client', sql`(${user.role} = 'customer') = (${user.client_id} is not null)`),
  ],
)

/** The campaigns ticked for an admin or a leads handler. Super admins need none. */
export const userCampaignsTable = pgTable(
  'user_campaigns',
  {
    user_id: integer()
      .notNull()
      .references(() => usersTable.id, { onDelete: 'cascade' }),
    campaign_id: integer()
      .notNull()
      .references(() => campaignsTable.id, { onDelete: 'cascade' }),
  },
  (row) => [
    primaryKey({ columns: [row.user_id, row.campaign_id] }),
    index('user_campaigns_campaign').on(row.campaign_id),
  ],
)

export const sessionsTable = pgTable(
  'sessions',
  {
    /** SHA-256 of the token; the token itself is not stored. */
    token_hash: byteaColumn().primaryKey(),
    /** Identifies the session to its owner. */
    id: integer().notNull().unique().generatedAlwaysAsIdentity(),
    user_id: integer()
      .notNull()
      .references(() => usersTable.id, { onDelete: 'cascade' }),
    via: text({ enum: sessionKinds }).notNull(),
    address: text(),
    user_agent: text(),
    created_at: timestampNowColumn(),
    /** When the holder last proved who they are. */
    proven_at: timestampNowColumn(),
    /** To the minute. */
    last_used_at: timestampNowColumn(),
    expires_at: timestampColumn().notNull(),
    /** Set for a read-only view as `user_id`: the viewer, and the viewer's session that the view ends with. */
    viewer_id: integer().references(() => usersTable.id, { onDelete: 'cascade' }),
    viewer_session: byteaColumn(),
  },
  (session) => [
    index('sessions_user').on(session.user_id),
    index('sessions_expiry').on(session.expires_at),
    index('sessions_viewer').on(session.viewer_session).where(sql`${session.viewer_session} is not null`),
    foreignKey({
      name: 'sessions_viewer_session',
      columns: [session.viewer_session],
      foreignColumns: [session.token_hash],
    })
      .onDelete('cascade')
      .onUpdate('cascade'), // a trade gives the session another token
    check(
      'sessions_view',
      sql`(${session.via} = 'see_as') = (${session.viewer_id} is not null) and (${session.viewer_id} is null) = (${session.viewer_session} is null)`,
    ),
  ],
)

/** A client's sign-in link: found by its hash, displayed from its encrypted value. */
export const remoteTokensTable = pgTable(
  'remote_tokens',
  {
    user_id: integer()
      .primaryKey()
      .references(() => usersTable.id, { onDelete: 'cascade' }),
    token_hash: byteaColumn().notNull(),
    token_encrypted: byteaColumn().notNull(),
    created_at: timestampNowColumn(),
    expires_at: timestampColumn().notNull(),
  },
  (token) => [uniqueIndex('remote_tokens_hash').on(token.token_hash)],
)

/** The associated data of an encrypted remote token. */
export const remoteTokenAad = (userId: number) => `remote_tokens.token_encrypted:${userId}`

/** Failed sign-ins of the last 15 minutes, by username (as typed, if there is no such account) and by IP address (of IPv6 the first 64 bits). */
export const signInFailuresTable = pgTable(
  'sign_in_failures',
  { id: identityColumn(), account: text().notNull(), address: text().notNull(), at: timestampNowColumn() },
  (failure) => [
    index('sign_in_failures_account').on(failure.account, failure.at),
    index('sign_in_failures_address').on(failure.address, failure.at),
  ],
)
