import { index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { identityColumn, timestampColumn, timestampNowColumn } from '#core/db/columns.ts'
import { usersTable } from '#domains/access/schema.ts'

/** An uploaded image, re-encoded; its bytes are in the store under `key`, its thumbnail under `key.small`. */
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
    /** When the image was marked for deletion. From then on it cannot be attached to items. */
    removed_at: timestampColumn(),
  },
  (file) => [index('files_user').on(file.user_id), index('files_created').on(file.created_at)],
)
