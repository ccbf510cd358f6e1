import { sql } from 'drizzle-orm'
import { index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { byteaColumn, identityColumn, timestampColumn, timestampNowColumn } from '#core/db/columns.ts'
import { usersTable } from '../schema.ts'

/** Mailed links that let their holder choose a password or confirm a new email. Kept for an hour after they expire, for rate limiting. */
export const passwordLinksTable = pgTable(
  'password_links',
  {
    /** SHA-256 of the key; the key itself is only in the mail. */
    key_hash: byteaColumn().primaryKey(),
    user_id: integer()
      .notNull()
      .references(() => usersTable.id, { onDelete: 'cascade' }),
    kind: text({ enum: ['invitation', 'reset', 'email'] }).notNull(),
    /** The address that the link confirms; null for other links. */
    email: text(),
    created_at: timestampNowColumn(),
    expires_at: timestampColumn().notNull(),
    /** When the link stopped working before it expired: it was used, or the password or the email was changed another way. */
    ended_at: timestampColumn(),
  },
  (link) => [
    index('password_links_user').on(link.user_id, link.created_at),
    index('password_links_open').on(link.expires_at).where(sql`${link.ended_at} is null`),
  ],
)

/** Requests for a link within the last hour, by IPv4 address or IPv6 network. */
export const passwordRequestsTable = pgTable(
  'password_requests',
  { id: identityColumn(), address: text().notNull(), at: timestampNowColumn() },
  (request) => [index('password_requests_address').on(request.address, request.at)],
)
