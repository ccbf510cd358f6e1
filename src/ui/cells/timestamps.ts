import { type CalendarDay, formatCalendarDay, getToday } from '#contract/days.ts'
import { formatShortInstant } from '#contract/short-times.ts'
import { appConfig } from '../data/environment.ts'
import { getClockFormat } from './clock.ts'

const createInstantFormat = (hourCycle: 'h12' | 'h23') =>
  new Intl.DateTimeFormat('en-US', {
    timeZone: appConfig.timezone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle,
  })
const instantFormats = { '12h': createInstantFormat('h12'), '24h': createInstantFormat('h23') }

/** Returns the day of an instant (ISO 8601) in the agency's time zone. */
export const getInstantDay = (at: string): CalendarDay => getToday(appConfig.timezone, new Date(at))

/** Formats the day of an instant (ISO 8601) as MM/dd/yyyy, in the agency's time zone. */
export const formatInstantDay = (at: string): string => formatCalendarDay(getInstantDay(at))

/** Formats an instant (ISO 8601) as MM/dd/yyyy with the time of day, in the agency's time zone. */
export const formatInstant = (at: string): string =>
  // Some browsers use a narrow space before AM.
  instantFormats[getClockFormat()].format(new Date(at)).replace(',', '').replace(/\s/g, ' ')

/**
 * Formats an instant (ISO 8601) for two-line rows, cards and Home: `8:04` today, `Tue 8:04` less than a week away, else `Nov 6`. Give
 * the element `formatInstant` as its title, or use `ShortTime`.
 */
export const formatShortTime = (at: string): string =>
  formatShortInstant(new Date(at), { zone: appConfig.timezone, hourCycle: getClockFormat() === '12h' ? 'h12' : 'h23' })
