import { type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import type { CurrentUser } from './current-user.ts'

/**
 * Rows of the campaigns that this person may see. Super admins see every row; others never see rows without a campaign,
 * because null equals nothing.
 */
export function inVisibleCampaigns(me: CurrentUser, campaignId: AnyPgColumn | SQL): SQL | undefined {
  return me.campaignIds === null ? undefined : sql`${campaignId} = any(${sql.param(me.campaignIds)}::int[])`
}

/** Clients that this person may see: those with one of their campaigns, and those without a campaign. */
export function inVisibleClients(me: CurrentUser, clientId: AnyPgColumn | SQL): SQL | undefined {
  const theirs = inVisibleCampaigns(me, sql`signed.id`)
  return (
    theirs &&
    sql`(select coalesce(bool_or(${theirs}), true) from ${campaignsTable} signed where signed.client_id = ${clientId})`
  )
}
