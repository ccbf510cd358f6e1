import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  date,
  index,
  integer,
  jsonb,
  numeric,
  pgTable,
  primaryKey,
  smallint,
  text,
} from 'drizzle-orm/pg-core'
import { identityColumn, timestampColumn, timestampNowColumn } from '#core/db/columns.ts'
import { clientsTable } from '#domains/clients/schema.ts'
import { campaignCategoriesTable } from './categories/schema.ts'
import { defaultSchedule, type WorkingSchedule } from './schedule.ts'

const dollarsColumn = () => numeric({ precision: 12, scale: 2, mode: 'number' })

/** One client's lead-generation contract. */
export const campaignsTable = pgTable(
  'campaigns',
  {
    id: identityColumn(),
    name: text().notNull(),
    client_id: integer()
      .notNull()
      .references(() => clientsTable.id),
    manager: text().notNull().default(''),
    start_date: date({ mode: 'string' }),
    /** Day of month on which a billing month starts, 1 to 31. */
    due_date: smallint().notNull().default(1),
    initial_target: integer().notNull().default(0),
    month_3_target: integer(),
    month_6_target: integer(),
    month_9_target: integer(),
    month_12_target: integer(),
    service_fee: dollarsColumn().notNull().default(0),
    approved_ppc: dollarsColumn().notNull().default(0),
    is_ppc: boolean().notNull().default(false),
    /** Troubled 10, Monitor 3, No issues 2, Pre-Launch 4, Other 1, Cancelled 5. */
    trouble_state: smallint().notNull().default(2),
    notes: text().notNull().default(''),
    fixed_to_top: boolean().notNull().default(false),
    archived: boolean().notNull().default(false),
    /** Time zone of the working hours. */
    timezone: text().notNull().default('America/New_York'),
    schedule: jsonb().$type<WorkingSchedule>().notNull().default(defaultSchedule),
    /** The version of the form; the working hours have their own. */
    version: integer().notNull().default(1),
    hours_version: integer().notNull().default(1),
    /** When a person last saved the working hours; null while those it was created with apply. */
    hours_saved_at: timestampColumn(),
    created_at: timestampNowColumn(),
  },
  (campaign) => [
    index('campaigns_client').on(campaign.client_id),
    check('campaigns_due_date', sql`${campaign.due_date} between 1 and 31`),
    check('campaigns_trouble_state', sql`${campaign.trouble_state} in (1, 2, 3, 4, 5, 10)`),
  ],
)

export const campaignCategoryLinksTable = pgTable(
  'campaign_category_links',
  {
    campaign_id: integer()
      .notNull()
      .references(() => campaignsTable.id, { onDelete: 'cascade' }),
    category_id: integer()
      .notNull()
      .references(() => campaignCategoriesTable.id),
  },
  (link) => [
    primaryKey({ columns: [link.campaign_id, link.category_id] }),
    index('campaign_category_links_category').on(link.category_id),
  ],
)
