import { and, eq, sql } from 'drizzle-orm'
import { type CalendarDay, getToday } from '#contract/days.ts'
import type { DbOrTx } from '#core/db/db.ts'
import { toWallClock } from '#core/time/local-time.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { campaignTermsTable } from '#domains/campaigns/terms/schema.ts'
import { toCents } from '../../cents.ts'
import { billedColumns } from './billed-campaigns.ts'
import type { StatementDays } from './billing-cycles.ts'
import { computeCharges } from './compute-ledger.ts'
import { pickLeads, readCampaignCycles, readVerifiedLeads } from './read-ledgers.ts'

/** A campaign whose charges of the running cycle have reached the cap of its terms. */
export type ReachedCap = {
  campaign: { id: number; name: string }
  /** In dollars. */
  cap: number
  cycle: StatementDays
  /** The day of the lead that reached it; the first day of the cycle if the fee does. */
  reached_on: CalendarDay
  /** Later leads, which are not billed. */
  unbilled: number
}

/** Returns the active campaigns whose running cycle has reached its cap: a fixed number of queries, whatever their number. */
export async function readReachedCaps(db: DbOrTx, zone: string, now: Date): Promise<ReachedCap[]> {
  const campaigns = await db
    .select(billedColumns)
    .from(campaignsTable)
    .innerJoin(campaignTermsTable, eq(campaignTermsTable.campaign_id, campaignsTable.id))
    .where(
      and(
        eq(campaignsTable.archived, false),
        sql`jsonb_path_exists(${campaignTermsTable.terms}, '$[*].cap ? (@ != null)')`,
      ),
    )
    .orderBy(campaignsTable.id)
  if (campaigns.length === 0) return []
  const capped = (await readCampaignCycles(db, campaigns, zone, getToday(zone, now))).flatMap((one) => {
    const running = one.cycles.at(-1)
    const cap = running?.terms.cap ?? null
    return running && cap !== null ? [{ ...one, running, cap, needed: new Set([running.from]) }] : []
  })
  const leads = Map.groupBy(await readVerifiedLeads(db, capped, zone), ({ campaign_id }) => campaign_id)
  return capped.flatMap(({ campaign, running, cap }) => {
    const { terms, from, to } = running
    const picked = pickLeads(leads.get(campaign.id) ?? [], running, zone)
    const own = picked.filter(({ hidden }) => !hidden)
    // Whether a lead is disputed changes the words of its charge, not the amount.
    const charges = computeCharges(
      terms,
      own.map((lead) => ({ ...lead, disputed: false })),
    )
    const reaching = charges.find(createReachTest(toCents(cap)))
    if (!reaching) return []
    const lead = own.find(({ id }) => id === reaching.lead_id)
    return {
      campaign: { id: campaign.id, name: campaign.name },
      cap,
      cycle: { from, to },
      reached_on: lead ? toWallClock(lead.at, zone).day : from,
      unbilled: charges.filter(({ standing }) => standing === 'over_cap').length,
    }
  })
}

/** Returns a test that becomes true with the charge that reaches the cap. */
function createReachTest(cap: number) {
  let spent = 0
  return ({ cents }: { cents: number }) => {
    spent += cents
    return spent >= cap
  }
}
