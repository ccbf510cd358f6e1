import { boolean, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { timestampColumn } from '#core/db/columns.ts'

/**
 * Weekly counts of the previous version. Nothing reads or writes these tables anymore; they stay while processes of that version may run,
 * and are dropped in the next release. Sums are in leads/sums.
 */
const weekCountColumns = {
  /** No reference: rows of a deleted campaign add up to zero. */
  campaign_id: integer().notNull(),
  /** The week's first instant; -infinity for leads from before the calendar. */
  week: timestampColumn().notNull(),
  hide: boolean().notNull(),
  confirmed: integer().notNull(),
  missed: integer().notNull(),
}

export const countedWeeksTable = pgTable('counted_weeks', weekCountColumns, (row) => [
  primaryKey({ columns: [row.campaign_id, row.week, row.hide] }),
  index('counted_weeks_week').on(row.week),
])

/** Later additions and subtractions. Insert-only, so that writers do not wait for each other; a job folds the rows in. */
export const countedChangesTable = pgTable('counted_changes', weekCountColumns)

/** When weeks start in the agency's time zone, as computed by the program: 2000 to 2100. */
export const weekStartsTable = pgTable('week_starts', { starts_at: timestampColumn().primaryKey() })

/** The time zone that weeks are counted in: one row, or none before the first count. */
export const weekZoneTable = pgTable('week_zone', { zone: text().primaryKey() })
