import { integer, pgTable, text } from 'drizzle-orm/pg-core'
import { identityColumn, timestampColumn, timestampNowColumn } from '#core/db/columns.ts'

/** A group of staff that activity log items can belong to, besides campaigns. */
export const teamsTable = pgTable('teams', {
  id: identityColumn(),
  name: text().notNull(),
  note: text().notNull().default(''),
  version: integer().notNull().default(1),
  created_at: timestampNowColumn(),
  deleted_at: timestampColumn(),
})
