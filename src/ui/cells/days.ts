import { addDays, addMonths, type CalendarDay, formatCalendarDay, isCalendarDay, startOfMonth } from '#contract/days.ts'

export { addDays, addMonths, type CalendarDay, getToday } from '#contract/days.ts'

/** Formats a day, or the day of an instant, as MM/dd/yyyy; null for anything else. */
export const formatDay = (value: string | null | undefined): string | null =>
  value && /^\d{4}-\d\d-\d\d/.test(value) ? formatCalendarDay(value) : null

/**
 * Parses a day as people type and paste it: 3/1/2026, 03/01/26, 2026-03-01, Mar 1, 2026, 1 March 2026; months first, unless only a day can
 * stand there, as in 25/11/2026. Returns null unless that day exists.
 */
export function parseTypedDay(text: string): CalendarDay | null {
  const typed = text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .trim()
  const numbers = /^(\d{1,2})([/.-])(\d{1,2})\2(\d{4}|\d{2})$/.exec(typed)
  if (numbers) {
    const [, first = '', , second = '', year = ''] = numbers
    return Number(first) > 12 ? toDay(year, second, first) : toDay(year, first, second)
  }
  const [, year = '', , month = '', day = ''] =
    /^(\d{4})([/.-])(\d{1,2})\2(\d{1,2})(?:T[\d:.]+(?:Z|[+-][\d:]+)?)?$/.exec(typed) ?? []
  return year === '' ? parseNamedDay(typed) : toDay(year, month, day)
}

function parseNamedDay(typed: string): CalendarDay | null {
  const words = typed
    .toLowerCase()
    .replace(/^(?:sun|mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?)(?:day)?[.,]? /, '')
  const [, before = '', name = '', after = '', year = ''] =
    /^(?:(\d{1,2})(?:st|nd|rd|th)?[ -])?(\p{L}{3,9})[.,]?(?: (\d{1,2})(?:st|nd|rd|th)?)?,?[ -](\d{4})$/u.exec(words) ??
    []
  const month = months.findIndex((one) => one.startsWith(name))
  return name === '' || month === -1 || (before === '') === (after === '')
    ? null
    : toDay(year, String(month + 1), before + after)
}

const months = 'january february march april may june july august september october november december'.split(' ')

function toDay(year: string, month: string, day: string): CalendarDay | null {
  const found = `${year.padStart(4, '20')}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return isCalendarDay(found) ? found : null
}

export type DateRangePreset = { label: string; from: CalendarDay; to: CalendarDay }

/** Returns the most used date ranges; `now` is today. */
export function getDateRangePresets(now: CalendarDay): DateRangePreset[] {
  const month = startOfMonth(now)
  const range = (label: string, from: CalendarDay, to: CalendarDay = now): DateRangePreset => ({ label, from, to })
  return [
    range('Today', now),
    range('Yesterday', addDays(now, -1), addDays(now, -1)),
    range('Last 7 days', addDays(now, -6)),
    range('Last 30 days', addDays(now, -29)),
    range('Last month until today', addMonths(now, -1)),
    range('This month', month),
    range('Previous month', addMonths(month, -1), addDays(month, -1)),
    range('Last 12 months', addMonths(now, -12)),
  ]
}
