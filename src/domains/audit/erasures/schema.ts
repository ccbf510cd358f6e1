import { index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { byteaColumn, identityColumn, timestampNowColumn } from '#core/db/columns.ts'

/** People who were erased. The trigger of the audit log lets values be erased only in the transaction that writes such a row. */
export const erasuresTable = pgTable(
  'erasures',
  {
    id: identityColumn(),
    at: timestampNowColumn(),
    /** Identifies it in the list that outlives the database. */
    list_key: text().notNull().unique(),
    /** Phone and email, encrypted: a restored backup is erased from again. */
    person: byteaColumn().notNull(),
    /** How many rows, by what they are. */
    counts: jsonb().$type<Record<string, number>>().notNull(),
    user_id: integer(),
    username: text(),
  },
  (erasure) => [index('erasures_at').on(erasure.at, erasure.id)],
)

/** What the encrypted phone and email are bound to. */
export const erasurePersonAad = (listKey: string) => `erasures.person:${listKey}`
