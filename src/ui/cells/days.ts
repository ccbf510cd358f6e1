import { addDays, addMonths, type CalendarDay, formatCalendarDay, isCalendarDay, startOfMonth } from '#contract/days.ts'

export { addDays, addMonths, type CalendarDay, getToday } from '#contract/days.ts'

/** Formats a day, or the day of an instant, as MM/dd/yyyy; null for anything else. */
export const formatDay = (value: string | null | undefined): string | null =>
  value && /^\d{4}-\d\d-\d\d/.test(value) ? formatCalendarDay(value) : null

/** Parses a day as people type it: 3/1/2026, 03/01/26, 2026-03-01. Returns null unless that day exists. */
export function parseTypedDay(text: string): CalendarDay | null {
  const us = text.trim().match(/^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d{2})$/)
  const iso = text.trim().match(/^(\d{4})-(\d{1,2})-(\d{1,2})$/)
  const [year, month, day] = us ? [us[3], us[1], us[2]] : iso ? [iso[1], iso[2], iso[3]] : []
  if (!year || !month || !day) return null
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
