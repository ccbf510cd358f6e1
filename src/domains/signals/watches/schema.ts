import { date, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { byteaColumn, timestampNowColumn } from '#core/db/columns.ts'
import { usersTable } from '#domains/access/schema.ts'
import { activityItemsTable } from '#domains/activity/schema.ts'
import type { SignalWatch } from './contract.ts'

/** How users are notified of signals; without a row or watches, the defaults apply. */
export const userWatchesTable = pgTable('user_watches', {
  user_id: integer()
    .primaryKey()
    .references(() => usersTable.id, { onDelete: 'cascade' }),
  watches: jsonb().$type<SignalWatch[]>().notNull().default([]),
  /** The webhook's URL, encrypted, because anyone who knows it can post there. */
  webhook_url: byteaColumn(),
  webhook_problem: text(),
  /** The local day of the last digest. */
  digest_day: date({ mode: 'string' }),
  updated_at: timestampNowColumn(),
})
/** Tasks that their assignee was notified of. */
export const taskNoticesTable = pgTable(
  'task_notices',
  {
    item_id: integer()
      .notNull()
      .references(() => activityItemsTable.id, { onDelete: 'cascade' }),
    assignee_id: integer()
      .notNull()
      .references(() => usersTable.id, { onDelete: 'cascade' }),
    at: timestampNowColumn(),
  },
  (row) => [primaryKey({ columns: [row.item_id, row.assignee_id] })],
)
export const getWebhookContext = (userId: number) => `user_watches.webhook_url:${userId}`
