import { sql } from 'drizzle-orm'
import { type AnyPgColumn, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { identityColumn, timestampColumn, timestampNowColumn } from '#core/db/columns.ts'
import { usersTable } from '#domains/access/schema.ts'
import { activityItemsTable } from '#domains/activity/schema.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import type { LostLeads } from './describe-lost-leads.ts'
import { signalKinds, signalSeverities, signalSubjectTypes } from './labels.ts'

/** Current and past problems. Only the runner opens and closes rows; users claim and mute them. */
export const signalsTable = pgTable(
  'signals',
  {
    id: identityColumn(),
    kind: text({ enum: signalKinds }).notNull(),
    /** The detector's kind; a probe can change the signal's kind. */
    detected_kind: text({ enum: signalKinds }).notNull(),
    severity: text({ enum: signalSeverities }).notNull(),
    title: text().notNull(),
    campaign_id: integer().references(() => campaignsTable.id, { onDelete: 'cascade' }),
    subject_type: text({ enum: signalSubjectTypes }).notNull(),
    subject_id: text().notNull(),
    subject_label: text().notNull(),
    opened_at: timestampNowColumn(),
    closed_at: timestampColumn(),
    evidence: jsonb().$type<Record<string, unknown>>().notNull(),
    /** What closed it. */
    closing_evidence: jsonb().$type<Record<string, unknown>>(),
    expected_lost: jsonb().$type<LostLeads>(),
    /** Grows when the problem becomes worse, which sends messages again. */
    stage: integer().notNull().default(0),
    claimed_by: integer().references(() => usersTable.id),
    muted_until: timestampColumn(),
    parent_id: integer().references((): AnyPgColumn => signalsTable.id, { onDelete: 'set null' }),
    task_id: integer().references(() => activityItemsTable.id, { onDelete: 'set null' }),
    probed_at: timestampColumn(),
  },
  (signal) => [
    uniqueIndex('signals_open')
      .on(signal.detected_kind, signal.subject_type, signal.subject_id)
      .where(sql`closed_at is null`),
    index('signals_open_campaign').on(signal.campaign_id, signal.id).where(sql`closed_at is null`),
    index('signals_closed').on(signal.closed_at, signal.id).where(sql`closed_at is not null`),
    index('signals_closed_campaign').on(signal.campaign_id, signal.closed_at).where(sql`closed_at is not null`),
    index('signals_subject').on(signal.subject_type, signal.subject_id, signal.id),
    index('signals_claimed').on(signal.claimed_by).where(sql`claimed_by is not null`),
    index('signals_parent').on(signal.parent_id).where(sql`parent_id is not null`),
    index('signals_task').on(signal.task_id).where(sql`task_id is not null`),
  ],
)

/** The spam rules that hid good leads when they were last reviewed, for the runner. */
export const signalFindingsTable = pgTable(
  'signal_findings',
  {
    kind: text({ enum: signalKinds }).notNull(),
    subject_type: text({ enum: signalSubjectTypes }).notNull(),
    subject_id: text().notNull(),
    subject_label: text().notNull(),
    campaign_id: integer().references(() => campaignsTable.id, { onDelete: 'cascade' }),
    title: text().notNull(),
    severity: text({ enum: signalSeverities }).notNull(),
    evidence: jsonb().$type<Record<string, unknown>>().notNull(),
    found_at: timestampNowColumn(),
  },
  (row) => [primaryKey({ columns: [row.kind, row.subject_type, row.subject_id] })],
)

/** Which users were notified at once of a signal, at each of its stages. */
export const signalNoticesTable = pgTable(
  'signal_notices',
  {
    signal_id: integer()
      .notNull()
      .references(() => signalsTable.id, { onDelete: 'cascade' }),
    user_id: integer()
      .notNull()
      .references(() => usersTable.id, { onDelete: 'cascade' }),
    stage: integer().notNull(),
    sent_at: timestampNowColumn(),
  },
  (row) => [primaryKey({ columns: [row.signal_id, row.user_id, row.stage] })],
)
