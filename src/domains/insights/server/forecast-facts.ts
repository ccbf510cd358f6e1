import { addDays, type CalendarDay } from '#contract/days.ts'
import { toWallClock } from '#core/time/local-time.ts'

const hourMs = 3_600_000
const quarterMs = hourMs / 4
export const msPerDay = 24 * hourMs

export type ForecastLead = {
  /** Instants in milliseconds. */
  at: number
  /** Days since 1970 by the agency's calendar. */
  day: number
  type: 'Call' | 'Form'
  verifiedAt: number | null
  /** When a person decided, either way; undefined where the facts do not say. */
  judgedAt: number | null | undefined
}
export type ForecastHistory = { id: number; category: string; startDay: number | null; leads: readonly ForecastLead[] }

export const forecastOptions = {
  halfLives: [14, 28, 56],
  /** Leads of its own that a category's rate is worth. */
  priorLeads: 3,
  /** Leads that the pooled share of verified ones is worth. */
  shareLeads: 12,
  /** The share of leads, waiting longer than nearly all others, that the usual share of verified ones is worth. */
  lateVerdicts: 0.01,
  /** Rates differ in how much they drift, and the spread is fitted to all: without this, chances are too sure of themselves. */
  spreadMargin: 1.3,
  delayHalfLifeDays: 45,
  historyDays: 240,
  /** Under this many weighted leads a campaign's forecast rests on its category. */
  campaignCases: 8,
  binMs: 6 * hourMs,
  bins: 240,
}
export const isJudged = (lead: ForecastLead, asOf: number) =>
  (lead.judgedAt !== undefined && lead.judgedAt !== null && lead.judgedAt <= asOf) || isVerified(lead, asOf)
export const isVerified = (lead: ForecastLead, asOf: number) => lead.verifiedAt !== null && lead.verifiedAt <= asOf

export const weekdayOf = (day: number) => (((day + 4) % 7) + 7) % 7
export const firstDayOf = (history: ForecastHistory) => history.leads[0]?.day ?? Number.POSITIVE_INFINITY

/** Calendar days as numbers, days since 1970. */
export const dayNumber = (day: CalendarDay): number => Date.parse(`${day}T00:00:00Z`) / msPerDay
export const calendarDay = (number: number): CalendarDay => addDays('1970-01-01', number)

/** The agency's day of an instant; asks the calendar once a quarter of an hour of the past, not once a lead. */
export function createDayReader(timeZone: string): (at: number) => number {
  const quarters = new Map<number, number>()
  return (at) => {
    const quarter = Math.floor(at / quarterMs) // zones are off by quarters of an hour
    const known = quarters.get(quarter)
    if (known !== undefined) return known
    const day = dayNumber(toWallClock(new Date(quarter * quarterMs), timeZone).day)
    quarters.set(quarter, day)
    return day
  }
}
