import { integer, jsonb, pgTable } from 'drizzle-orm/pg-core'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import type { BillingTerms } from './contract.ts'

/** The billing terms of a campaign, oldest first. One form saves them all. */
export const campaignTermsTable = pgTable('campaign_terms', {
  campaign_id: integer()
    .primaryKey()
    .references(() => campaignsTable.id, { onDelete: 'cascade' }),
  terms: jsonb().$type<BillingTerms[]>().notNull(),
  version: integer().notNull(),
})
