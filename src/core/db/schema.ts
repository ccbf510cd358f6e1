import { sql } from 'drizzle-orm'
import { bigint, check, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { byteaColumn, timestampColumn, timestampNowColumn } from './columns.ts'

/** Tables of src/core itself, not of a domain. */

/**
 * The audit log: who changed what, when, from what, to what. Append-only: a trigger in the migration refuses updates and deletes.
 * `user_id` has no foreign key, so that entries outlive the account; null means the program itself.
 */
export const auditTable = pgTable(
  'audit',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    at: timestampNowColumn(),
    user_id: integer(),
    username: text(),
    /** The API key that was used, and its name at the time. */
    key_id: integer(),
    key_name: text(),
    /** The kind of record, in the product's words: lead, campaign category, user … */
    kind: text().notNull(),
    row_id: integer().notNull(),
    action: text({ enum: ['created', 'changed', 'removed'] }).notNull(),
    /** Only the fields that changed. */
    before: jsonb().$type<Record<string, unknown>>(),
    after: jsonb().$type<Record<string, unknown>>(),
    /** The row's version after the change, if it has one. */
    version: integer(),
    request_id: text(),
    address: text(),
  },
  (entry) => [
    index('audit_row').on(entry.kind, entry.row_id, entry.id),
    index('audit_at').on(entry.at, entry.id),
    // For timelines: by time within one record. Leads, which have most entries, are left out.
    index('audit_timeline').on(entry.kind, entry.row_id, entry.at, entry.id).where(sql`kind <> 'lead'`),
  ],
)

/** Answers to writes that were sent with a key, for a caller that got none and sends the write again. Kept for a day. */
export const idempotencyTable = pgTable(
  'idempotency_keys',
  {
    user_id: integer().notNull(),
    key: text().notNull(),
    at: timestampNowColumn(),
    /** A signature of the call, its body and the API key that was used. */
    request: text().notNull(),
    /** Encrypted JSON, which may have secrets; an empty text if the answer has no body, null until there is one. */
    answer: byteaColumn(),
  },
  (row) => [primaryKey({ columns: [row.user_id, row.key] })],
)

/** One row that /readyz updates: a check that only reads stays green on a full disk. */
export const heartbeatTable = pgTable(
  'heartbeat',
  { id: integer().primaryKey().default(1), at: timestampColumn().notNull() },
  (row) => [check('heartbeat_one_row', sql`${row.id} = 1`)],
)
