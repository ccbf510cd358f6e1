import { msPerDay, toUtcDay } from '#contract/days.ts'
import { toInstant } from '#core/time/local-time.ts'
import type { DemoCampaign } from './agency.ts'
import type { SeededRandom } from './random.ts'

/** When people call and write: seasons, weekdays, hours, growth and bad weeks. */

const weekdayWeights = [0.45, 1.25, 1.2, 1.15, 1.1, 1.05, 0.7]
const hourWeights = [1, 1, 1, 1, 1, 2, 6, 18, 42, 55, 56, 50, 40, 44, 48, 46, 42, 36, 26, 18, 13, 9, 5, 2]

/** `isFromMaps`: the lead can only be a call from Google Maps. */
export type LeadMoment = { contract: DemoCampaign; at: Date; isFromMaps?: boolean }

/** Returns about `total` moments over `days` days up to now, earliest first. */
export function createLeadMoments(
  dice: SeededRandom,
  contracts: DemoCampaign[],
  now: Date,
  days: number,
  total: number,
): LeadMoment[] {
  const first = now.getTime() - days * msPerDay
  const demands = contracts.map((contract) => forecastDemand(dice, contract, first, days))
  const expected = demands.flat().reduce((sum, leads) => sum + leads, 0)
  const found: LeadMoment[] = []
  for (const [index, contract] of contracts.entries())
    for (const [nth, leads] of demands[index]!.entries())
      for (let left = dice.count((leads / expected) * total); left > 0; left -= 1) {
        const moment = createMoment(dice, contract, new Date(first + nth * msPerDay))
        if (moment.at < now) found.push(moment)
      }
  return found.sort((a, b) => a.at.getTime() - b.at.getTime())
}

/** Returns the demand of each day, relative to the others. */
function forecastDemand(dice: SeededRandom, { row, trade, pace }: DemoCampaign, first: number, days: number): number[] {
  const started = Date.parse(row.start_date ?? '')
  const ended = row.archived ? first + (days - dice.int(60, 240)) * msPerDay : Number.POSITIVE_INFINITY
  // None in recent weeks: sources that are silent now are so on purpose.
  const badWeeks = new Map(Array.from({ length: 6 }, () => [dice.int(0, days / 7 - 5), 0.1 + dice.next() * 0.4]))
  return Array.from({ length: days + 1 }, (_, nth) => {
    const at = first + nth * msPerDay
    if (at < started) return 0
    const date = new Date(at)
    const months = (at - started) / (30.4 * msPerDay)
    const growth = Math.min(1, 0.35 + months * 0.11) * (1 + months * 0.012)
    const season = trade.seasons[date.getUTCMonth()]!
    const week = badWeeks.get(Math.floor(nth / 7)) ?? 0.85 + dice.next() * 0.3
    return pace * weekdayWeights[date.getUTCDay()]! * growth * season * week * (at > ended ? 0.02 : 1)
  })
}

function createMoment(dice: SeededRandom, contract: DemoCampaign, date: Date): LeadMoment {
  const hour = Number(dice.weighted(Object.fromEntries(hourWeights.map((weight, at) => [String(at), weight]))))
  const time = [hour, dice.int(0, 59), dice.int(0, 59)].map((part) => String(part).padStart(2, '0')).join(':')
  return { contract, at: toInstant(toUtcDay(date), time, contract.row.timezone ?? 'UTC') }
}
