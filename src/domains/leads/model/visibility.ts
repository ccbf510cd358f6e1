import { and, type SQL } from 'drizzle-orm'
import type { Me } from '#domains/access/server/current-user.ts'
import { inTheirCampaigns } from '#domains/access/server/row-scope.ts'
import { condition, isShown } from './facets.ts'
import { leads } from './schema.ts'

/** The leads that this person may see at all: those of their campaigns, and hidden ones only for admins. */
export const visibleTo = (me: Me): SQL | undefined => and(inTheirCampaigns(me, leads.campaign_id), notHiddenFrom(me))

/** The second half alone, where the campaigns are theirs already. */
export const notHiddenFrom = (me: Me): SQL | undefined => (me.isAdmin ? undefined : condition(isShown))

/** The same rule for a lead that is at hand. */
export function sees(me: Me, lead: { campaign_id: number; hide: boolean }): boolean {
  const theirs = me.campaignIds === null || me.campaignIds.includes(lead.campaign_id)
  return theirs && (me.isAdmin || !lead.hide)
}
