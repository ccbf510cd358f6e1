import { sql } from 'drizzle-orm'
import {
  bigint,
  check,
  date,
  foreignKey,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { timestampNowColumn } from '#core/db/columns.ts'
import { usersTable } from '#domains/access/schema.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import type { BillingTerms } from '#domains/campaigns/terms/contract.ts'
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
  },
  (statement) => [
    primaryKey({ columns: [statement.campaign_id, statement.from_day] }),
    check('statements_days', sql`${statement.from_day} <= ${statement.to_day}`),
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
    // A lead has one line of its own, and one for each corrected statement.
    uniqueIndex('statement_lines_once').on(
      line.campaign_id,
      line.from_day,
      sql`coalesce(${line.lead_id}, 0)`,
      sql`coalesce(${line.refers_to}, '-infinity'::date)`,
    ),
  ],
)
