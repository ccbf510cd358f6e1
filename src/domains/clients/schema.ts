import { sql } from 'drizzle-orm'
import { boolean, index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { identity, instant, now } from '#core/db/columns.ts'

/** A local business that buys leads. Its login account is a row of `users`. */
export const clients = pgTable(
  'clients',
  {
    id: identity(),
    name: text().notNull(),
    timezone: text().notNull().default('America/New_York'),
    /** Addresses that get each lead besides the login account's. */
    emails: text().array().notNull().default([]),
    disable_notifications: boolean().notNull().default(false),
    version: integer().notNull().default(1),
    created_at: now(),
    deleted_at: instant(),
  },
  (client) => [
    index('clients_by_name').on(sql`lower(${client.name})`, client.id).where(sql`${client.deleted_at} is null`),
  ],
)
