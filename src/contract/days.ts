/** A day as on the wire, yyyy-MM-dd. All calculations are on calendar days, never on instants. */
export type CalendarDay = string

export const msPerHour = 3_600_000
export const msPerDay = 86_400_000

/** Returns today in a time zone: the agency's, which may differ from the browser's and the server's. */
export const getToday = (timeZone: string, now = new Date()): CalendarDay => dayFormatOf(timeZone).format(now)

/** Kept by time zone: making one takes as long as using it some thirty times. */
const dayFormats = new Map<string, Intl.DateTimeFormat>()
function dayFormatOf(timeZone: string): Intl.DateTimeFormat {
  const format =
    dayFormats.get(timeZone) ??
    new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
  dayFormats.set(timeZone, format)
  return format
}

/** Formats a day as Nov 9, 2026. */
export function formatLongDay(day: CalendarDay): string {
  const { year, month, number } = splitDay(day)
  return `${month} ${number}, ${year}`
}

/** Formats days as Nov 9, 2026; Nov 9 – 15, 2026; Oct 28 – Nov 3, 2026; Dec 28, 2026 – Jan 3, 2027. */
export function formatDaySpan({ from, to }: { from: CalendarDay; to: CalendarDay }): string {
  const [start, end] = [splitDay(from), splitDay(to)]
  if (from === to) return formatLongDay(from)
  if (start.year !== end.year) return `${formatLongDay(from)} – ${formatLongDay(to)}`
  if (start.month !== end.month) return `${start.month} ${start.number} – ${formatLongDay(to)}`
  return `${start.month} ${start.number} – ${end.number}, ${end.year}`
}

function splitDay(day: CalendarDay) {
  const [year, month = 1, number] = day.split('-').map(Number)
  return { year, month: shortMonthNames[month - 1], number }
}

/** Formats a day, or the UTC day of an instant, as MM/dd/yyyy. */
export const formatCalendarDay = (day: CalendarDay): string => day.replace(/^(\d{4})-(\d\d)-(\d\d).*$/s, '$2/$3/$1')

export function addDays(day: CalendarDay, days: number): CalendarDay {
  return toUtcDay(parseDay(day) + days * msPerDay)
}

/** Returns the day that is so many days from Monday to Friday after this one. */
export function addWorkingDays(day: CalendarDay, days: number): CalendarDay {
  let [at, left] = [day, days]
  while (left > 0) {
    at = addDays(at, 1)
    const weekday = new Date(parseDay(at)).getUTCDay()
    if (weekday !== 0 && weekday !== 6) left -= 1
  }
  return at
}

/** Returns the same day of another month, or that month's last day if it is shorter. */
export function addMonths(day: CalendarDay, months: number): CalendarDay {
  const [year = 0, month = 1, number = 1] = day.split('-').map(Number)
  return clampDayOfMonth(year, month + months, number)
}

/** Returns a day of a month (1 is January, 13 the next January), or the month's last day if it is shorter. */
export function clampDayOfMonth(year: number, month: number, number: number): CalendarDay {
  const last = new Date(Date.UTC(year, month, 0)).getUTCDate()
  return toUtcDay(Date.UTC(year, month - 1, Math.min(number, last)))
}

export const startOfMonth = (day: CalendarDay): CalendarDay => `${day.slice(0, 7)}-01`
export const endOfMonth = (day: CalendarDay): CalendarDay => addDays(addMonths(startOfMonth(day), 1), -1)
/** Returns the Monday of the day's week. */
export const startOfWeek = (day: CalendarDay): CalendarDay =>
  addDays(day, -((new Date(parseDay(day)).getUTCDay() + 6) % 7))
/** Returns the number of days from one day to the other. */
export const daysBetween = (from: CalendarDay, to: CalendarDay): number =>
  Math.round((parseDay(to) - parseDay(from)) / msPerDay)

const parseDay = (day: CalendarDay) => Date.parse(`${day}T00:00:00Z`)

/** Returns the UTC day of an instant. */
export const toUtcDay = (instant: number | Date): CalendarDay => new Date(instant).toISOString().slice(0, 10)

/** Returns whether this text, yyyy-MM-dd, is a day that exists. */
export function isCalendarDay(text: string): boolean {
  const instant = parseDay(text)
  return !Number.isNaN(instant) && toUtcDay(instant) === text
}

export const shortMonthNames = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
