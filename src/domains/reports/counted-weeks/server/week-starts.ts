import { addDays, addMonths, type Day, firstOfMonth, mondayOf } from '#contract/days.ts'
import { startOf } from '#core/time/local-time.ts'
import { weeksOf } from '#domains/reports/weekly-report/weeks.ts'

/** What the kept counts know of; leads from before and after are counted one by one. */
export const calendar: { from: Day; to: Day } = { from: '2000-01-01', to: '2099-12-31' }

/** The first instant of each week of the calendar, and of what comes after it. */
export function weekStartsIn(zone: string): Date[] {
  const starts: Date[] = []
  for (let month = calendar.from; month <= calendar.to; month = addMonths(month, 1))
    for (const { from } of weeksOf({ from: month, to: addDays(addMonths(month, 1), -1) }))
      starts.push(startOf(from, zone))
  return [...starts, startOf(addDays(calendar.to, 1), zone)]
}

/**
 * The whole weeks among the days up to `end`, which is not among them: those from the first answer to the day before the second.
 * Null where there is none.
 */
export function wholeWeeks(from: Day, end: Day): { from: Day; end: Day } | null {
  const first = from < calendar.from ? calendar.from : nextStart(from)
  const last = end > calendar.to ? addDays(calendar.to, 1) : lastStart(end)
  return first < last ? { from: first, end: last } : null
}

/** The day itself, if a week begins with it. */
const nextStart = (day: Day): Day =>
  lastStart(day) === day ? day : [addDays(mondayOf(day), 7), addMonths(firstOfMonth(day), 1)].toSorted()[0]!

const lastStart = (day: Day): Day => [mondayOf(day), firstOfMonth(day)].toSorted()[1]!
