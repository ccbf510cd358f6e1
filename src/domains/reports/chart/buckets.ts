import { addDays, addMonths, type CalendarDay, startOfMonth, startOfWeek } from '#contract/days.ts'

/** `date` is the bucket's first day; `from` to `to` is its part within the range. */
type ChartBucket = { date: CalendarDay; from: CalendarDay; to: CalendarDay }
export type ChartGroup = 'week' | 'month'

/** Returns every week (from Monday) or month that the range touches. */
export function buildChartBuckets(group: ChartGroup, from: CalendarDay, to: CalendarDay): ChartBucket[] {
  const next = (date: CalendarDay) => (group === 'week' ? addDays(date, 7) : addMonths(date, 1))
  const buckets: ChartBucket[] = []
  for (let date = group === 'week' ? startOfWeek(from) : startOfMonth(from); date <= to; date = next(date)) {
    const last = addDays(next(date), -1)
    buckets.push({ date, from: date < from ? from : date, to: last > to ? to : last })
  }
  return buckets
}
