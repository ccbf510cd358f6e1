import { date, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { byteaColumn, timestampNowColumn } from '#core/db/columns.ts'
import { usersTable } from '#domains/access/schema.ts'
import { activityItemsTable } from '#domains/activity/schema.ts'
import type { SignalWatch } from './contract.ts'

/** How a person is told of signals; no row, or no watches: the defaults. */
export const userWatchesTable = pgTable('user_watches', {
  user_id: integer()
    .primaryKey()
    .references(() => usersTable.id, { onDelete: 'cascade' }),
  watches: jsonb().$type<SignalWatch[]>().notNull().default([]),
  /** The webhook's address, encrypted: who knows it can post there. */
  webhook_url: byteaColumn(),
  webhook_problem: text(),
  /** The local day of the last digest. */
  digest_day: date({ mode: 'string' }),
  updated_at: timestampNowColumn(),
})
/** Tasks whose assignee was told of them. */
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
