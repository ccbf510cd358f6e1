import {
  addDays,
  addMonths,
  type CalendarDay,
  clampDayOfMonth,
  endOfMonth,
  startOfMonth,
  startOfWeek,
} from '#contract/days.ts'

/** Both days included. */
export type DaySpan = { from: CalendarDay; to: CalendarDay }
/** A month of the table with its weeks: Monday weeks cut at the month's ends, so that they add up to it. */
export type ReportMonth = DaySpan & { year: number; month: number; weeks: DaySpan[] }

export const lastTwelveMonths = 'last_12_months'

/** Returns the months of a year up to the current one, or the last twelve. */
export function listReportMonths(year: string, today: CalendarDay): ReportMonth[] {
  const thisMonth = startOfMonth(today)
  const first = year === lastTwelveMonths ? addMonths(thisMonth, -11) : `${year}-01-01`
  const months = Array.from({ length: 12 }, (_, index) => addMonths(first, index))
  const isPast = months.filter((month) => month <= thisMonth)
  return (isPast.length > 0 ? isPast : months).map(buildReportMonth)
}

/** Returns this year and the seven before it. */
export const listReportYears = (today: CalendarDay): string[] =>
  Array.from({ length: 8 }, (_, before) => String(Number(today.slice(0, 4)) - before))

export function buildReportMonth(first: CalendarDay): ReportMonth {
  const [year = 0, month = 0] = first.split('-').map(Number)
  const [from, to] = [clampDayOfMonth(year, month, 1), endOfMonth(first)]
  return { year, month, from, to, weeks: splitIntoWeeks({ from, to }) }
}

/** Splits a span into Monday weeks, the first and the last cut at its ends. */
export function splitIntoWeeks({ from, to }: DaySpan): DaySpan[] {
  const weeks: DaySpan[] = []
  for (let start = from; start <= to; ) {
    const sunday = addDays(startOfWeek(start), 6)
    weeks.push({ from: start, to: sunday < to ? sunday : to })
    start = addDays(sunday, 1)
  }
  return weeks
}
