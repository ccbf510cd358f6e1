import { fitSpread, spreadFor } from '../../server/count-spread.ts'
import type { AgencyFacts, EventFact } from '../../server/facts.ts'
import { type ForecastHistory, weekdayOf } from '../../server/forecast-facts.ts'
import { fitVerdictModel, pendingChance, verifiedShare } from '../../server/forecast-model.ts'
import { fitWeekdays } from '../../server/lead-rates.ts'
import { WhyCampaign, type WhyRange } from './why-campaign.ts'
import { fitControl, fitHours, SourceExposure } from './why-exposure.ts'
import { createClockReader, readWhyLeads, type WhyLead } from './why-leads.ts'

const historyDays = 240

/** Fits what all campaigns share to the facts known at the end of the window; the result builds single campaigns on demand. */
export function prepareWhy(facts: AgencyFacts, window: { from: number; to: number }, timeZone: string) {
  const clock = createClockReader(timeZone)
  const instant = (at: number) => ({ at, ...clock(at) })
  const range: WhyRange = { from: instant(window.from), to: instant(window.to) }
  const offlineDays = readOfflineDays(facts, window.to, clock)
  const leadsOf = readWhyLeads(facts, window.to, clock)
  const events = Map.groupBy(readKnownEvents(facts, window.to), ({ campaign }) => campaign)
  const histories = readHistories(facts, leadsOf, window.to)
  const firstDay = range.from.day - historyDays
  const weekdays = fitWeekdays(histories, window.to, range.to.day)
  const spread = fitSpread(histories, { asOf: window.from, today: range.from.day, weekdays })
  const hours = fitHours([...leadsOf.values()].flat())
  const days = facts.campaigns.map(({ id, category }) => {
    const counts = new Float64Array(range.to.day - firstDay)
    for (const { day } of leadsOf.get(id)!) if (day >= firstDay && day < range.to.day) counts[day - firstDay]! += 1
    return { id, category, counts }
  })
  const chances = nowcastWaiting(histories, leadsOf, window.to)
  const goodness = (lead: WhyLead): number => chances.get(lead) ?? Number(lead.isVerified)
  const everyLead = [...leadsOf.values()].flat()
  const agencyShare = (everyLead.reduce((sum, lead) => sum + goodness(lead), 0) + 6) / (everyLead.length + 10)
  /** `mayRead` selects the events that the reader may see; others are ignored. */
  const campaign = (id: number, mayRead: (event: EventFact) => boolean = () => true): WhyCampaign => {
    // A campaign created after the facts were read has no leads yet.
    const own = days.find((one) => one.id === id) ?? {
      id,
      category: '',
      counts: new Float64Array(range.to.day - firstDay),
    }
    const leads = (leadsOf.get(id) ?? []).filter(({ day }) => day >= firstDay && !offlineDays.has(day))
    const control = fitControl(own, days, weekdays, firstDay)
    const exposure = new SourceExposure(
      firstDay,
      control.map((factor, day) =>
        isBefore(leads, firstDay + day) || offlineDays.has(firstDay + day)
          ? 0
          : factor * weekdays[weekdayOf(firstDay + day)]!,
      ),
      hours,
    )
    const whole = exposure.until(range.to.day)
    return new WhyCampaign({
      leads,
      events: (events.get(id) ?? []).filter(mayRead),
      exposure,
      instant,
      rate: leads.length / Math.max(whole, 1),
      goodness,
      agencyShare,
      spreadAt: (length) => spreadFor({ spread }, length),
    })
  }
  return { range, campaign }
}

/**
 * Returns the chance of each waiting lead to be verified, with the forecast's nowcast. Fitted only to leads that are
 * neither hidden nor missed, because waiting leads are neither.
 */
function nowcastWaiting(
  histories: readonly ForecastHistory[],
  leadsOf: ReadonlyMap<number, readonly WhyLead[]>,
  asOf: number,
): Map<WhyLead, number> {
  const peers = histories.map((history) => {
    const leads = leadsOf.get(history.id)!
    return { ...history, leads: history.leads.filter((_, index) => isJudgable(leads[index]!)) }
  })
  const model = fitVerdictModel(peers, asOf)
  const chances = new Map<WhyLead, number>()
  for (const history of peers) {
    const leads = leadsOf.get(history.id)!.filter(isJudgable)
    const shares = { Call: verifiedShare(model, history, 'Call'), Form: verifiedShare(model, history, 'Form') }
    for (const [index, lead] of leads.entries())
      if (lead.isWaiting) chances.set(lead, pendingChance(model, history.leads[index]!, shares[lead.type].share))
  }
  return chances
}
const isJudgable = ({ hiddenBy, isMissed }: WhyLead) => hiddenBy === null && !isMissed

/** Returns the days on which Leadline was offline: they do not count, neither what came nor what was expected. */
function readOfflineDays(
  { offline }: AgencyFacts,
  asOf: number,
  clock: (at: number) => { day: number },
): ReadonlySet<number> {
  const days = new Set<number>()
  for (const { at, until } of offline) {
    const last = clock(Math.min(asOf, until === null ? asOf : Date.parse(until))).day
    for (let { day } = clock(Date.parse(at)); day <= last; day++) days.add(day)
  }
  return days
}

/** A campaign cannot miss leads before its first lead. */
const isBefore = (leads: readonly WhyLead[], day: number) => day < (leads[0]?.day ?? Number.POSITIVE_INFINITY)

/** Returns events up to the end of the window, without later end times, which were not known yet. */
const readKnownEvents = ({ events }: AgencyFacts, asOf: number): EventFact[] =>
  events
    .filter(({ at }) => Date.parse(at) <= asOf)
    .map((event) => (event.until !== null && Date.parse(event.until) > asOf ? { ...event, until: null } : event))

function readHistories(facts: AgencyFacts, leadsOf: Map<number, WhyLead[]>, asOf: number): ForecastHistory[] {
  const verdicts = Map.groupBy(facts.leads, ({ campaign }) => campaign)
  return facts.campaigns.map(({ id, category }) => {
    const days = leadsOf.get(id)!
    const known = (verdicts.get(id) ?? []).slice(0, days.length)
    return {
      id,
      category,
      startDay: null,
      leads: known.map((lead, index) => ({
        at: Date.parse(lead.at),
        day: days[index]!.day,
        type: lead.type,
        verifiedAt:
          lead.verified_at === null || Date.parse(lead.verified_at) > asOf ? null : Date.parse(lead.verified_at),
        judgedAt: lead.judged_at ? Date.parse(lead.judged_at) : lead.judged_at === null ? null : undefined,
      })),
    }
  })
}
