import { pgTable, text } from 'drizzle-orm/pg-core'
import { timestampColumn } from '#core/db/columns.ts'

/** Hosts that a check or a crawl is using. A claim expires, in case its process dies. */
export const spokenHostsTable = pgTable('spoken_hosts', {
  host: text().primaryKey(),
  until: timestampColumn().notNull(),
})
