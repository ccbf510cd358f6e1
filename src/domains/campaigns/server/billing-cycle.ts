import { type CalendarDay, clampDayOfMonth, daysBetween } from '#contract/days.ts'

/**
 * A campaign's billing month around a day: from one due day to the day before the next. In a month too short for the
 * due day, it is the last day. `gone` and `left` both count today.
 */
type BillingCycle = { from: CalendarDay; next: CalendarDay; days: number; gone: number; left: number }

export function computeBillingCycle(dueDay: number, today: CalendarDay): BillingCycle {
  const [year = 0, month = 1] = today.split('-').map(Number)
  const isBegun = today >= clampDayOfMonth(year, month, dueDay)
  const from = clampDayOfMonth(year, isBegun ? month : month - 1, dueDay)
  const next = clampDayOfMonth(year, isBegun ? month + 1 : month, dueDay)
  return {
    from,
    next,
    days: daysBetween(from, next),
    gone: daysBetween(from, today) + 1,
    left: daysBetween(today, next),
  }
}
