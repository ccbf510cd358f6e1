import { sql } from 'drizzle-orm'
import { date, index, pgTable, smallint, text } from 'drizzle-orm/pg-core'
import { timestampColumn } from '#core/db/columns.ts'

/** What the registry tells of a domain that network sites or redirect domains use: asked once a day for all of them. */
export const registrationsTable = pgTable(
  'registrations',
  {
    domain: text().primaryKey(),
    registrar: text(),
    /** `Redacted` where the registry keeps it to itself. */
    registrant: text(),
    registered_on: date({ mode: 'string' }),
    expires_on: date({ mode: 'string' }),
    nameservers: text().array().notNull().default([]),
    /** Which of the two told; null before anybody did. */
    told_by: text({ enum: ['rdap', 'whois'] }),
    looked_up_at: timestampColumn(),
    next_look_up_at: timestampColumn().notNull().default(sql`now()`),
    /** Attempts in a row that came to nothing. */
    failures: smallint().notNull().default(0),
    problem: text(),
  },
  (registration) => [index('registrations_due').on(registration.next_look_up_at)],
)
