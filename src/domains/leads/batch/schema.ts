import { boolean, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { identityColumn, timestampColumn, timestampNowColumn } from '#core/db/columns.ts'
import { usersTable } from '#domains/access/schema.ts'
import type { BatchAct } from './contract.ts'
import { batchStates, storedBatchActions } from './labels.ts'

/** One action on many leads. */
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
    /** An undo was requested. */
    undoing: boolean().notNull().default(false),
    /** Failures of the job since it last changed leads. */
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

/** The leads of a batch, fixed when it is created. A row without version and reason is not processed yet. */
export const leadBatchRowsTable = pgTable(
  'lead_batch_rows',
  {
    batch_id: integer()
      .notNull()
      .references(() => leadBatchesTable.id, { onDelete: 'cascade' }),
    place: integer().notNull(),
    lead_id: integer().notNull(),
    /** The columns that the batch set, before and after. `after.mails` are the ids of the emails that it queued. */
    before: jsonb().$type<LeadValues>(),
    after: jsonb().$type<LeadValues>(),
    /** The lead's version after the change. */
    version: integer(),
    /** Why the lead did not change. */
    reason: text(),
    /** The lead's version after the undo, or why the lead was not restored. */
    undone_version: integer(),
    kept_reason: text(),
  },
  (row) => [primaryKey({ columns: [row.batch_id, row.place] }), index('lead_batch_rows_lead').on(row.lead_id)],
)
