import { inArray } from 'drizzle-orm'
import type { CalendarDay } from '#contract/days.ts'
import type { DbOrTx } from '#core/db/db.ts'
import { toWallClock } from '#core/time/local-time.ts'
import type { campaignsTable } from '#domains/campaigns/schema.ts'
import { type BillingTerms, billingTermsSchema, type CampaignTerms, type StoredTerms } from '../contract.ts'
import { defaultDisputeDays } from '../labels.ts'
import { campaignTermsTable } from '../schema.ts'

/** The campaign fields that default terms are derived from. */
type TermsCampaign = Pick<typeof campaignsTable.$inferSelect, 'id' | 'start_date' | 'service_fee' | 'created_at'>

/** Returns the stored terms of each campaign that has any. */
export async function readStoredTerms(db: DbOrTx, campaignIds: number[]): Promise<Map<number, StoredTerms>> {
  const rows = await db.select().from(campaignTermsTable).where(inArray(campaignTermsTable.campaign_id, campaignIds))
  // Parsed, because PostgreSQL does not keep the key order of JSON.
  return new Map(
    rows.map(({ campaign_id, terms, version }) => [
      campaign_id,
      { terms: terms.map((one) => billingTermsSchema.parse(one)), version },
    ]),
  )
}

/** Returns what a form shows: the stored terms, or else the default terms. */
export function toCampaignTerms(campaign: TermsCampaign, stored: StoredTerms | undefined, zone: string): CampaignTerms {
  const terms = stored?.terms ?? []
  return {
    terms: terms.length > 0 ? terms : [buildDefaultTerms(campaign, zone)],
    version: stored?.version ?? 1,
    service_fee: campaign.service_fee,
  }
}

/** Returns the terms of a day, or else the service fee. */
export const findTerms = (
  campaign: TermsCampaign,
  stored: BillingTerms[],
  day: CalendarDay,
  zone: string,
): BillingTerms => stored.find((terms) => isInForce(terms, day)) ?? buildDefaultTerms(campaign, zone)

export const isInForce = ({ from, to }: BillingTerms, day: CalendarDay): boolean =>
  from <= day && (to === null || day <= to)

const buildDefaultTerms = (campaign: TermsCampaign, zone: string): BillingTerms => ({
  from: getFirstDay(campaign, zone),
  to: null,
  kind: 'flat',
  fee: campaign.service_fee,
  prices: { Form: 0, Call: 0 },
  included: 0,
  cap: null,
  dispute_days: defaultDisputeDays,
})

/** Returns the start day of a campaign; by default the day, in the agency's zone, on which it was created. */
export const getFirstDay = ({ start_date, created_at }: TermsCampaign, zone: string): CalendarDay =>
  start_date ?? toWallClock(created_at, zone).day
