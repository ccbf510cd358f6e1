import { index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { identityColumn, timestampNowColumn } from '#core/db/columns.ts'
import { usersTable } from '../schema.ts'
import { sharingRoles } from './labels.ts'

/** Named filters, columns and order of a list. */
export const viewsTable = pgTable(
  'views',
  {
    id: identityColumn(),
    user_id: integer()
      .notNull()
      .references(() => usersTable.id),
    name: text().notNull(),
    table: text().notNull(),
    query: jsonb().$type<Record<string, string>>().notNull(),
    columns: text().array().notNull(),
    sort: text(),
    order: text({ enum: ['asc', 'desc'] }),
    shared: text({ enum: sharingRoles }),
    created_at: timestampNowColumn(),
  },
  (view) => [index('views_user').on(view.user_id, view.table), index('views_shared').on(view.table, view.shared)],
)

/** A user's default view for each list. */
export const defaultViewsTable = pgTable(
  'default_views',
  {
    user_id: integer()
      .notNull()
      .references(() => usersTable.id, { onDelete: 'cascade' }),
    table: text().notNull(),
    view_id: integer()
      .notNull()
      .references(() => viewsTable.id, { onDelete: 'cascade' }),
  },
  (row) => [primaryKey({ columns: [row.user_id, row.table] }), index('default_views_view').on(row.view_id)],
)
