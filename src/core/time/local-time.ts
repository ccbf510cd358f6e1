import { formatCalendarDay, msPerDay } from '#contract/days.ts'

/** Wall clocks: a day `yyyy-MM-dd` and a time `HH:mm` or `HH:mm:ss` in a named zone. */
type WallClock = { day: string; time: string }

/** The instant of a wall clock. A time that does not exist moves forward; of one that exists twice it is the first. */
export function toInstant(day: string, time: string, zone: string): Date {
  const wall = Date.parse(`${day}T${time}Z`)
  const before = wall - zoneOffsetMs(wall - msPerDay, zone)
  const after = wall - zoneOffsetMs(wall + msPerDay, zone)
  const fitting = [before, after].filter((instant) => instant + zoneOffsetMs(instant, zone) === wall)
  return new Date(fitting.length > 0 ? Math.min(...fitting) : before)
}

/** What the clock on the wall says at an instant, with seconds. */
export function toWallClock(instant: Date, zone: string): WallClock {
  const [day = '', time = ''] = new Date(instant.getTime() + zoneOffsetMs(instant.getTime(), zone))
    .toISOString()
    .split('T')
  return { day, time: time.slice(0, 8) }
}

/** MM/dd/yyyy HH:mm, as people who set nothing else read an instant in a zone: `11/20/2026 14:05`. */
export function formatZonedInstant(instant: Date, zone: string): string {
  const { day, time } = toWallClock(instant, zone)
  return `${formatCalendarDay(day)} ${time.slice(0, 5)}`
}

/** The first instants of a day and of the day after it. */
export const startOfZonedDay = (day: string, zone: string) => toInstant(day, '00:00', zone)
export const endOfZonedDay = (day: string, zone: string) =>
  startOfZonedDay(new Date(Date.parse(`${day}T00:00Z`) + msPerDay).toISOString().slice(0, 10), zone)

const formatterCache = new Map<string, Intl.DateTimeFormat>()

/** How far the zone's clocks are ahead of UTC at an instant, in milliseconds. */
function zoneOffsetMs(instant: number, zone: string): number {
  const clock = formatterCache.get(zone) ?? new Intl.DateTimeFormat('en-US', { ...wallClockFormat, timeZone: zone })
  formatterCache.set(zone, clock)
  const parts = Object.fromEntries(clock.formatToParts(instant).map(({ type, value }) => [type, Number(value)]))
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(instant / 1000) * 1000
}

const wallClockFormat = {
  hourCycle: 'h23',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
} as const
