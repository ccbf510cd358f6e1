import { sql } from 'drizzle-orm'
import { bigint, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { timestampNowColumn } from '#core/db/columns.ts'

/**
 * The condition for happenings in a campaign's timeline. A first reading is not a change, and the states of sites and listings have
 * their own logs. Queries must use exactly this condition, so that the partial index applies.
 */
export const campaignHappening = sql`(kind in ('registration', 'site_ip', 'site_certificate', 'google_location', 'link_found', 'link_lost')
  and (kind = 'link_found' or before is not null) and not (kind = 'site_ip' and before ->> 'ip' is null))`

/**
 * Changes outside the app: of sites, registrations, listings, links. Append-only: a trigger in the migration refuses updates,
 * deletes and truncation. There are no foreign keys, so that a happening outlives its subject.
 */
export const happeningsTable = pgTable(
  'happenings',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    at: timestampNowColumn(),
    kind: text().notNull(),
    subject_type: text().notNull(),
    subject_id: integer().notNull(),
    campaign_id: integer(),
    before: jsonb().$type<Record<string, unknown>>(),
    after: jsonb().$type<Record<string, unknown>>(),
  },
  (row) => [
    index('happenings_subject').on(row.subject_type, row.subject_id, row.id),
    index('happenings_campaign').on(row.campaign_id, row.at, row.id),
    index('happenings_events').on(row.campaign_id, row.at, row.id, row.kind).where(campaignHappening),
    index('happenings_at').on(row.at, row.id),
  ],
)
