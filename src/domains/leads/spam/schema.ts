import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { identityColumn, timestampNowColumn } from '#core/db/columns.ts'

/** People whose calls and forms are spam. */
export const spammersTable = pgTable(
  'spammers',
  {
    id: identityColumn(),
    name: text().notNull(),
    phone: text(),
    phone_key: text(),
    email: text(),
    created_at: timestampNowColumn(),
  },
  (spammer) => [
    index('spammers_phone').on(spammer.phone_key),
    index('spammers_email').on(sql`lower(${spammer.email})`),
    check('spammers_phone_or_email', sql`${spammer.phone} is not null or ${spammer.email} is not null`),
  ],
)

/** The blacklist is one text, a keyword a line; one row, so that whole-text saves can be checked against its version. */
export const blacklistTable = pgTable(
  'blacklist',
  {
    id: integer().primaryKey().default(1),
    keywords: text().notNull().default(''),
    version: integer().notNull().default(1),
  },
  (row) => [check('blacklist_one_row', sql`${row.id} = 1`)],
)
