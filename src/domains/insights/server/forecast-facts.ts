import { addDays, type CalendarDay, msPerDay, msPerHour } from '#contract/days.ts'
import { toWallClock } from '#core/time/local-time.ts'

const quarterMs = msPerHour / 4

export type ForecastLead = {
  /** Instants in milliseconds. */
  at: number
  /** Days since 1970 in the agency's zone. */
  day: number
  type: 'Call' | 'Form'
  verifiedAt: number | null
  /** When a person decided, either way; undefined if the facts do not say. */
  judgedAt: number | null | undefined
  /** No person has decided, nor needs to: it came hidden or as a missed call. Undefined if the facts do not say. */
  isSettled?: boolean
}
export type ForecastHistory = { id: number; category: string; startDay: number | null; leads: readonly ForecastLead[] }

export const forecastOptions = {
  halfLives: [14, 28, 56],
  /** The weight of the category's rate, in leads of the campaign. */
  priorLeads: 3,
  /** The weight of the pooled verified share, in leads. */
  shareLeads: 12,
  /** The weight of the usual verified share for leads that wait longer than almost all others, as a share of leads. */
  lateVerdicts: 0.01,
  /** The spread is fitted to all campaigns, but rates drift differently. Without this margin, chances are overconfident. */
  spreadMargin: 1.3,
  delayHalfLifeDays: 45,
  historyDays: 240,
  /** Below this many weighted leads, a campaign's forecast is based on its category. */
  campaignCases: 8,
  binMs: 6 * msPerHour,
  bins: 240,
}
/** In days. */
export const longestCycle = 31

export const isJudged = (lead: ForecastLead, asOf: number) =>
  (lead.judgedAt !== undefined && lead.judgedAt !== null && lead.judgedAt <= asOf) || isVerified(lead, asOf)
export const isVerified = (lead: ForecastLead, asOf: number) => lead.verifiedAt !== null && lead.verifiedAt <= asOf

export const weekdayOf = (day: number) => (((day + 4) % 7) + 7) % 7
export const firstDayOf = (history: ForecastHistory) => history.leads[0]?.day ?? Number.POSITIVE_INFINITY

/** Calendar days as numbers, days since 1970. */
export const dayNumber = (day: CalendarDay): number => Date.parse(`${day}T00:00:00Z`) / msPerDay
export const calendarDay = (number: number): CalendarDay => addDays('1970-01-01', number)

/** Returns a function from an instant to the agency's day. Converts once per quarter of an hour, not once per lead. */
export function createDayReader(timeZone: string): (at: number) => number {
  const quarters = new Map<number, number>()
  return (at) => {
    const quarter = Math.floor(at / quarterMs) // zone offsets are multiples of a quarter of an hour
    const known = quarters.get(quarter)
    if (known !== undefined) return known
    const day = dayNumber(toWallClock(new Date(quarter * quarterMs), timeZone).day)
    quarters.set(quarter, day)
    return day
  }
}
