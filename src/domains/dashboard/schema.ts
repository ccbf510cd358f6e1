import { integer, pgTable } from 'drizzle-orm/pg-core'
import { timestampColumn, timestampNowColumn } from '#core/db/columns.ts'
import { usersTable } from '#domains/access/schema.ts'

/** When each user looks at Home: what came after the last visit is new. */
export const homeVisitsTable = pgTable('home_visits', {
  user_id: integer()
    .primaryKey()
    .references(() => usersTable.id, { onDelete: 'cascade' }),
  seen_at: timestampNowColumn(),
  /** The end of the visit before this one; null during the first. */
  last_visit_at: timestampColumn(),
})
