import { pgTable, text } from 'drizzle-orm/pg-core'
import { identityColumn, timestampColumn, timestampNowColumn } from '#core/db/columns.ts'

/** A group of staff that items of the activity log are written for, beside campaigns. */
export const teamsTable = pgTable('teams', {
  id: identityColumn(),
  name: text().notNull(),
  note: text().notNull().default(''),
  created_at: timestampNowColumn(),
  deleted_at: timestampColumn(),
})
