import { addDays, addMonths, type CalendarDay, startOfMonth, startOfWeek } from '#contract/days.ts'
import { startOfZonedDay } from '#core/time/local-time.ts'
import { splitIntoWeeks } from '#domains/reports/weekly-report/weeks.ts'

/** What the kept counts know of; leads from before and after are counted one by one. */
export const weekCalendar: { from: CalendarDay; to: CalendarDay } = { from: '2000-01-01', to: '2099-12-31' }

/** The first instant of each week of the calendar, and of what comes after it. */
export function listWeekStarts(zone: string): Date[] {
  const starts: Date[] = []
  for (let month = weekCalendar.from; month <= weekCalendar.to; month = addMonths(month, 1))
    for (const { from } of splitIntoWeeks({ from: month, to: addDays(addMonths(month, 1), -1) }))
      starts.push(startOfZonedDay(from, zone))
  return [...starts, startOfZonedDay(addDays(weekCalendar.to, 1), zone)]
}

/**
 * The whole weeks among the days up to `end`, which is not among them: those from the first answer to the day before the second.
 * Null where there is none.
 */
export function findWholeWeeks(from: CalendarDay, end: CalendarDay): { from: CalendarDay; end: CalendarDay } | null {
  const first = from < weekCalendar.from ? weekCalendar.from : nextWeekStart(from)
  const last = end > weekCalendar.to ? addDays(weekCalendar.to, 1) : lastWeekStart(end)
  return first < last ? { from: first, end: last } : null
}

/** The day itself, if a week begins with it. */
const nextWeekStart = (day: CalendarDay): CalendarDay =>
  lastWeekStart(day) === day ? day : [addDays(startOfWeek(day), 7), addMonths(startOfMonth(day), 1)].toSorted()[0]!

const lastWeekStart = (day: CalendarDay): CalendarDay => [startOfWeek(day), startOfMonth(day)].toSorted()[1]!
