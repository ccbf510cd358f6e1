import { pgTable, text } from 'drizzle-orm/pg-core'
import { timestampColumn } from '#core/db/columns.ts'

/** Hosts that a check or a crawl speaks to right now; a claim that its process did not live to give back ends by itself. */
export const spokenHostsTable = pgTable('spoken_hosts', {
  host: text().primaryKey(),
  until: timestampColumn().notNull(),
})
