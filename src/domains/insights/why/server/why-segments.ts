import type { WhyCampaign, WhyRange } from './why-campaign.ts'
import { LeadSeries } from './why-exposure.ts'
import type { WhyLead } from './why-leads.ts'

export type WhySegment = {
  site: number | null
  type: WhyLead['type']
  channel: string
  /** Null: leads that did not come or were rejected. */
  inner: 'waiting' | 'hidden' | 'missed' | null
  /** Verified leads; negative if there are more than expected. */
  lost: number
}

/** The weight of the past rate, in leads. */
const priorLeads = 2

/**
 * Returns the verified leads observed in the window, those expected from earlier rates, and the shortfall by site, type
 * and source. Unusually many waiting, hidden or missed leads are separate parts; all parts add up to the shortfall.
 */
export function splitShortfall(
  campaign: WhyCampaign,
  range: WhyRange,
): { expected: number; observed: number; segments: WhySegment[] } {
  const key = ({ site, type, channel }: WhyLead) => JSON.stringify([site, type, channel])
  const segments: WhySegment[] = []
  let [expected, observed] = [0, 0]
  const exposure = campaign.exposureBetween(range.from, range.to)
  for (const leads of Map.groupBy(campaign.leads, key).values()) {
    const { site, type, channel } = leads[0]!
    const past = campaign.countBeforeAfter(new LeadSeries(leads), range.from, range.to)
    const inWindow = leads.filter(({ at }) => at >= range.from.at && at < range.to.at)
    const before = leads.filter(({ at }) => at < range.from.at)
    const prior = campaign.rate * campaign.shareOf(leads)
    const rate = (past.before + priorLeads) / (past.exposureBefore + priorLeads / Math.max(prior, 1e-6))
    const share = campaign.verifiedShare(before)
    const expectedHere = rate * exposure * share
    const verified = inWindow.filter(({ isVerified }) => isVerified).length
    const waiting = inWindow.reduce((sum, lead) => sum + (lead.isWaiting ? campaign.goodness(lead) : 0), 0)
    const more = (is: (lead: WhyLead) => boolean) => {
      const usual = (before.filter(is).length + 0.5) / (before.length + 10)
      return (inWindow.filter(is).length - usual * inWindow.length) * share
    }
    const hidden = more((lead) => lead.hiddenBy !== null && !lead.isVerified)
    const missed = more((lead) => lead.hiddenBy === null && lead.isMissed && !lead.isVerified)
    const rest = expectedHere - verified - waiting - hidden - missed
    for (const [inner, lost] of [
      ['waiting', waiting],
      ['hidden', hidden],
      ['missed', missed],
      [null, rest],
    ] as const)
      if (lost !== 0) segments.push({ site, type, channel, inner, lost })
    expected += expectedHere
    observed += verified
  }
  return { expected, observed, segments: segments.toSorted((a, b) => b.lost - a.lost) }
}
