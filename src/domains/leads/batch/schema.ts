import { boolean, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { identityColumn, timestampColumn, timestampNowColumn } from '#core/db/columns.ts'
import { usersTable } from '#domains/access/schema.ts'
import type { BatchAct } from './contract.ts'
import { batchStates, storedBatchActions } from './labels.ts'

/** One act on many leads. */
export const leadBatchesTable = pgTable(
  'lead_batches',
  {
    id: identityColumn(),
    user_id: integer()
      .notNull()
      .references(() => usersTable.id),
    action: text({ enum: storedBatchActions }).notNull(),
    value: jsonb().$type<BatchAct['value']>(),
    state: text({ enum: batchStates }).notNull().default('queued'),
    /** Its undo was asked for. */
    undoing: boolean().notNull().default(false),
    /** How often the job has failed since it last changed leads. */
    failures: integer().notNull().default(0),
    problem: text(),
    created_at: timestampNowColumn(),
    done_at: timestampColumn(),
    undone_at: timestampColumn(),
  },
  (batch) => [index('lead_batches_user').on(batch.user_id)],
)

/** The values of the columns that a batch set. */
export type LeadValues = Record<string, unknown>

/** Its leads, frozen when it was made. One without version and reason has not been reached. */
export const leadBatchRowsTable = pgTable(
  'lead_batch_rows',
  {
    batch_id: integer()
      .notNull()
      .references(() => leadBatchesTable.id, { onDelete: 'cascade' }),
    place: integer().notNull(),
    lead_id: integer().notNull(),
    /** The columns that it set, before and after. `after.mails` are the emails that it queued. */
    before: jsonb().$type<LeadValues>(),
    after: jsonb().$type<LeadValues>(),
    /** The lead's version that it made. */
    version: integer(),
    /** Why it changed nothing. */
    reason: text(),
    /** The version that the undo made, or why it made none. */
    undone_version: integer(),
    kept_reason: text(),
  },
  (row) => [primaryKey({ columns: [row.batch_id, row.place] }), index('lead_batch_rows_lead').on(row.lead_id)],
)
