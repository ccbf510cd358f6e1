import { and, isNotNull, isNull, or, type SQL } from 'drizzle-orm'
import type { Me } from '#domains/access/server/current-user.ts'
import { inTheirCampaigns } from '#domains/access/server/row-scope.ts'
import { activityItems } from '../schema.ts'

/** Items that this person may see: those of their campaigns, and those of every team. Deleted ones nobody sees. */
export function visibleItems(me: Me): SQL | undefined {
  const theirs = inTheirCampaigns(me, activityItems.campaign_id)
  return and(isNull(activityItems.deleted_at), theirs && or(isNotNull(activityItems.team_id), theirs))
}
