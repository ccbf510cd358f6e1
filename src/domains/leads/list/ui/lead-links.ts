import type { CurrentUserDto } from '#domains/access/sign-in/contract.ts'
import { leadsContract } from '#domains/leads/contract.ts'

/** A series of counted leads. */
export type LeadSeries = 'confirmed' | 'missed'
type LeadsUrlOptions = { from: string; to: string; campaignIds: readonly number[] | null }

/**
 * Returns the URL of the leads list that shows exactly the counted leads; null for people who may not open it. `campaignIds` null
 * is all campaigns: a super admin also sees leads without a campaign, which are not counted and are left out.
 */
export function buildLeadsUrl(
  me: CurrentUserDto,
  { from, to, campaignIds }: LeadsUrlOptions,
  series: LeadSeries | 'unmarked',
): string | null {
  if (!leadsContract.list.allow(me)) return null
  // Concatenated for speed: a table needs thousands of URLs, and nothing here needs escaping.
  const campaigns = campaignIds ? `&campaign_ids=${campaignIds.join()}` : me.isSuperAdmin ? '&has_campaign=1' : ''
  return `/leads?date_from=${from}&date_to=${to}${campaigns}&${series}=1`
}
