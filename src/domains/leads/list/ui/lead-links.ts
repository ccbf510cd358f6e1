import type { CurrentUser } from '#domains/access/sign-in/contract.ts'
import { leads } from '#domains/leads/contract.ts'

/** Which of the counted leads. */
export type Series = 'confirmed' | 'missed'
type Which = { from: string; to: string; campaignIds: readonly number[] | null }

/**
 * The address of the Leads list that shows exactly what was counted; null for who may not open it. Without campaigns it is all
 * of them, which for a super admin are not all leads: those that matched no campaign are not counted.
 */
export function leadsAt(me: CurrentUser, { from, to, campaignIds }: Which, series: Series): string | null {
  if (!leads.list.allow(me)) return null
  // Put together by hand: a table asks for thousands of them, and none of these words needs to be escaped.
  const campaigns = campaignIds ? `&campaign_ids=${campaignIds.join()}` : me.isSuperAdmin ? '&has_campaign=1' : ''
  return `/leads?date_from=${from}&date_to=${to}${campaigns}&${series}=1`
}
