import { sql } from 'drizzle-orm'
import { check, integer, pgTable, smallint, text } from 'drizzle-orm/pg-core'

/** The agency's brand for clients. At most one row; without it the settings apply. */
export const agencyTable = pgTable(
  'agency',
  {
    id: smallint().primaryKey().default(1),
    name: text().notNull(),
    color: text().notNull(),
    logo: text(),
    /** As it stands on statements. */
    address_lines: text().array().notNull().default([]),
    /** Days from the sending of a statement to its due day. */
    terms_days: integer().notNull().default(30),
    /** Where clients' answers to emails go. */
    email: text(),
    /** Of the form: a logo that is uploaded does not count. */
    version: integer().notNull().default(1),
  },
  (agency) => [check('agency_single', sql`${agency.id} = 1`)],
)
