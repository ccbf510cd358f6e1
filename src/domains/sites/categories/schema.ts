import { integer, pgTable, text } from 'drizzle-orm/pg-core'
import { identityColumn, timestampNowColumn } from '#core/db/columns.ts'

/** The topic of a group of our own sites. */
export const networkCategoriesTable = pgTable('network_categories', {
  id: identityColumn(),
  name: text().notNull(),
  version: integer().notNull().default(1),
  created_at: timestampNowColumn(),
})
