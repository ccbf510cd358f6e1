import { index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { identityColumn, timestampColumn, timestampNowColumn } from '#core/db/columns.ts'
import { usersTable } from '#domains/access/schema.ts'

/** An uploaded image, re-encoded; its bytes are in the store under `key`, a small one of it under `key.small`. */
export const filesTable = pgTable(
  'files',
  {
    id: identityColumn(),
    user_id: integer()
      .notNull()
      .references(() => usersTable.id),
    key: text().notNull(),
    mime: text({ enum: ['image/jpeg', 'image/png'] }).notNull(),
    size: integer().notNull(),
    width: integer().notNull(),
    height: integer().notNull(),
    created_at: timestampNowColumn(),
    /** Since when its bytes are on their way out: nothing can be hung on it any more. */
    removed_at: timestampColumn(),
  },
  (file) => [index('files_user').on(file.user_id), index('files_created').on(file.created_at)],
)
