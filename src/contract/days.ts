/** Days as the wire has them, yyyy-MM-dd. All reckoning is on calendar days, never on instants. */
export type Day = string

/** Today in the agency's time zone, which need not be the browser's or the server's. */
export function today(timeZone: string, now = new Date()): Day {
  return new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(now)
}

export function addDays(day: Day, days: number): Day {
  return dayOf(instant(day) + days * aDay)
}

/** The same day of another month, or that month's last day where it has no such day. */
export function addMonths(day: Day, months: number): Day {
  const [year = 0, month = 1, number = 1] = day.split('-').map(Number)
  return dayIn(year, month + months, number)
}

/** That day of a month (1 is January, 13 the next one), or the month's last where it has no such day. */
export function dayIn(year: number, month: number, number: number): Day {
  const last = new Date(Date.UTC(year, month, 0)).getUTCDate()
  return dayOf(Date.UTC(year, month - 1, Math.min(number, last)))
}

export const firstOfMonth = (day: Day): Day => `${day.slice(0, 7)}-01`
export const lastOfMonth = (day: Day): Day => addDays(addMonths(firstOfMonth(day), 1), -1)
/** The Monday of its week. */
export const mondayOf = (day: Day): Day => addDays(day, -((new Date(instant(day)).getUTCDay() + 6) % 7))
/** How many days it is from one to the other. */
export const daysBetween = (from: Day, to: Day): number => Math.round((instant(to) - instant(from)) / aDay)

const aDay = 86_400_000
const instant = (day: Day) => Date.parse(`${day}T00:00:00Z`)
const dayOf = (instant: number): Day => new Date(instant).toISOString().slice(0, 10)
