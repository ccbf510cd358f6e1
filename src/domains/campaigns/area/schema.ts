import { index, integer, jsonb, pgTable, point, text } from 'drizzle-orm/pg-core'
import { timestampColumn, timestampNowColumn } from '#core/db/columns.ts'
import { campaignsTable } from '../schema.ts'
import type { GeoPoint } from './polygon.ts'

/** The service areas of campaigns. A removed area keeps its row without points, so that its version keeps counting. */
export const campaignAreasTable = pgTable('campaign_areas', {
  campaign_id: integer()
    .primaryKey()
    .references(() => campaignsTable.id, { onDelete: 'cascade' }),
  points: jsonb().$type<GeoPoint[]>().notNull(),
  version: integer().notNull().default(1),
  created_at: timestampNowColumn(),
  updated_at: timestampColumn(),
})

/** The US ZIP codes, from GeoNames; `centre` is longitude, latitude. Filled by `zip-codes.ts`. */
export const zipCodesTable = pgTable(
  'zip_codes',
  {
    zip: text().primaryKey(),
    city: text().notNull(),
    state: text().notNull(),
    centre: point({ mode: 'xy' }).notNull(),
  },
  (code) => [index('zip_codes_centre').using('gist', code.centre)],
)
