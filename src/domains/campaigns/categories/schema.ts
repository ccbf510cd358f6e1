import { integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { identityColumn, timestampNowColumn } from '#core/db/columns.ts'
import type { CampaignTemplate } from './template.ts'

export const campaignCategoriesTable = pgTable('campaign_categories', {
  id: identityColumn(),
  name: text().notNull(),
  color: text().notNull().default('#ffffff'),
  version: integer().notNull().default(1),
  /** What new campaigns of the category may start with. */
  template: jsonb().$type<CampaignTemplate>(),
  template_version: integer().notNull().default(1),
  created_at: timestampNowColumn(),
})
