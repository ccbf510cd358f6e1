import type { CurrentUserDto } from '#domains/access/sign-in/contract.ts'
import { leadsContract } from '#domains/leads/contract.ts'

/** Which of the counted leads. */
export type LeadSeries = 'confirmed' | 'missed'
type LeadsUrlOptions = { from: string; to: string; campaignIds: readonly number[] | null }

/**
 * The address of the Leads list that shows exactly what was counted; null for who may not open it. Without campaigns it is all
 * of them, which for a super admin are not all leads: those that matched no campaign are not counted.
 */
export function buildLeadsUrl(
  me: CurrentUserDto,
  { from, to, campaignIds }: LeadsUrlOptions,
  series: LeadSeries | 'unmarked',
): string | null {
  if (!leadsContract.list.allow(me)) return null
  // Put together by hand: a table asks for thousands of them, and none of these words needs to be escaped.
  const campaigns = campaignIds ? `&campaign_ids=${campaignIds.join()}` : me.isSuperAdmin ? '&has_campaign=1' : ''
  return `/leads?date_from=${from}&date_to=${to}${campaigns}&${series}=1`
}
