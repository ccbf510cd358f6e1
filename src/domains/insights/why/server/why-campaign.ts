import { msPerDay } from '#contract/days.ts'
import type { EventFact } from '../../server/facts.ts'
import type { BeforeAfter } from './why-evidence.ts'
import { type LeadSeries, recencyWeight, type SourceExposure } from './why-exposure.ts'
import type { WhyLead } from './why-leads.ts'

/** An instant with the agency's day (days since 1970) and the elapsed part of that day. */
export type LocalInstant = { at: number; day: number; part: number }
/** The requested window, from the start of a day to the end of one. */
export type WhyRange = { from: LocalInstant; to: LocalInstant }

export const whyOptions = {
  /** Days before a change that count as its history. */
  beforeDays: 120,
  mostCauses: 5,
  leastEvidence: { drop: 0.8, hidden: 1.5, missed: 2.5 },
  leastLost: 2,
  /** How much better another day may explain a change, as a logarithm. */
  worseThanOtherDay: 4,
  /** The part of a rate's drift that all leads of a campaign share. */
  commonDrift: 0.9,
  hitsPrior: 2,
  missedDispersion: 1.3,
  rangeDeviations: 1.28,
  openEndMs: 2 * msPerDay,
}

type CampaignParts = {
  leads: readonly WhyLead[]
  events: readonly EventFact[]
  exposure: SourceExposure
  instant: (at: number) => LocalInstant
  /** Leads per day of average exposure. */
  rate: number
  /** Returns the chance that a lead is verified in the end: 1 once it is, 0 once it is hidden, missed or rejected. */
  goodness: (lead: WhyLead) => number
  /** The agency's verified share, for campaigns with few leads of their own. */
  agencyShare: number
  spreadAt: (days: number) => { poisson: number; drift: number }
}

/** One campaign's leads, their expectation, and the spread of its counts. */
export class WhyCampaign {
  readonly leads: readonly WhyLead[]
  readonly events: readonly EventFact[]
  readonly instant: CampaignParts['instant']
  readonly rate: number
  readonly goodness: CampaignParts['goodness']
  readonly exposure: SourceExposure
  readonly #agencyShare: number
  readonly #spreadAt: CampaignParts['spreadAt']

  constructor(parts: CampaignParts) {
    this.leads = parts.leads
    this.events = parts.events
    this.instant = parts.instant
    this.rate = parts.rate
    this.goodness = parts.goodness
    this.exposure = parts.exposure
    this.#agencyShare = parts.agencyShare
    this.#spreadAt = parts.spreadAt
  }

  exposureBetween(from: LocalInstant, to: LocalInstant): number {
    return this.exposure.until(to.day, to.part) - this.exposure.until(from.day, from.part)
  }

  /** Returns the leads before a change, weighted less with age, and those from the change to its end. */
  countBeforeAfter(series: LeadSeries, at: LocalInstant, until: LocalInstant): BeforeAfter {
    const first = at.day - whyOptions.beforeDays
    const now = recencyWeight(at.day)
    return {
      before: series.weighted(at.at - whyOptions.beforeDays * msPerDay, at.at) / now,
      exposureBefore: this.exposure.weightedBetween(first, at.day) / now + this.exposureBetween({ ...at, part: 0 }, at),
      after: series.count(at.at, until.at),
      exposureAfter: this.exposureBetween(at, until),
    }
  }

  /** Returns the share of these leads that is or will be verified, pooled with the agency's. */
  verifiedShare(leads: readonly WhyLead[]): number {
    const good = leads.reduce((sum, lead) => sum + this.goodness(lead), 0)
    return (good + 12 * this.#agencyShare) / (leads.length + 12)
  }

  /** Returns the share of these leads among all of the campaign's. */
  shareOf(leads: readonly WhyLead[]): number {
    return this.leads.length === 0 ? 0 : leads.length / this.leads.length
  }

  /** Returns the variance of a count over this many days, for a share of the leads: mean x `poisson` + mean squared x `drift`. */
  spread(days: number, share: number): { poisson: number; drift: number } {
    const { poisson, drift } = this.#spreadAt(days)
    return { poisson: 1 + Math.max(0, poisson - 1) * share, drift }
  }
}
