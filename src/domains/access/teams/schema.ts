import { pgTable, text } from 'drizzle-orm/pg-core'
import { identity, instant, now } from '#core/db/columns.ts'

/** A group of staff that items of the activity log are written for, beside campaigns. */
export const teams = pgTable('teams', {
  id: identity(),
  name: text().notNull(),
  note: text().notNull().default(''),
  created_at: now(),
  deleted_at: instant(),
})
