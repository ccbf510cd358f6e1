import { sql } from 'drizzle-orm'
import {
  bigint,
  check,
  date,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { byteaColumn, identityColumn, timestampColumn, timestampNowColumn } from '#core/db/columns.ts'
import { usersTable } from '#domains/access/schema.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import type { BillingTerms } from '#domains/campaigns/terms/contract.ts'
import { clientsTable } from '#domains/clients/schema.ts'
import { leadTypes } from '#domains/leads/labels.ts'
import { leadStandings, lineKinds } from './labels.ts'

/** Sent statements. Open ones are computed. */
export const statementsTable = pgTable(
  'statements',
  {
    campaign_id: integer()
      .notNull()
      .references(() => campaignsTable.id),
    from_day: date({ mode: 'string' }).notNull(),
    to_day: date({ mode: 'string' }).notNull(),
    /** The terms that the cycle keeps. */
    terms: jsonb().$type<BillingTerms>().notNull(),
    sent_at: timestampNowColumn(),
    sent_by: integer()
      .notNull()
      .references(() => usersTable.id),
    /** The agency's month of sending, yyyy-MM, and the place in it, from 1 without gaps. Both null until an earlier version's is numbered. */
    month: text(),
    ordinal: integer(),
    /** The document as it was sent; null if an earlier version sent it. */
    client_id: integer().references(() => clientsTable.id),
    client_name: text(),
    campaign_name: text(),
    agency_name: text(),
    address_lines: text().array(),
    due_on: date({ mode: 'string' }),
    /** The last time that it was mailed, and to whom. */
    mailed_at: timestampColumn(),
    mailed_to: text().array(),
    /** When a person outside the agency first read it. */
    opened_at: timestampColumn(),
    paid_on: date({ mode: 'string' }),
    paid_note: text(),
  },
  (statement) => [
    primaryKey({ columns: [statement.campaign_id, statement.from_day] }),
    uniqueIndex('statements_number').on(statement.month, statement.ordinal),
    index('statements_unnumbered').on(statement.sent_at).where(sql`ordinal is null`),
    index('statements_client').on(statement.client_id, statement.sent_at),
    check('statements_numbered', sql`(${statement.month} is null) = (${statement.ordinal} is null)`),
    check('statements_days', sql`${statement.from_day} <= ${statement.to_day}`),
  ],
)

/** The keys of links to sent statements. A statement has at most one that is not closed. */
export const statementKeysTable = pgTable(
  'statement_keys',
  {
    id: identityColumn(),
    campaign_id: integer().notNull(),
    from_day: date({ mode: 'string' }).notNull(),
    key_hash: byteaColumn().notNull().unique(),
    /** Encrypted, so that the same link can be mailed again. */
    key_encrypted: byteaColumn().notNull(),
    created_at: timestampNowColumn(),
    expires_at: timestampColumn().notNull(),
    closed_at: timestampColumn(),
  },
  (key) => [
    foreignKey({
      name: 'statement_keys_statement',
      columns: [key.campaign_id, key.from_day],
      foreignColumns: [statementsTable.campaign_id, statementsTable.from_day],
    }),
    uniqueIndex('statement_keys_one_open').on(key.campaign_id, key.from_day).where(sql`closed_at is null`),
  ],
)

/** The lines of sent statements. */
export const statementLinesTable = pgTable(
  'statement_lines',
  {
    campaign_id: integer().notNull(),
    from_day: date({ mode: 'string' }).notNull(),
    position: integer().notNull(),
    kind: text({ enum: lineKinds }).notNull(),
    lead_id: integer(),
    cents: bigint({ mode: 'number' }).notNull(),
    /** Null for a fee. */
    standing: text({ enum: leadStandings }),
    because: text().notNull(),
    /** The first day of the sent statement that the line corrects. */
    refers_to: date({ mode: 'string' }),
    /** The lead as it was when the statement was sent; no day for a fee, and if an earlier version sent it. */
    lead_name: text(),
    lead_type: text({ enum: leadTypes }),
    lead_day: date({ mode: 'string' }),
  },
  (line) => [
    primaryKey({ columns: [line.campaign_id, line.from_day, line.position] }),
    foreignKey({
      name: 'statement_lines_statement',
      columns: [line.campaign_id, line.from_day],
      foreignColumns: [statementsTable.campaign_id, statementsTable.from_day],
    }),
    foreignKey({
      name: 'statement_lines_refers_to',
      columns: [line.campaign_id, line.refers_to],
      foreignColumns: [statementsTable.campaign_id, statementsTable.from_day],
    }),
    index('statement_lines_lead').on(line.lead_id).where(sql`lead_id is not null`),
    // A lead has one line of its own, and one for each corrected statement.
    uniqueIndex('statement_lines_once').on(
      line.campaign_id,
      line.from_day,
      sql`coalesce(${line.lead_id}, 0)`,
      sql`coalesce(${line.refers_to}, '-infinity'::date)`,
    ),
  ],
)
