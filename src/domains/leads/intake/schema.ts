import { sql } from 'drizzle-orm'
import { bigint, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { byteaColumn, timestampColumn, timestampNowColumn } from '#core/db/columns.ts'
import { clientSitesTable } from '#domains/sites/client/schema.ts'
import { customSourcesTable } from '../custom-sources/schema.ts'

/**
 * The inbox: every event that a provider sent, byte for byte, before it is parsed.
 * `stored` waits for the worker; `waiting` for a person who maps its fields; `done` created or changed a lead; `ignored` is kept but creates none (a pre-call, say);
 * `quarantined` could not be used, and says why. CallRail never repeats an event, so nothing is ever refused for its content.
 */
export const inboundEventsTable = pgTable(
  'inbound_events',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    provider: text({ enum: ['callrail', 'formidable', 'other'] }).notNull(),
    /** The site named in a form hook's address; CallRail's is found from the body. */
    clientsite_id: integer().references(() => clientSitesTable.id),
    /** The lead source whose address took it; null for CallRail and Formidable. */
    source_id: integer().references(() => customSourcesTable.id),
    headers: jsonb().$type<Record<string, string>>().notNull(),
    body: byteaColumn().notNull(),
    state: text({ enum: ['stored', 'done', 'ignored', 'quarantined', 'waiting'] })
      .notNull()
      .default('stored'),
    reason: text(),
    /** Without a foreign key: the inbox has no campaign yet, and outlives the lead. */
    lead_id: integer(),
    /** The name of an event that reconciliation found in CallRail's list, so that it is stored once; null for an event of a hook. */
    reconciled_as: text(),
    received_at: timestampNowColumn(),
    processed_at: timestampColumn(),
  },
  (event) => [
    index('inbound_events_waiting').on(event.id).where(sql`state = 'stored'`),
    index('inbound_events_quarantine').on(event.id).where(sql`state = 'quarantined'`),
    index('inbound_events_lead').on(event.lead_id).where(sql`lead_id is not null`),
    index('inbound_events_source').on(event.source_id, event.id).where(sql`source_id is not null`),
    uniqueIndex('inbound_events_reconciled_as').on(event.reconciled_as).where(sql`reconciled_as is not null`),
    index('inbound_events_reconciled').on(event.received_at).where(sql`reconciled_as is not null`),
  ],
)

/** Files of the hook journal whose events are in the inbox: their names are committed with the events, so that none comes in twice. */
export const replayedJournalsTable = pgTable('replayed_journals', {
  name: text().primaryKey(),
  replayed_at: timestampNowColumn(),
})

/** What processing an event needs of it. */
export type StoredEvent = Pick<
  typeof inboundEventsTable.$inferSelect,
  'id' | 'provider' | 'clientsite_id' | 'source_id' | 'headers' | 'body' | 'lead_id' | 'received_at'
>
