import { index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { byteaColumn, identityColumn, timestampColumn, timestampNowColumn } from '#core/db/columns.ts'
import { clientSitesTable } from '#domains/sites/client/schema.ts'
import type { FieldMapping } from './contract.ts'
import { sourcePresets } from './labels.ts'

/** A service that posts leads to its own address. Its leads belong to a client site. */
export const customSourcesTable = pgTable(
  'custom_sources',
  {
    id: identityColumn(),
    name: text().notNull(),
    clientsite_id: integer()
      .notNull()
      .references(() => clientSitesTable.id),
    preset: text({ enum: sourcePresets }),
    mapping: jsonb().$type<FieldMapping>().notNull().default({}),
    /** The key in its address: hashed for lookups, encrypted to be shown again. */
    key_hash: byteaColumn().notNull(),
    key: byteaColumn(),
    version: integer().notNull().default(1),
    created_at: timestampNowColumn(),
    deleted_at: timestampColumn(),
  },
  (source) => [
    uniqueIndex('custom_sources_key').on(source.key_hash),
    index('custom_sources_site').on(source.clientsite_id),
  ],
)

/** The associated data that an encrypted key is bound to. */
export const sourceKeyAad = (id: number) => `custom_sources.key:${id}`
