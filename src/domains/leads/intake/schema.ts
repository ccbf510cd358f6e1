import { sql } from 'drizzle-orm'
import { bigint, boolean, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { byteaColumn, timestampColumn, timestampNowColumn } from '#core/db/columns.ts'
import { clientSitesTable } from '#domains/sites/client/schema.ts'
import { customSourcesTable } from '../custom-sources/schema.ts'
import { inboundEventProviders, inboundEventStates } from './labels.ts'

/**
 * The inbox: every event that a provider sent, byte for byte, before it is parsed. CallRail never repeats an event, so no event is
 * refused for its content.
 */
export const inboundEventsTable = pgTable(
  'inbound_events',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    provider: text({ enum: inboundEventProviders }).notNull(),
    /** The site that sent the event; null if a signed CallRail event names no known site. */
    clientsite_id: integer().references(() => clientSitesTable.id),
    /** The lead source that received the event; null for CallRail and Formidable. */
    source_id: integer().references(() => customSourcesTable.id),
    headers: jsonb().$type<Record<string, string>>().notNull(),
    body: byteaColumn().notNull(),
    state: text({ enum: inboundEventStates }).notNull().default('stored'),
    /** Why it was ignored or quarantined, or waits. */
    reason: text(),
    /** No foreign key: the inbox has no campaign yet, and outlives the lead. */
    lead_id: integer(),
    /** A unique name for an event that was found in CallRail's lists, so that it is stored once; null for a hook. */
    reconciled_as: text(),
    /** It was read from a list because no hook is expected; otherwise a hook is missing. */
    polled: boolean().notNull().default(false),
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

/** Files of the hook journal that are in the inbox. Names are committed with the events, so that none is stored twice. */
export const replayedJournalsTable = pgTable('replayed_journals', {
  name: text().primaryKey(),
  replayed_at: timestampNowColumn(),
})

/** The columns that processing an event needs. */
export type StoredEvent = Pick<
  typeof inboundEventsTable.$inferSelect,
  'id' | 'provider' | 'clientsite_id' | 'source_id' | 'headers' | 'body' | 'lead_id' | 'reconciled_as' | 'received_at'
>
