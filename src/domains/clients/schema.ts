import { sql } from 'drizzle-orm'
import { boolean, index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { identityColumn, timestampColumn, timestampNowColumn } from '#core/db/columns.ts'

/** A local business that buys leads. Its login account is a row of `users`. */
export const clientsTable = pgTable(
  'clients',
  {
    id: identityColumn(),
    name: text().notNull(),
    phone: text(),
    timezone: text().notNull().default('America/New_York'),
    /** Addresses that get each lead besides the login account's. */
    emails: text().array().notNull().default([]),
    /** Addresses that get statements; without any, the login account's. */
    billing_emails: text().array().notNull().default([]),
    disable_notifications: boolean().notNull().default(false),
    /** What the agency keeps in mind about the account. */
    notes: text(),
    version: integer().notNull().default(1),
    created_at: timestampNowColumn(),
    deleted_at: timestampColumn(),
  },
  (client) => [
    index('clients_by_name').on(sql`fold_text(${client.name})`, client.id).where(sql`${client.deleted_at} is null`),
  ],
)
