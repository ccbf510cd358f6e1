import { sql } from 'drizzle-orm'
import { bigint, boolean, check, index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { timestampColumn, timestampNowColumn } from '#core/db/columns.ts'
import { historyStates, reconciliationOutcomes } from '../labels.ts'

/** How far each connected account of CallRail has been read. Written by polling only. */
export const callRailAccountsTable = pgTable('callrail_accounts', {
  account_id: text().primaryKey(),
  /** What started earlier is history. */
  connected_at: timestampColumn().notNull(),
  /** When it may be read again: the process that moves it reads, so that an account has one reader. */
  next_look_at: timestampColumn().notNull(),
  /** Everything earlier has been read, by list. */
  calls_until: timestampColumn(),
  forms_until: timestampColumn(),
  texts_until: timestampColumn(),
  /** The start of the earliest call that had not ended at the last look, or whose recording may still come. */
  unfinished_from: timestampColumn(),
  companies_read_at: timestampColumn(),
  /** How often in a row CallRail asked to wait, and until when the whole account waits. */
  waits: integer().notNull().default(0),
  waits_until: timestampColumn(),
  looked_at: timestampColumn(),
  outcome: text({ enum: reconciliationOutcomes }),
  error: text(),
})

/** The companies of connected accounts, as CallRail lists them. */
export const callRailCompaniesTable = pgTable(
  'callrail_companies',
  {
    /** COM…. */
    company_id: text().primaryKey(),
    account_id: text().notNull(),
    name: text(),
    is_active: boolean().notNull(),
    /** The number of older hooks, learned from a hook that has both. */
    number: text(),
    /** When a hook of it last came. */
    hooked_at: timestampColumn(),
  },
  (company) => [
    index('callrail_companies_account').on(company.account_id),
    index('callrail_companies_number').on(company.number),
  ],
)

/** The requests of the last hour: an account allows so many. */
export const callRailRequestsTable = pgTable(
  'callrail_requests',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    account_id: text().notNull(),
    purpose: text({ enum: ['look', 'more', 'history'] }).notNull(),
    at: timestampColumn().notNull(),
  },
  (request) => [index('callrail_requests_account').on(request.account_id, request.purpose, request.at)],
)

/** The reading of what an account had before it was connected; one row a connection, none before it is started. */
export const callRailHistoriesTable = pgTable('callrail_histories', {
  connection_id: integer().primaryKey(),
  account_id: text().notNull(),
  state: text({ enum: historyStates }).notNull(),
  /** Why it waits or has failed, in a sentence. */
  says: text(),
  /** It is read back to here. */
  oldest: timestampColumn().notNull(),
  /** Everything later has been read: it is read the newest first. */
  until: timestampColumn().notNull(),
  /** Calls and forms that were read, and how many there are; null before CallRail said. */
  read: integer().notNull().default(0),
  of: integer(),
  /** Leads that came of them. */
  made: integer().notNull().default(0),
  /** When the last reading was started. */
  started_at: timestampNowColumn(),
  done_at: timestampColumn(),
  /** Its reader, unless it has died. */
  claimed_until: timestampColumn(),
})

/** The leads that a history made, to take them back, and to bill none of a cycle that was over by then. */
export const callRailHistoryLeadsTable = pgTable(
  'callrail_history_leads',
  {
    /** No foreign key: leads may be on other machines. */
    lead_id: integer().primaryKey(),
    /** Null once the history was taken back and the lead stayed. */
    connection_id: integer(),
    /** When the reading that made it was started; null if an earlier version wrote it: then that of the connection. */
    read_at: timestampColumn(),
  },
  (lead) => [index('callrail_history_leads_connection').on(lead.connection_id, lead.lead_id)],
)

/** How far an earlier version had read the environment's account. Read once, when that account is first polled. */
export const callRailReconciliationTable = pgTable(
  'callrail_reconciliation',
  {
    id: integer().primaryKey().default(1),
    /** Every call that started earlier has been compared. */
    until: timestampColumn(),
    ran_at: timestampColumn().notNull(),
    outcome: text({ enum: reconciliationOutcomes }).notNull(),
    error: text(),
  },
  (row) => [check('callrail_reconciliation_one_row', sql`${row.id} = 1`)],
)
