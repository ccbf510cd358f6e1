import { pgTable, text } from 'drizzle-orm/pg-core'
import { identityColumn, timestampNowColumn } from '#core/db/columns.ts'

export const campaignCategoriesTable = pgTable('campaign_categories', {
  id: identityColumn(),
  name: text().notNull(),
  color: text().notNull().default('#ffffff'),
  created_at: timestampNowColumn(),
})
