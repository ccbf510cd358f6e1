import { pgTable, text } from 'drizzle-orm/pg-core'
import { identity, now } from '#core/db/columns.ts'

/** What a group of our own sites is about. */
export const networkCategories = pgTable('network_categories', {
  id: identity(),
  name: text().notNull(),
  created_at: now(),
})
