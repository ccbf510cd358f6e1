import { type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { Me } from './me.ts'

/**
 * Rows of the campaigns that this person may see. Super admins see every row, also those without a campaign; nobody
 * else sees the latter, because null equals nothing.
 */
export function inTheirCampaigns(me: Me, campaignId: AnyPgColumn | SQL): SQL | undefined {
  return me.campaignIds === null ? undefined : sql`${campaignId} = any(${sql.param(me.campaignIds)}::int[])`
}
