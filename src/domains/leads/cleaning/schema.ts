import { sql } from 'drizzle-orm'
import { boolean, check, integer, pgTable } from 'drizzle-orm/pg-core'

/** How far old leads have been brought to the form in which texts and phones are stored now; one row. */
export const leadCleaningTable = pgTable(
  'lead_cleaning',
  {
    id: integer().primaryKey().default(1),
    /** The last lead that has been looked at. */
    last_id: integer().notNull().default(0),
    is_done: boolean().notNull().default(false),
  },
  (row) => [check('lead_cleaning_one_row', sql`${row.id} = 1`)],
)
