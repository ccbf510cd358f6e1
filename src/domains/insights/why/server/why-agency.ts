import { fitSpread, spreadFor } from '../../server/count-spread.ts'
import type { AgencyFacts, EventFact } from '../../server/facts.ts'
import { type ForecastHistory, weekdayOf } from '../../server/forecast-facts.ts'
import { fitWeekdays } from '../../server/lead-rates.ts'
import { curveAt, fitDelays } from '../../server/verdict-delays.ts'
import { WhyCampaign, type WhyRange } from './why-campaign.ts'
import { fitControl, fitHours, SourceExposure } from './why-exposure.ts'
import { createClockReader, readWhyLeads, type WhyLead } from './why-leads.ts'

const historyDays = 240

/** What all campaigns share, fitted to what was known at the end of the window; then each campaign on demand. */
export function prepareWhy(facts: AgencyFacts, window: { from: number; to: number }, timeZone: string) {
  const clock = createClockReader(timeZone)
  const instant = (at: number) => ({ at, ...clock(at) })
  const range: WhyRange = { from: instant(window.from), to: instant(window.to) }
  const leadsOf = readWhyLeads(facts, window.to, clock)
  const events = Map.groupBy(readKnownEvents(facts, window.to), ({ campaign }) => campaign)
  const histories = readHistories(facts, leadsOf, window.to)
  const firstDay = range.from.day - historyDays
  const weekdays = fitWeekdays(histories, window.to, range.to.day)
  const delays = {
    Call: fitDelays(histories, window.to, 'Call').verified,
    Form: fitDelays(histories, window.to, 'Form').verified,
  }
  const spread = fitSpread(histories, { asOf: window.from, today: range.from.day, weekdays })
  const hours = fitHours([...leadsOf.values()].flat())
  const days = facts.campaigns.map(({ id, category }) => {
    const counts = new Float64Array(range.to.day - firstDay)
    for (const { day } of leadsOf.get(id)!) if (day >= firstDay && day < range.to.day) counts[day - firstDay]! += 1
    return { id, category, counts }
  })
  const goodness = ({ isVerified, isWaiting, type, at }: WhyLead): number => {
    if (isVerified || !isWaiting) return Number(isVerified)
    const byNow = curveAt(delays[type], window.to - at)
    return Math.max(0, (delays[type].at(-1)! - byNow) / Math.max(1 - byNow, 0.01))
  }
  const everyLead = [...leadsOf.values()].flat()
  const agencyShare = (everyLead.reduce((sum, lead) => sum + goodness(lead), 0) + 6) / (everyLead.length + 10)
  /** `mayRead`: events that are told; the others neither count nor are named. */
  const campaign = (id: number, mayRead: (event: EventFact) => boolean = () => true): WhyCampaign => {
    const own = days.find((one) => one.id === id)!
    const leads = leadsOf.get(id)!.filter(({ day }) => day >= firstDay)
    const control = fitControl(own, days, weekdays, firstDay)
    const exposure = new SourceExposure(
      firstDay,
      control.map((factor, day) =>
        isBefore(leads, firstDay + day) ? 0 : factor * weekdays[weekdayOf(firstDay + day)]!,
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

/** A campaign that has not begun has no days to miss leads in. */
const isBefore = (leads: readonly WhyLead[], day: number) => day < (leads[0]?.day ?? Number.POSITIVE_INFINITY)

/** Events up to the end of the window; an end that lies later is not known yet. */
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
