import { index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { byteaColumn, identityColumn, timestampNowColumn } from '#core/db/columns.ts'

/** Erased people. The audit log's trigger allows values to be erased only in a transaction that writes a row here. */
export const erasuresTable = pgTable(
  'erasures',
  {
    id: identityColumn(),
    at: timestampNowColumn(),
    /** Identifies it in the list that outlives the database. */
    list_key: text().notNull().unique(),
    /** Phone and email, encrypted, to repeat the erasure in a restored backup. */
    person: byteaColumn().notNull(),
    /** Row counts by label. */
    counts: jsonb().$type<Record<string, number>>().notNull(),
    user_id: integer(),
    username: text(),
  },
  (erasure) => [index('erasures_at').on(erasure.at, erasure.id)],
)

/** The associated data of the encrypted phone and email. */
export const erasurePersonAad = (listKey: string) => `erasures.person:${listKey}`
