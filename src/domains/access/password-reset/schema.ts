import { sql } from 'drizzle-orm'
import { index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { byteaColumn, identityColumn, timestampColumn, timestampNowColumn } from '#core/db/columns.ts'
import { usersTable } from '../schema.ts'

/** Mailed links that let their holder choose a password. They are kept for an hour after they ended, to be counted. */
export const passwordLinksTable = pgTable(
  'password_links',
  {
    /** SHA-256 of the key; the key itself is in the mail alone. */
    key_hash: byteaColumn().primaryKey(),
    user_id: integer()
      .notNull()
      .references(() => usersTable.id, { onDelete: 'cascade' }),
    kind: text({ enum: ['invitation', 'reset'] }).notNull(),
    created_at: timestampNowColumn(),
    expires_at: timestampColumn().notNull(),
    /** Since when it no longer works, although it has not expired: it was used, or the password was changed otherwise. */
    ended_at: timestampColumn(),
  },
  (link) => [
    index('password_links_user').on(link.user_id, link.created_at),
    index('password_links_open').on(link.expires_at).where(sql`${link.ended_at} is null`),
  ],
)

/** Who asked for a link within the last hour, by address. */
export const passwordRequestsTable = pgTable(
  'password_requests',
  { id: identityColumn(), address: text().notNull(), at: timestampNowColumn() },
  (request) => [index('password_requests_address').on(request.address, request.at)],
)
