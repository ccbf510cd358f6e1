import { boolean, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { timestampColumn } from '#core/db/columns.ts'

/**
 * What the version before counted weeks into. Nothing reads or writes it anymore; it is here until no process of that version runs, and
 * goes with the next release. Sums are in leads/sums.
 */
const weekCountColumns = {
  /** No reference: what refers to a campaign that is gone adds up to nothing. */
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

/** What was added and taken away since. Only ever inserted into, so that writers do not wait for each other; a job folds it in. */
export const countedChangesTable = pgTable('counted_changes', weekCountColumns)

/** Where weeks begin in the agency's zone, as the program reckons it: 2000 to 2100. */
export const weekStartsTable = pgTable('week_starts', { starts_at: timestampColumn().primaryKey() })

/** The zone that weeks are counted in: one row, and none until they are. */
export const weekZoneTable = pgTable('week_zone', { zone: text().primaryKey() })
