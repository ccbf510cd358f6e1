import { boolean, integer, numeric, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { timestampColumn } from '#core/db/columns.ts'
import { leadCounters } from './counters.ts'

const moneySum = () => numeric({ precision: 18, scale: 2 }).notNull().default('0')
const countColumn = () => integer().notNull().default(0)

/**
 * The sums of a campaign's leads per year, month and week, and those of all campaigns together also per day. Current numbers are
 * these plus `lead_changes`.
 */
export const leadSumsTable = pgTable(
  'lead_sums',
  {
    /** A campaign, `noCampaignId`, or `allCampaignsId`. No foreign key: a deleted campaign has no leads. */
    campaign_id: integer().notNull(),
    /** In the format of periods.ts. */
    period: integer().notNull(),
    archived: boolean().notNull(),
    hide: boolean().notNull(),
    ...Object.fromEntries(
      Object.entries(leadCounters).map(([name, { sumOf }]) => [
        name,
        sumOf === undefined || sumOf === 'rating' ? countColumn() : moneySum(),
      ]),
    ),
  },
  (row) => [primaryKey({ columns: [row.campaign_id, row.period, row.archived, row.hide] })],
)

/** All campaigns together, without the leads that have no campaign. */
export const allCampaignsId = -1

/**
 * Changes of leads since the sums were built. Writers only insert, so that they do not wait for each other; a job folds the changes
 * into the sums. `number` is positive for new states of leads and negative for old ones; the money has the same sign.
 */
export const leadChangesTable = pgTable('lead_changes', {
  campaign_id: integer().notNull(),
  occurred_at: timestampColumn().notNull(),
  archived: boolean().notNull(),
  facets: integer().notNull(),
  missed: boolean().notNull(),
  number: integer().notNull(),
  client_value: numeric({ precision: 18, scale: 2, mode: 'number' }),
  client_profit: numeric({ precision: 18, scale: 2, mode: 'number' }),
})

/** The time zone of the sums: one row, and none while the sums are being built. */
export const leadSumsZoneTable = pgTable('lead_sums_zone', { zone: text().primaryKey() })
