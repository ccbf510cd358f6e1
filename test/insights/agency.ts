import { SeededRandom } from './random.ts'

/**
 * Synthetic agencies whose true rates are known. They are written from the specification of the back-tests, not from the models: sources
 * with their own weekdays and hours, trades with seasons, days that are better or worse than expected, holidays, and deaths.
 */

const dayMs = 86_400_000
const firstDay = Date.UTC(2024, 6, 1) // a Monday
const days = 549

export type AgencyTraits = {
  sources: number
  /** Gamma shape of a source's days: lower is rougher. */
  dayShape?: number
  /** Gamma shape of the daily factor that all sources share; none if missing. */
  sharedDayShape?: number
  /** The seasonal swing of a trade, as a share. */
  season?: number
  /** Good and bad spells of a source: the share of yesterday's effect that remains, and the size of today's. */
  spells?: { left: number; size: number }
}
type PlantedDeath = { source: string; at: number; missedUntil: (instant: number) => number; missed: number }
export type SyntheticAgency = { lines: string[]; deaths: PlantedDeath[]; holidays: number[]; from: string; to: string }

export function makeSilenceAgency(seed: number, traits: AgencyTraits): SyntheticAgency {
  const random = new SeededRandom(seed)
  const trades = ['Roofing', 'Plumbing', 'Tree Service', 'HVAC', 'Moving']
  const holidays = new Map<number, number>()
  while (holidays.size < 6) holidays.set(200 + Math.floor(random.next() * 330), 0.08 + 0.2 * random.next())
  const seasons = trades.map(() => ({ swing: (traits.season ?? 0.35) * random.next(), peak: random.next() * 365 }))
  const shared = Array.from({ length: days }, () => (traits.sharedDayShape ? random.gamma(traits.sharedDayShape) : 1))
  const lines: string[] = []
  const deaths: PlantedDeath[] = []
  for (let index = 0; index < traits.sources; index++) {
    const trade = Math.floor(random.next() * trades.length)
    const season = seasons[trade]!
    const rate = Math.exp(Math.log(1 / 7) + random.next() * Math.log(50))
    const shape = (traits.dayShape ?? 6) * Math.exp(0.5 * random.normal())
    const begins = random.next() < 0.7 ? 0 : Math.floor(random.next() * 250)
    const dies = random.next() < 0.3 ? 220 + random.next() * 280 : null
    const weekdays = [1.15, 1.1, 1.1, 1.05, 1.05, 0.5 + 0.3 * random.next(), 0.35 + 0.3 * random.next()]
    const noon = 11 + 4 * random.next()
    const hours = Array.from({ length: 24 }, (_, hour) => 0.02 + Math.exp(-((hour - noon) ** 2) / 18))
    const hourSum = hours.reduce((sum, one) => sum + one, 0)
    const mean = (day: number) =>
      rate *
      weekdays[day % 7]! *
      (1 + season.swing * Math.sin((2 * Math.PI * (day - season.peak)) / 365)) *
      (holidays.get(day) ?? 1) *
      shared[day]!
    const id = `${index}/callrail`
    lines.push(
      JSON.stringify({
        kind: 'campaign',
        id: index,
        category: trades[trade],
        timezone: 'UTC',
        start_date: null,
        due_date: 1,
        target: null,
      }),
      JSON.stringify({ kind: 'source', id, campaign: index, site: index }),
    )
    let spell = 0
    for (let day = begins; day < days; day++) {
      spell = spell * (traits.spells?.left ?? 0) + (traits.spells?.size ?? 0) * random.normal()
      const luck = random.gamma(shape) * Math.exp(spell)
      for (let hour = 0; hour < 24; hour++)
        for (let count = random.poisson((mean(day) * luck * hours[hour]!) / hourSum); count > 0; count--) {
          const time = day + (hour + random.next()) / 24
          if (dies === null || time < dies) lines.push(leadLine(lines.length, index, id, time))
        }
    }
    if (dies === null || dies < begins + 60) continue
    const missedUntil = (instant: number) => {
      let missed = 0
      for (let hour = Math.floor(dies * 24); hour < Math.min(days * 24, ((instant - firstDay) / dayMs) * 24); hour++)
        missed += (mean(Math.floor(hour / 24)) * hours[hour % 24]!) / hourSum
      return missed
    }
    deaths.push({ source: id, at: firstDay + dies * dayMs, missedUntil, missed: missedUntil(firstDay + days * dayMs) })
  }
  return {
    lines,
    deaths,
    holidays: [...holidays.keys()].map((day) => firstDay + day * dayMs),
    from: '2025-01-01',
    to: new Date(firstDay + (days - 1) * dayMs).toISOString().slice(0, 10),
  }
}

