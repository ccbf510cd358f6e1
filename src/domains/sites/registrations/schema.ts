import { sql } from 'drizzle-orm'
import { date, index, integer, pgTable, smallint, text } from 'drizzle-orm/pg-core'
import { timestampColumn } from '#core/db/columns.ts'

/** Registry data of a domain that sites or redirect domains use, looked up once a day. */
export const registrationsTable = pgTable(
  'registrations',
  {
    domain: text().primaryKey(),
    /** The id used by happenings and signals. */
    id: integer().notNull().unique().generatedAlwaysAsIdentity(),
    registrar: text(),
    /** `Redacted` if the registry hides it. */
    registrant: text(),
    registered_on: date({ mode: 'string' }),
    expires_on: date({ mode: 'string' }),
    nameservers: text().array().notNull().default([]),
    /** The source; null before the first lookup. */
    told_by: text({ enum: ['rdap', 'whois'] }),
    looked_up_at: timestampColumn(),
    next_look_up_at: timestampColumn().notNull().default(sql`now()`),
    /** Failed attempts in a row. */
    failures: smallint().notNull().default(0),
    problem: text(),
  },
  (registration) => [index('registrations_due').on(registration.next_look_up_at)],
)
