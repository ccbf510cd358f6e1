import { addDays, formatCalendarDay, msPerDay } from '#contract/days.ts'
import type { WrittenMoment } from '#contract/read-date.ts'

/** A local time in a named zone: a day `yyyy-MM-dd` and a time `HH:mm` or `HH:mm:ss`. */
type WallClock = { day: string; time: string }

/** Returns the instant of a local time. A time that does not exist moves forward; one that exists twice is the first. */
export function toInstant(day: string, time: string, zone: string): Date {
  const wall = Date.parse(`${day}T${time}Z`)
  const before = wall - zoneOffsetMs(wall - msPerDay, zone)
  const after = wall - zoneOffsetMs(wall + msPerDay, zone)
  const fitting = [before, after].filter((instant) => instant + zoneOffsetMs(instant, zone) === wall)
  return new Date(fitting.length > 0 ? Math.min(...fitting) : before)
}

/** Returns the instant of a date as it was written: in the zone that it names, or else in this one. A day alone starts at midnight. */
export function toWrittenInstant({ day, time, zone: named }: WrittenMoment, zone: string): Date {
  if (typeof named === 'number') return new Date(Date.parse(`${day}T${time ?? '00:00'}Z`) - named * 60_000)
  return toInstant(day, time ?? '00:00', named ?? zone)
}

/** Returns the local time at an instant, with seconds; the zone is a name, or minutes east of UTC. */
export function toWallClock(instant: Date, zone: string | number): WallClock {
  const ahead = typeof zone === 'number' ? zone * 60_000 : zoneOffsetMs(instant.getTime(), zone)
  const [day = '', time = ''] = new Date(instant.getTime() + ahead).toISOString().split('T')
  return { day, time: time.slice(0, 8) }
}

/** Formats an instant in a zone as MM/dd/yyyy HH:mm: `11/20/2026 14:05`. */
export function formatZonedInstant(instant: Date, zone: string): string {
  const { day, time } = toWallClock(instant, zone)
  return `${formatCalendarDay(day)} ${time.slice(0, 5)}`
}

/** Returns the first instant of a day, or of the day after it. */
export const startOfZonedDay = (day: string, zone: string) => toInstant(day, '00:00', zone)
export const endOfZonedDay = (day: string, zone: string) => startOfZonedDay(addDays(day, 1), zone)

const formatterCache = new Map<string, Intl.DateTimeFormat>()
const offsetCache = new Map<string, Map<number, number>>()
/** From then on, every zone changes its clocks only on a quarter of an hour. */
const steadyQuarters = Date.UTC(1973, 0)
const quarterMs = 900_000
const mostQuarters = 50_000

/** Returns how far the zone is ahead of UTC at an instant, in milliseconds. Reads `Intl` once per quarter of an hour, because that is slow. */
function zoneOffsetMs(instant: number, zone: string): number {
  if (!(instant >= steadyQuarters)) return readZoneOffsetMs(instant, zone)
  const known = offsetCache.get(zone) ?? new Map<number, number>()
  const quarter = Math.floor(instant / quarterMs)
  let offset = known.get(quarter)
  if (offset === undefined) {
    if (known.size >= mostQuarters) known.clear()
    offset = readZoneOffsetMs(quarter * quarterMs, zone)
    known.set(quarter, offset)
    offsetCache.set(zone, known)
  }
  return offset
}

function readZoneOffsetMs(instant: number, zone: string): number {
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
