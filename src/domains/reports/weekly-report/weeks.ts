import { addDays, addMonths, type Day, dayIn, firstOfMonth, lastOfMonth, mondayOf } from '#contract/days.ts'

/** From a day to a day, both included. */
export type Span = { from: Day; to: Day }
/** A month of the table with its weeks: Monday weeks cut at the month's ends, so that they add up to it. */
export type Month = Span & { year: number; month: number; weeks: Span[] }

export const lastTwelveMonths = 'last_12_months'

/** The months of a year as far as it has come, or the twelve that end with this one. */
export function monthsOf(year: string, today: Day): Month[] {
  const thisMonth = firstOfMonth(today)
  const first = year === lastTwelveMonths ? addMonths(thisMonth, -11) : `${year}-01-01`
  const months = Array.from({ length: 12 }, (_, index) => addMonths(first, index))
  const isPast = months.filter((month) => month <= thisMonth)
  return (isPast.length > 0 ? isPast : months).map(monthOf)
}

/** This year and the seven before it. */
export const yearsUntil = (today: Day): string[] =>
  Array.from({ length: 8 }, (_, before) => String(Number(today.slice(0, 4)) - before))

export function monthOf(first: Day): Month {
  const [year = 0, month = 0] = first.split('-').map(Number)
  const [from, to] = [dayIn(year, month, 1), lastOfMonth(first)]
  return { year, month, from, to, weeks: weeksOf({ from, to }) }
}

/** Monday weeks, the first and the last cut where the span begins and ends. */
export function weeksOf({ from, to }: Span): Span[] {
  const weeks: Span[] = []
  for (let start = from; start <= to; ) {
    const sunday = addDays(mondayOf(start), 6)
    weeks.push({ from: start, to: sunday < to ? sunday : to })
    start = addDays(sunday, 1)
  }
  return weeks
}
