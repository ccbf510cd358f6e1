import { msPerDay } from '#contract/days.ts'
import type { EventFact } from '../../server/facts.ts'
import { type LocalInstant, type WhyCampaign, type WhyRange, whyOptions } from './why-campaign.ts'
import { logDropEvidence, logHitsEvidence, logShareEvidence, logSum } from './why-evidence.ts'
import { LeadSeries } from './why-exposure.ts'
import type { WhyLead } from './why-leads.ts'

/**
 * Explains why a campaign is behind: how far its verified leads are below the expectation from its past, where they are missing, and
 * which events could explain it. Nothing here says "caused": an event coincides with a change, and could explain a number of leads.
 *
 * Each kind of event has a mechanism: the leads it can affect, and how. These leads are compared before and after the event, against
 * two controls: campaigns of the same category, and the campaign's own leads that the event cannot affect (difference in differences;
 * see Brodersen et al. 2015 for the limits). The evidence is a Bayes factor against no change; an event whose day explains the change
 * far worse than another day is ruled out. docs/decisions/027-why-controls.md says what was tried and what it brought.
 */

export type WhyCause = {
  event: EventFact
  /** Verified leads that the event could explain, with an 80% range. */
  lost: { low: number; mid: number; high: number }
  /** Natural logarithm of the Bayes factor against no change. */
  evidence: number
  /** What the leads were compared with besides the campaign's own past. */
  control: WhyControl
}
export type WhyAnswer = {
  expected: number
  observed: number
  shortfall: number
  segments: WhySegment[]
  /** At most five, most likely first. */
  causes: WhyCause[]
}

/** `past`: the campaign's own past alone. `own`: rather its other leads than other campaigns of its category. */
export type WhyControl = 'past' | 'category' | 'own'
type Effect = { evidence: number; mid: number; deviation: number; control: WhyControl }

export function explainShortfall(campaign: WhyCampaign, range: WhyRange): WhyAnswer {
  const { expected, observed, segments } = splitShortfall(campaign, range)
  const events = campaign.events.filter(({ at, until }) => {
    const [begins, ends] = [Date.parse(at), until === null ? Number.POSITIVE_INFINITY : Date.parse(until)]
    return begins < range.to.at && ends > range.from.at
  })
  const causes = events.flatMap((event) => assessEvent(campaign, range, event) ?? [])
  return {
    expected,
    observed,
    shortfall: expected - observed,
    segments,
    causes: causes
      .toSorted((a, b) => b.evidence + Math.log(b.lost.mid) - a.evidence - Math.log(a.lost.mid))
      .slice(0, whyOptions.mostCauses),
  }
}

function assessEvent(campaign: WhyCampaign, range: WhyRange, event: EventFact): WhyCause | null {
  const until = event.until === null ? range.to : earlierInstant(campaign.instant(Date.parse(event.until)), range.to)
  const { effect, lastDelay = 0 } = causeMechanisms[event.event]
  // Every way in which the event could have acted: on which leads, and how many days later.
  const ways = listWays(campaign, event).flatMap(({ chance, touches }) => {
    const measure = { drop: measureDrop, hidden: measureHits, missed: measureMissed }[effect](campaign, range, touches)
    return Array.from({ length: lastDelay + 1 }, (_, delay) => {
      const at = campaign.instant(Date.parse(event.at) + delay * msPerDay)
      const measured = at.at < until.at ? measure(at, until) : null
      return { chance: chance / (lastDelay + 1), measure, at, measured }
    })
  })
  const best = ways.filter(({ measured }) => measured !== null).toSorted((a, b) => weigh(b) - weigh(a))[0]
  if (!best?.measured) return null
  // The price of asking several: their chances add up to one.
  const evidence = logSum(ways.map(weigh))
  const { mid, deviation } = best.measured
  if (evidence < whyOptions.leastEvidence[effect] || mid < whyOptions.leastLost) return null
  if (
    effect !== 'hidden' &&
    best.measured.evidence <
      bestOtherDay(campaign, range, best.measure, until.at - best.at.at) - whyOptions.worseThanOtherDay
  )
    return null
  const reach = whyOptions.rangeDeviations * deviation
  return {
    event,
    lost: { low: Math.max(0, mid - reach), mid, high: mid + reach },
    evidence,
    control: best.measured.control,
  }
}

type WeighedWay = { chance: number; measured: Effect | null }
const weigh = ({ chance, measured }: WeighedWay) => Math.log(chance) + (measured?.evidence ?? 0)

type Touches = (lead: WhyLead) => boolean
type EventWay = { chance: number; touches: Touches }

