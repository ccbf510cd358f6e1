import { sql } from 'drizzle-orm'
import { integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { byteaColumn, identityColumn, timestampColumn, timestampNowColumn } from '#core/db/columns.ts'
import { usersTable } from '#domains/access/schema.ts'
import { connectionKinds, connectionSources, connectionStates } from './labels.ts'

/**
 * The services that Leadline is connected to. One that the environment sets has a row too, for what became of it; its secrets are in
 * the settings only, and the row counts only in processes that have these settings.
 */
export const connectionsTable = pgTable(
  'connections',
  {
    id: identityColumn(),
    kind: text({ enum: connectionKinds }).notNull(),
    source: text({ enum: connectionSources }).notNull().default('screen'),
    /** Null: named after its account or address. */
    name: text(),
    account_id: text(),
    account_name: text(),
    address: text(),
    /** The secrets of its kind as JSON, encrypted, bound to the row. Null for the environment's, and once it is removed. */
    secret: byteaColumn(),
    state: text({ enum: connectionStates }).notNull().default('untested'),
    says: text(),
    tested_at: timestampColumn(),
    used_at: timestampColumn(),
    /** The first of the refusals since it last worked. */
    refused_since: timestampColumn(),
    /** When it was refused again after a while, since it last worked. */
    lost_since: timestampColumn(),
    created_by: integer().references(() => usersTable.id),
    created_at: timestampNowColumn(),
    version: integer().notNull().default(1),
    deleted_at: timestampColumn(),
  },
  (connection) => [
    uniqueIndex('connections_once')
      .on(
        connection.source,
        connection.kind,
        sql`(case kind when 'callrail' then account_id when 'legacy' then address else '' end)`,
      )
      .where(sql`deleted_at is null`),
  ],
)

/** The context that the encrypted secret is bound to. */
export const connectionSecretAad = (id: number) => `connections.secret:${id}`
