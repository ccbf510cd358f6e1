import { boolean, integer, numeric, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { timestampColumn } from '#core/db/columns.ts'
import { leadCounters } from './counters.ts'

const moneySum = () => numeric({ precision: 18, scale: 2 }).notNull().default('0')
const count = () => integer().notNull().default(0)

/**
 * What the leads of a campaign add up to in a year, a month and a week, and those of all campaigns together also in a day. What is
 * true now is these and `lead_changes` together.
 */
export const leadSumsTable = pgTable(
  'lead_sums',
  {
    /** A campaign, `noCampaignId`, or `allCampaignsId`. No reference: a campaign that is gone has no leads. */
    campaign_id: integer().notNull(),
    /** As periods.ts spells it. */
    period: integer().notNull(),
    archived: boolean().notNull(),
    hide: boolean().notNull(),
    ...Object.fromEntries(
      Object.entries(leadCounters).map(([name, { sumOf }]) => [
        name,
        sumOf === undefined || sumOf === 'rating' ? count() : moneySum(),
      ]),
    ),
  },
  (row) => [primaryKey({ columns: [row.campaign_id, row.period, row.archived, row.hide] })],
)

/** All campaigns together: the leads without one are not among them. */
export const allCampaignsId = -1

/**
 * What writers of leads added and took away since. Only ever inserted into, so that writers do not wait for each other; a job folds it in.
 * `number` is 1 for what a lead is now and -1 for what it was; the money has that sign, too.
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

/** The zone of the days that are added up: one row, and none while the sums are built. */
export const leadSumsZoneTable = pgTable('lead_sums_zone', { zone: text().primaryKey() })
