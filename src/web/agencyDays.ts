import { environment } from './environment.ts'

/** Calendar days as the wire spells them, yyyy-MM-dd. */

const inTheAgency = new Intl.DateTimeFormat('en-CA', { timeZone: environment.timezone, dateStyle: 'short' })

/** Today where the agency is, wherever its reader sits. */
export const today = (): string => inTheAgency.format(new Date())

export function addDays(day: string, count: number): string {
  const date = dateOf(day)
  date.setUTCDate(date.getUTCDate() + count)
  return dayOf(date)
}

/** The same day of another month; its last day where that month is shorter. */
export function addMonths(day: string, count: number): string {
  const date = dateOf(day)
  const dayOfMonth = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + count)
  date.setUTCDate(Math.min(dayOfMonth, daysIn(date)))
  return dayOf(date)
}

export const firstOfMonth = (day: string): string => `${day.slice(0, 8)}01`

/** The day that somebody typed, as 1/31/2026, 01/31/26 or 2026-01-31; null where it is none. */
export function typedDay(text: string): string | null {
  const [, month, dayOfMonth, year] = text.trim().match(/^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d\d)$/) ?? []
  const spelt = year
    ? `${year.padStart(4, '20')}-${month?.padStart(2, '0')}-${dayOfMonth?.padStart(2, '0')}`
    : text.trim()
  return /^(19|20)\d\d-\d\d-\d\d$/.test(spelt) && isDay(spelt) ? spelt : null
}

const isDay = (day: string) => !Number.isNaN(dateOf(day).getTime()) && dayOf(dateOf(day)) === day
const dateOf = (day: string) => new Date(`${day}T00:00:00Z`)
const dayOf = (date: Date) => date.toISOString().slice(0, 10)
const daysIn = (date: Date) => new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
