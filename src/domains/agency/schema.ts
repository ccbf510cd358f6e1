import { sql } from 'drizzle-orm'
import { check, pgTable, smallint, text } from 'drizzle-orm/pg-core'

/** The agency's brand for clients. At most one row; without it the settings apply. */
export const agencyTable = pgTable(
  'agency',
  {
    id: smallint().primaryKey().default(1),
    name: text().notNull(),
    color: text().notNull(),
    logo: text(),
  },
  (agency) => [check('agency_single', sql`${agency.id} = 1`)],
)
