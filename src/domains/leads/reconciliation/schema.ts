import { sql } from 'drizzle-orm'
import { check, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { timestampColumn } from '#core/db/columns.ts'
import { reconciliationOutcomes } from '../labels.ts'

/** The progress of the comparison with CallRail's list of calls; one row, none before the first run. */
export const callRailReconciliationTable = pgTable(
  'callrail_reconciliation',
  {
    id: integer().primaryKey().default(1),
    /** Every call that started earlier has been compared. */
    until: timestampColumn(),
    ran_at: timestampColumn().notNull(),
    outcome: text({ enum: reconciliationOutcomes }).notNull(),
    error: text(),
  },
  (row) => [check('callrail_reconciliation_one_row', sql`${row.id} = 1`)],
)
