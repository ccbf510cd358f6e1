import { and, type SQL } from 'drizzle-orm'
import { type CurrentUser, inVisibleCampaigns } from '#domains/access/public.ts'
import { isShownTest } from '../filters.ts'
import { facetCondition } from './facets.ts'
import { leadsTable } from './schema.ts'

/** Matches the leads that this person may see: those of their campaigns, hidden ones only for admins. */
export const visibleLeadsCondition = (me: CurrentUser): SQL | undefined =>
  and(inVisibleCampaigns(me, leadsTable.campaign_id), notHiddenCondition(me))

/** Only the second half, for queries that are already limited to the person's campaigns. */
export const notHiddenCondition = (me: Pick<CurrentUser, 'isAdmin'>): SQL | undefined =>
  me.isAdmin ? undefined : facetCondition(isShownTest)

/** Applies the same rule to a loaded lead. */
export function canSeeLead(me: CurrentUser, lead: { campaign_id: number; hide: boolean }): boolean {
  const theirs = me.campaignIds === null || me.campaignIds.includes(lead.campaign_id)
  return theirs && (me.isAdmin || !lead.hide)
}
