import { integer, pgTable, text } from 'drizzle-orm/pg-core'
import { timestampColumn, timestampNowColumn } from '#core/db/columns.ts'
import { usersTable } from '#domains/access/schema.ts'
import { setupStepKeys } from './labels.ts'

/** When each user looks at Home: what came after the last visit is new. */
export const homeVisitsTable = pgTable('home_visits', {
  user_id: integer()
    .primaryKey()
    .references(() => usersTable.id, { onDelete: 'cascade' }),
  seen_at: timestampNowColumn(),
  /** The end of the visit before this one; null during the first. */
  last_visit_at: timestampColumn(),
})

/** The steps of a new agency that a super admin has put off; for an agency that was in use before there were steps, all of them. */
export const putOffStepsTable = pgTable('put_off_steps', {
  key: text({ enum: setupStepKeys }).primaryKey(),
  put_off_by: integer().references(() => usersTable.id),
  put_off_at: timestampNowColumn(),
})
