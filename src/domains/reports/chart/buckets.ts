import { addDays, addMonths, type Day, firstOfMonth, mondayOf } from '#contract/days.ts'

/** `date` is the bucket's first day, `from` and `to` what of it the range lets through. */
export type Bucket = { date: Day; from: Day; to: Day }
export type Group = 'week' | 'month'

/** Every week (from Monday) or month that the range touches. */
export function bucketsOf(group: Group, from: Day, to: Day): Bucket[] {
  const next = (date: Day) => (group === 'week' ? addDays(date, 7) : addMonths(date, 1))
  const buckets: Bucket[] = []
  for (let date = group === 'week' ? mondayOf(from) : firstOfMonth(from); date <= to; date = next(date)) {
    const last = addDays(next(date), -1)
    buckets.push({ date, from: date < from ? from : date, to: last > to ? to : last })
  }
  return buckets
}
