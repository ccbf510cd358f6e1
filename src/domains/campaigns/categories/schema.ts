import { pgTable, text } from 'drizzle-orm/pg-core'
import { identity, now } from '#core/db/columns.ts'

export const campaignCategories = pgTable('campaign_categories', {
  id: identity(),
  name: text().notNull(),
  color: text().notNull().default('#ffffff'),
  created_at: now(),
})
