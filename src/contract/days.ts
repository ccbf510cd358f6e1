/** Days as the wire has them, yyyy-MM-dd. All reckoning is on calendar days, never on instants. */
export type Day = string

/** Today in the agency's time zone, which need not be the browser's. */
export function today(timeZone: string, now = new Date()): Day {
  return new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(now)
}

export function addDays(day: Day, days: number): Day {
  const date = new Date(`${day}T00:00:00Z`)
  date.setUTCDate(date.getUTCDate() + days)
  return date.toISOString().slice(0, 10)
}

/** The same day of another month, or that month's last day where it has no such day. */
export function addMonths(day: Day, months: number): Day {
  const [year = 0, month = 1, number = 1] = day.split('-').map(Number)
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate()
  return new Date(Date.UTC(year, month - 1 + months, Math.min(number, last))).toISOString().slice(0, 10)
}
