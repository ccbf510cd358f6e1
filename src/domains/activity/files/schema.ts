import { index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { identity, instant, now } from '#core/db/columns.ts'
import { users } from '#domains/access/schema.ts'

/** An uploaded image, re-encoded; its bytes are in the store under `key`, a small one of it under `key.small`. */
export const files = pgTable(
  'files',
  {
    id: identity(),
    user_id: integer()
      .notNull()
      .references(() => users.id),
    key: text().notNull(),
    mime: text({ enum: ['image/jpeg', 'image/png'] }).notNull(),
    size: integer().notNull(),
    width: integer().notNull(),
    height: integer().notNull(),
    created_at: now(),
    /** Since when its bytes are on their way out: nothing can be hung on it any more. */
    removed_at: instant(),
  },
  (file) => [index('files_user').on(file.user_id), index('files_created').on(file.created_at)],
)
