import { isCalendarDay, shortMonthNames } from '#contract/days.ts'
import { toInstant, toWallClock } from '#core/time/local-time.ts'

type Moment = { day: string; time: string | null }

/**
 * Parses a date as tools and spreadsheets write it: `2026-03-16T14:30:00Z`, `3/16/2026 2:30 PM`, `Mar 16, 2026`, seconds or
 * milliseconds since 1970. The result is local time in `zone`, and so is a text that names no zone. Returns null for anything
 * else; the caller checks whether the day exists.
 */
export function parseMoment(text: string, zone: string): Moment | null {
  const trimmed = text.trim().replace(/\s+/g, ' ')
  const instant = parseInstant(trimmed)
  if (instant) return toWallClock(instant, zone)
  const [, date = '', clock = ''] = /^(.*?\d{1,4})(?:,? at |[T,] ?| )?(\d\d?:\d\d.*)?$/i.exec(trimmed) ?? []
  const day = parseDay(date)
  const time = clock === '' ? null : parseClock(clock)
  return day === null || (clock !== '' && time === null) ? null : { day, time }
}

/** Parses a time of day: `2:30 PM` is 14:30:00. Returns null if it is not a time. */
export function parseClock(text: string): string | null {
  const found = /^(\d\d?):(\d\d)(?::(\d\d)(?:\.\d+)?)? ?(?:([ap])\.?m\.?)?$/i.exec(text.trim())
  if (!found) return null
  const [, hours = '', minutes = '', seconds = '00', half] = found
  const hour = half ? (Number(hours) % 12) + (half.toLowerCase() === 'p' ? 12 : 0) : Number(hours)
  const isTime = hour < 24 && Number(minutes) < 60 && Number(seconds) < 60 && !(half && Number(hours) > 12)
  return isTime ? `${String(hour).padStart(2, '0')}:${minutes}:${seconds}` : null
}

/** Returns the instant of a moment; null if the day does not exist. A day without a time starts at midnight. */
export const toMomentInstant = ({ day, time }: Moment, zone: string): Date | null =>
  isCalendarDay(day) ? toInstant(day, time ?? '00:00', zone) : null

function parseInstant(text: string): Date | null {
  if (/^\d{10}$|^\d{13}$/.test(text)) return new Date(Number(text) * (text.length === 10 ? 1000 : 1))
  const [, day, time, offset] =
    /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|UTC|GMT|[+-]\d\d:?\d\d)$/i.exec(text) ?? []
  if (!day || !time || !offset) return null
  const zone = /^[a-z]/i.test(offset) ? 'Z' : offset.replace(/^(...):?/, '$1:')
  const instant = new Date(`${day}T${time}${zone}`)
  return Number.isNaN(instant.getTime()) ? null : instant
}

const monthNames = shortMonthNames.map((name) => name.toLowerCase())

function parseDay(text: string): string | null {
  const iso = /^(\d{4})[-/](\d\d?)[-/](\d\d?)$/.exec(text)
  if (iso) return formatDay(iso[1]!, iso[2]!, iso[3]!)
  const american = /^(\d\d?)[/-](\d\d?)[/-](\d{4}|\d\d)$/.exec(text)
  if (american) return formatDay(american[3]!, american[1]!, american[2]!)
  const named =
    /^(?:[a-z]{3,9},? )?(?<month>[a-z]{3,9})\.? (?<day>\d\d?)(?:st|nd|rd|th)?,? (?<year>\d{4})$/i.exec(text) ??
    /^(?:[a-z]{3,9},? )?(?<day>\d\d?)[ -](?<month>[a-z]{3,9})\.?[ -](?<year>\d{4})$/i.exec(text)
  const { month = '', day = '', year = '' } = named?.groups ?? {}
  const index = monthNames.indexOf(month.slice(0, 3).toLowerCase())
  return index === -1 ? null : formatDay(year, String(index + 1), day)
}

const formatDay = (year: string, month: string, day: string) =>
  `${year.padStart(4, '20')}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
