import { sql } from 'drizzle-orm'
import { boolean, check, date, index, integer, jsonb, pgTable, primaryKey, smallint, text } from 'drizzle-orm/pg-core'
import { byteaColumn, identityColumn, timestampColumn, timestampNowColumn } from '#core/db/columns.ts'
import { usersTable } from '#domains/access/schema.ts'
import { clientsTable } from '#domains/clients/schema.ts'
import { reportPeriods } from './labels.ts'
import type { CampaignDays } from './model/report.ts'

/** A report that anyone with its key may open. Its content is computed when it is opened, over the days that it was made for. */
export const clientReportsTable = pgTable(
  'client_reports',
  {
    id: identityColumn(),
    client_id: integer()
      .notNull()
      .references(() => clientsTable.id),
    period: text({ enum: reportPeriods }).notNull(),
    /** The requested day: each campaign reports the period that contains it. */
    day: date({ mode: 'string' }).notNull(),
    from: date({ mode: 'string' }).notNull(),
    to: date({ mode: 'string' }).notNull(),
    /** Null if an earlier version made it. */
    campaigns: jsonb().$type<CampaignDays[]>(),
    key_hash: byteaColumn().notNull().unique(),
    created_by: integer().references(() => usersTable.id),
    /** It was emailed as a test to who asked for it: the client does not see it among theirs. */
    is_test: boolean().notNull().default(false),
    created_at: timestampNowColumn(),
    expires_at: timestampColumn().notNull(),
    revoked_at: timestampColumn(),
    /** When a person outside the agency first read it. */
    opened_at: timestampColumn(),
  },
  (report) => [index('client_reports_client').on(report.client_id, report.created_at)],
)

/** When a client is sent reports. A client without a row gets none. */
export const reportSchedulesTable = pgTable(
  'report_schedules',
  {
    client_id: integer()
      .primaryKey()
      .references(() => clientsTable.id),
    every: text({ enum: reportPeriods }),
    day: smallint().notNull(),
    hour: smallint().notNull(),
    skip_empty: boolean().notNull().default(false),
    version: integer().notNull().default(1),
    /** When these days were set; slots before are not sent. */
    set_at: timestampNowColumn(),
  },
  (schedule) => [
    check('report_schedules_day', sql`${schedule.day} between 0 and 31`),
    check('report_schedules_hour', sql`${schedule.hour} between 0 and 23`),
  ],
)

/** The periods that schedules have handled, each once, however often the program restarts. */
export const scheduledReportsTable = pgTable(
  'scheduled_reports',
  {
    client_id: integer()
      .notNull()
      .references(() => clientsTable.id),
    every: text({ enum: reportPeriods }).notNull(),
    /** The first day of the period. */
    from: date({ mode: 'string' }).notNull(),
    /** Null if nothing was sent: it was empty, or there was no address. */
    report_id: integer().references(() => clientReportsTable.id, { onDelete: 'set null' }),
    created_at: timestampNowColumn(),
  },
  (sent) => [primaryKey({ columns: [sent.client_id, sent.every, sent.from] })],
)
