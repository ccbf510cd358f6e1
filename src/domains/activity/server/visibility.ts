import { and, isNotNull, isNull, or, type SQL } from 'drizzle-orm'
import { type CurrentUser, inVisibleCampaigns } from '#domains/access/public.ts'
import { activityItemsTable } from '../schema.ts'

/** Items that this person may see: those of their campaigns and of every team, except deleted ones. */
export function buildVisibleItemsFilter(me: CurrentUser): SQL | undefined {
  const theirs = inVisibleCampaigns(me, activityItemsTable.campaign_id)
  return and(isNull(activityItemsTable.deleted_at), theirs && or(isNotNull(activityItemsTable.team_id), theirs))
}
