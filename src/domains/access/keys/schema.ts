import { boolean, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import type { PermissionFlag } from '#contract/allow.ts'
import { byteaColumn, identityColumn, timestampColumn, timestampNowColumn } from '#core/db/columns.ts'
import { usersTable } from '../schema.ts'
import { keyAccesses } from './labels.ts'

/** API keys. A key has access to what both its own pages and its creator's pages allow. */
export const apiKeysTable = pgTable(
  'api_keys',
  {
    id: identityColumn(),
    user_id: integer()
      .notNull()
      .references(() => usersTable.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    /** SHA-256 of the key; the key itself is not stored. */
    key_hash: byteaColumn().notNull(),
    pages: text().array().$type<PermissionFlag[]>().notNull(),
    access: text({ enum: keyAccesses }).notNull(),
    /** Whether the key may also make files of whole lists. */
    export: boolean().notNull().default(false),
    expires_at: timestampColumn().notNull(),
    last_used_at: timestampColumn(),
    created_at: timestampNowColumn(),
  },
  (key) => [uniqueIndex('api_keys_hash').on(key.key_hash), index('api_keys_user').on(key.user_id)],
)
