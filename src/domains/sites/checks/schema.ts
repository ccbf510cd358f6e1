import { sql } from 'drizzle-orm'
import { pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { identityColumn, timestampColumn, timestampNowColumn } from '#core/db/columns.ts'

/** Hosts that a check or a crawl is using. A claim expires, in case its process dies. */
export const spokenHostsTable = pgTable('spoken_hosts', {
  host: text().primaryKey(),
  until: timestampColumn().notNull(),
})

/** When Leadline itself could not reach the internet: what failed then says nothing about sites. At most one spell is open. */
export const offlineSpellsTable = pgTable(
  'offline_spells',
  {
    id: identityColumn(),
    began_at: timestampNowColumn(),
    ended_at: timestampColumn(),
  },
  (spell) => [uniqueIndex('offline_spells_open').on(sql`(true)`).where(sql`${spell.ended_at} is null`)],
)