/** Returns the leads that an event could affect, with the chance of each possibility: a note may be about everything, one site or one channel. */
function listWays({ leads }: WhyCampaign, event: EventFact): EventWay[] {
  const whole: Touches = (lead) => causeMechanisms[event.event].touches(event, lead)
  if (event.event !== 'note') return [{ chance: 1, touches: whole }]
  const sites = [...new Set(leads.map(({ site }) => site))]
  const channels = [...new Set(leads.map(({ channel }) => channel))]
  const parts: EventWay[] = [
    ...(sites.length > 1
      ? sites.map((one) => ({ chance: 1 / sites.length, touches: ({ site }: WhyLead) => site === one }))
      : []),
    ...(channels.length > 1
      ? channels.map((one) => ({ chance: 1 / channels.length, touches: ({ channel }: WhyLead) => channel === one }))
      : []),
  ]
  const ways = [{ chance: 1, touches: whole }, ...parts]
  const total = ways.reduce((sum, { chance }) => sum + chance, 0)
  return ways.map((way) => ({ ...way, chance: way.chance / total }))
}

const earlierInstant = (a: LocalInstant, b: LocalInstant) => (a.at <= b.at ? a : b)

type Measure = (at: LocalInstant, until: LocalInstant) => Effect | null

/** Returns the evidence of the day that best explains a change of the same length. */
function bestOtherDay(campaign: WhyCampaign, range: WhyRange, measure: Measure, lasts: number): number {
  let best = Number.NEGATIVE_INFINITY
  const toEnd = whyOptions.openEndMs
  for (let at = range.from.at - 14 * msPerDay; at < range.to.at - 2 * msPerDay; at += msPerDay) {
    const isOpen = at + lasts + toEnd > range.to.at
    const until = isOpen ? range.to : campaign.instant(at + lasts)
    best = Math.max(best, measure(campaign.instant(at), until)?.evidence ?? Number.NEGATIVE_INFINITY)
  }
  return best
}

/** Measures leads that no longer come. */
function measureDrop(campaign: WhyCampaign, range: WhyRange, touches: Touches): Measure {
  const touched = campaign.leads.filter(touches)
  const share = campaign.verifiedShare(touched)
  const part = campaign.shareOf(touched)
  const series = new LeadSeries(touched)
  const others = new LeadSeries(campaign.leads.filter((lead) => !touches(lead)))
  return (at, until) => {
    const counts = campaign.countBeforeAfter(series, at, until)
    if (counts.exposureBefore <= 0 || counts.exposureAfter <= 0) return null
    const spread = campaign.spread((until.at - at.at) / msPerDay, part)
    const common = readOwnControl(campaign, others, spread, at, until)
    const exposureAfter = counts.exposureAfter * common.factor
    const prior = { leads: 0.5, exposure: 0.5 / Math.max(campaign.rate * part, 0.001) }
    const rate = (counts.before + prior.leads) / (counts.exposureBefore + prior.exposure)
    const mean = rate * exposureAfter
    const dispersion = spread.poisson + common.drift * mean
    // The uncertainty of the rate, plus chance in the expected leads.
    const variance =
      mean * spread.poisson + common.drift * mean ** 2 + (mean ** 2 * spread.poisson) / (counts.before + prior.leads)
    // Only losses within the window count; the event may be older.
    const inWindow = until.at > range.from.at ? (until.at - Math.max(at.at, range.from.at)) / (until.at - at.at) : 0
    const missing = (mean - counts.after) * inWindow
    return {
      evidence: logDropEvidence({ ...counts, exposureAfter }, prior, dispersion),
      mid: missing * share,
      deviation: Math.sqrt(variance * inWindow * share ** 2 + Math.max(missing, 0) * share * (1 - share)),
      control: common.control,
    }
  }
}

/**
 * Returns how the campaign's other leads changed at the same time, as far as they tell it: rates drift, and what drifts in all of a
 * campaign is not the event's doing. Two guesses of that drift, none and the other leads' ratio, are weighted by their precision.
 */
function readOwnControl(
  campaign: WhyCampaign,
  others: LeadSeries,
  { poisson, drift }: { poisson: number; drift: number },
  at: LocalInstant,
  until: LocalInstant,
): { factor: number; drift: number; control: WhyControl } {
  const { before, exposureBefore, after, exposureAfter } = campaign.countBeforeAfter(others, at, until)
  const common = drift * whyOptions.commonDrift
  const expected = (before / Math.max(exposureBefore, 1e-9)) * exposureAfter
  if (before < 5 || expected < 1) return { factor: 1, drift, control: 'category' }
  const noise = poisson / expected + poisson / before
  const weight = common / (common + noise)
  const ratio = Math.log((after + 1) / (expected + 1))
  return {
    factor: Math.exp(weight * ratio),
    drift: drift - common + common * (1 - weight),
    control: weight > 0.5 ? 'own' : 'category',
  }
}

