import { type CalendarDay, daysBetween, getToday, shortMonthNames } from './days.ts'

type ShortTimeOptions = { zone: string; hourCycle: 'h12' | 'h23'; now?: Date }

/**
 * Formats an instant in few letters: `8:04` today, `Tue 8:04` less than a week away, else `Nov 6`, with the year if it is another one.
 * Tables and documents have the whole date; where this stands, a title has it.
 */
export function formatShortInstant(at: Date, { zone, hourCycle, now = new Date() }: ShortTimeOptions): string {
  const [day, today] = [getToday(zone, at), getToday(zone, now)]
  const away = Math.abs(daysBetween(today, day))
  if (away > 6) return formatShortDay(day, today)
  const time = clockOf(zone, hourCycle)
    .format(at)
    .replace(/\s/g, ' ') // some browsers use a narrow space before AM
    .replace(/^0(?=\d)/, '')
  return away === 0 ? time : `${formatWeekday(day)} ${time}`
}

/** Formats a day in few letters: `Nov 6`, or `Nov 6, 2025` if that is not this year. */
export function formatShortDay(day: CalendarDay, today: CalendarDay): string {
  const [year, month, number] = day.split('-').map(Number)
  const named = `${shortMonthNames[month! - 1]} ${number}`
  return day.slice(0, 4) === today.slice(0, 4) ? named : `${named}, ${year}`
}

/** Formats a day that something is due on: `Mon, Nov 23`. */
export const formatDueDay = (day: CalendarDay, today: CalendarDay): string =>
  `${formatWeekday(day)}, ${formatShortDay(day, today)}`

const weekdayFormat = new Intl.DateTimeFormat('en-US', { weekday: 'short', timeZone: 'UTC' })
export const formatWeekday = (day: CalendarDay): string => weekdayFormat.format(new Date(day))

/** Kept, because making one takes as long as using it some thirty times. */
const clocks = new Map<string, Intl.DateTimeFormat>()
function clockOf(timeZone: string, hourCycle: ShortTimeOptions['hourCycle']): Intl.DateTimeFormat {
  const key = timeZone + hourCycle
  const clock =
    clocks.get(key) ?? new Intl.DateTimeFormat('en-US', { timeZone, hour: 'numeric', minute: '2-digit', hourCycle })
  clocks.set(key, clock)
  return clock
}
