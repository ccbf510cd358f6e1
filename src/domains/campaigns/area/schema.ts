import { index, integer, jsonb, pgTable, point, text } from 'drizzle-orm/pg-core'
import { instant, now } from '#core/db/columns.ts'
import { campaigns } from '../schema.ts'
import type { Point } from './polygon.ts'

/** Where a campaign serves. An area that was removed keeps its row without points, so that its version goes on counting. */
export const campaignAreas = pgTable('campaign_areas', {
  campaign_id: integer()
    .primaryKey()
    .references(() => campaigns.id, { onDelete: 'cascade' }),
  points: jsonb().$type<Point[]>().notNull(),
  version: integer().notNull().default(1),
  created_at: now(),
  updated_at: instant(),
})

/** The US ZIP codes, from GeoNames; `centre` is longitude, latitude. Filled by `zip-codes.ts`. */
export const zipCodes = pgTable(
  'zip_codes',
  {
    zip: text().primaryKey(),
    city: text().notNull(),
    state: text().notNull(),
    centre: point({ mode: 'xy' }).notNull(),
  },
  (code) => [index('zip_codes_centre').using('gist', code.centre)],
)