/** Measures leads that a keyword hides and that would have been verified. */
function measureHits(campaign: WhyCampaign, range: WhyRange, touches: Touches): Measure {
  return (at, until) => {
    const isIn = (lead: WhyLead) => lead.at >= Math.max(at.at, range.from.at) && lead.at < until.at
    const hits = campaign.leads.filter((lead) => isIn(lead) && touches(lead) && !lead.isVerified)
    if (hits.length === 0) return null
    const rest = campaign.leads.filter((lead) => !touches(lead))
    const counts = campaign.countBeforeAfter(new LeadSeries(campaign.leads), at, until)
    const share = campaign.verifiedShare(campaign.leads.filter((lead) => lead.at < at.at))
    const good = hits.length * share
    const came = rest.filter(isIn).reduce((sum, lead) => sum + campaign.goodness(lead), 0)
    const all = counts.after * share
    // Compared to the leads that came, not to the expected ones, because other mechanisms explain leads that did not come.
    const deviation = Math.sqrt(counts.after * share * (1 - share) + (all * share) / Math.max(counts.before, 1) + 1)
    const evidence = logHitsEvidence(good, all - came, deviation)
    const part = Math.min(1, Math.max(0, (all - came) / Math.max(good, 1e-9)))
    return {
      evidence: evidence + whyOptions.hitsPrior,
      mid: good * (0.7 + 0.3 * part),
      deviation: Math.sqrt(hits.length * share * (1 - share) + (0.1 * good) ** 2),
      control: 'past',
    }
  }
}

/** Measures calls missed since the event. */
function measureMissed(campaign: WhyCampaign, range: WhyRange, touches: Touches): Measure {
  const calls = campaign.leads.filter((lead) => touches(lead) && lead.hiddenBy === null)
  const all = new LeadSeries(calls)
  const missed = new LeadSeries(calls.filter(({ isMissed, isVerified }) => isMissed && !isVerified))
  const count = (from: number, to: number) => ({ hits: missed.count(from, to), of: all.count(from, to) })
  return (at, until) => {
    const before = count(at.at - whyOptions.beforeDays * msPerDay, at.at)
    const after = count(at.at, until.at)
    if (before.of === 0 || after.of === 0) return null
    const usual = (before.hits + 1) / (before.of + 10)
    const inWindow = count(Math.max(at.at, range.from.at), until.at)
    const more = Math.max(0, inWindow.hits - usual * inWindow.of)
    const reached = calls.filter((lead) => lead.at < at.at && !lead.isMissed)
    const share = campaign.verifiedShare(reached)
    const noise = inWindow.of * usual * (1 - usual) + (inWindow.of ** 2 * usual * (1 - usual)) / before.of
    return {
      evidence: logShareEvidence(before, after, whyOptions.missedDispersion),
      mid: more * share,
      deviation: Math.sqrt(noise * share ** 2 + more * share * (1 - share)),
      control: 'past',
    }
  }
}

type WhySegment = {
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
function splitShortfall(
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

/** How an event can affect leads: fewer come, they are hidden, or calls are missed. */
type CauseMechanism = {
  effect: 'drop' | 'hidden' | 'missed'
  /** Whether the event could affect a lead like this one. */
  touches: (event: EventFact, lead: WhyLead) => boolean
  /** The most days that may pass before it acts. */
  lastDelay?: number
}

const isOfSite = ({ site }: EventFact, lead: WhyLead) => site === null || site === lead.site
const isOrganic = (event: EventFact, lead: WhyLead) => isOfSite(event, lead) && lead.channel === 'Google Organic'

const causeMechanisms: Record<EventFact['event'], CauseMechanism> = {
  // Calls from Google Maps go on, because a listing does not need the site.
  site_offline: {
    effect: 'drop',
    touches: (event, lead) => isOfSite(event, lead) && (lead.type === 'Form' || lead.channel !== 'Google Maps'),
  },
  listing_suspended: {
    effect: 'drop',
    touches: (event, lead) => isOfSite(event, lead) && lead.channel === 'Google Maps',
  },
  link_lost: { effect: 'drop', touches: isOrganic, lastDelay: 4 },
  redirect_broken: { effect: 'drop', touches: isOrganic, lastDelay: 4 },
  note: { effect: 'drop', touches: () => true },
  keyword_added: { effect: 'hidden', touches: (event, lead) => lead.hiddenBy === event.title },
  hours_edited: { effect: 'missed', touches: (_, lead) => lead.type === 'Call' },
}
