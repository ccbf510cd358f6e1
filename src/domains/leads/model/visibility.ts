import { and, type SQL } from 'drizzle-orm'
import { type CurrentUser, inVisibleCampaigns } from '#domains/access/public.ts'
import { isShownTest } from '../filters.ts'
import { facetCondition } from './facets.ts'
import { leadsTable } from './schema.ts'

/** The leads that this person may see at all: those of their campaigns, and hidden ones only for admins. */
export const visibleLeadsCondition = (me: CurrentUser): SQL | undefined =>
  and(inVisibleCampaigns(me, leadsTable.campaign_id), notHiddenCondition(me))

/** The second half alone, where the campaigns are theirs already. */
export const notHiddenCondition = (me: Pick<CurrentUser, 'isAdmin'>): SQL | undefined =>
  me.isAdmin ? undefined : facetCondition(isShownTest)

/** The same rule for a lead that is at hand. */
export function canSeeLead(me: CurrentUser, lead: { campaign_id: number; hide: boolean }): boolean {
  const theirs = me.campaignIds === null || me.campaignIds.includes(lead.campaign_id)
  return theirs && (me.isAdmin || !lead.hide)
}
