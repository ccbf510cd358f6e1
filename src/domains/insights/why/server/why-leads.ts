import { toWallClock } from '#core/time/local-time.ts'
import type { AgencyFacts, LeadFact } from '../../server/facts.ts'
import { dayNumber } from '../../server/forecast-facts.ts'

/** A lead as `why` sees it, without anything that became known after `asOf`. */
export type WhyLead = {
  /** Milliseconds since 1970. */
  at: number
  /** The agency's day (days since 1970) and its elapsed part, 0 to 1. */
  day: number
  part: number
  site: number | null
  type: LeadFact['type']
  channel: string
  isVerified: boolean
  /** No person has decided yet, as far as the facts show. */
  isWaiting: boolean
  hiddenBy: string | null
  isMissed: boolean
}

const quarterMs = 900_000

/** Returns a function from an instant to the agency's day and its elapsed part. Converts once per quarter of an hour, not once per lead. */
export function createClockReader(timeZone: string): (at: number) => { day: number; part: number } {
  const quarters = new Map<number, { day: number; part: number }>()
  return (at) => {
    const quarter = Math.floor(at / quarterMs)
    const known = quarters.get(quarter)
    if (known) return known
    const { day, time } = toWallClock(new Date(quarter * quarterMs), timeZone)
    const [hours = 0, minutes = 0] = time.split(':').map(Number)
    const read = { day: dayNumber(day), part: (hours + minutes / 60) / 24 }
    quarters.set(quarter, read)
    return read
  }
}

/** Returns each campaign's leads up to `asOf`, oldest first. */
export function readWhyLeads(
  facts: AgencyFacts,
  asOf: number,
  clock: ReturnType<typeof createClockReader>,
): Map<number, WhyLead[]> {
  const sites = new Map(facts.sources.map(({ id, site }) => [id, site]))
  const leads = new Map<number, WhyLead[]>(facts.campaigns.map(({ id }) => [id, []]))
  for (const lead of facts.leads) {
    const at = Date.parse(lead.at)
    if (at > asOf) continue
    const isVerified = lead.verified_at !== null && Date.parse(lead.verified_at) <= asOf
    const isJudged = typeof lead.judged_at === 'string' && Date.parse(lead.judged_at) <= asOf
    leads.get(lead.campaign)?.push({
      at,
      ...clock(at),
      site: lead.source === null ? null : (sites.get(lead.source) ?? null),
      type: lead.type,
      channel: lead.channel ?? '',
      isVerified,
      isWaiting: !isVerified && !isJudged && lead.hidden_by === null && !lead.missed,
      hiddenBy: lead.hidden_by,
      isMissed: lead.missed,
    })
  }
  return leads
}