const leadLine = (id: number, campaign: number, source: string, day: number) =>
  JSON.stringify({
    kind: 'lead',
    id,
    campaign,
    source,
    type: 'Call',
    channel: 'Google Organic',
    at: new Date(Math.floor(firstDay + day * dayMs)).toISOString(),
    verified_at: null,
    hidden_by: null,
    missed: false,
  })

/** Campaigns with targets, calls and forms, verdicts that come late and not on weekends, and rates that drift. */
export function makeForecastAgency(
  seed: number,
  campaigns: number,
  traits: { delayDays?: number; drift?: number } = {},
) {
  const random = new SeededRandom(seed)
  const lines: string[] = []
  const end = firstDay + days * dayMs
  for (let id = 1; id <= campaigns; id++) {
    const rate = Math.exp(Math.log(0.25) + random.next() * Math.log(20))
    const verified = { Call: 0.45 + 0.4 * random.next(), Form: 0.4 + 0.4 * random.next() }
    const calls = 0.3 + 0.6 * random.next()
    const begins = random.next() < 0.8 ? 0 : Math.floor(random.next() * 250)
    const usual = rate * 30.4 * (verified.Call * calls + verified.Form * (1 - calls))
    lines.push(
      JSON.stringify({
        kind: 'campaign',
        id,
        category: random.pick(['Roofing', 'Plumbing', 'Tree Service']),
        timezone: 'UTC',
        start_date: new Date(firstDay + begins * dayMs).toISOString().slice(0, 10),
        due_date: 1 + Math.floor(random.next() * 28),
        target: Math.max(3, Math.round(usual * Math.exp(0.25 * random.normal()))),
      }),
    )
    const season = { swing: 0.3 * random.next(), peak: 365 * random.next() }
    const weekdays = [1.15, 1.1, 1.1, 1.05, 1.05, 0.55, 0.4]
    let drift = 0
    for (let day = begins; day < days; day++) {
      drift = 0.995 * (drift + (traits.drift ?? 0.02) * random.normal())
      const mean =
        rate *
        weekdays[day % 7]! *
        (1 + season.swing * Math.sin((2 * Math.PI * (day - season.peak)) / 365)) *
        random.gamma(8) *
        Math.exp(drift)
      for (let count = random.poisson(mean); count > 0; count--) {
        const type = random.next() < calls ? 'Call' : 'Form'
        const at = firstDay + (day + 0.3 + 0.5 * random.next()) * dayMs
        let decided = at + random.gamma(1.2) * (traits.delayDays ?? 2.5) * dayMs
        const weekday = new Date(decided).getUTCDay()
        if (weekday === 6) decided += 2 * dayMs
        if (weekday === 0) decided += dayMs
        const isVerified = random.next() < verified[type] && decided < end
        lines.push(
          JSON.stringify({
            kind: 'lead',
            id: lines.length,
            campaign: id,
            source: null,
            type,
            channel: 'Direct',
            at: new Date(Math.floor(at)).toISOString(),
            verified_at: isVerified ? new Date(Math.floor(decided)).toISOString() : null,
            hidden_by: null,
            missed: false,
          }),
        )
      }
    }
  }
  return { lines, from: '2025-01-01', to: '2025-11-30' }
}
