import { addDays, type CalendarDay, daysBetween, endOfMonth, startOfMonth, startOfWeek } from '#contract/days.ts'
import { computeBillingCycle } from '#domains/campaigns/public.ts'
import type { DaySpan } from '../../weekly-report/weeks.ts'
import type { ReportPeriod } from '../labels.ts'

/** Returns the week, month or cycle that contains a day. */
export function resolvePeriodSpan(period: ReportPeriod, day: CalendarDay, dueDay: number): DaySpan {
  if (period === 'week') return { from: startOfWeek(day), to: addDays(startOfWeek(day), 6) }
  if (period === 'month') return { from: startOfMonth(day), to: endOfMonth(day) }
  const { from, next } = computeBillingCycle(dueDay, day)
  return { from, to: addDays(next, -1) }
}

type PeriodDays = DaySpan & { period: ReportPeriod; due_date: number }

/** Returns the period before this one, to compare with: of one that still runs today, as many days from its start. */
export function findSpanBefore({ period, from, to, due_date }: PeriodDays, today: CalendarDay): DaySpan {
  const before = resolvePeriodSpan(period, addDays(from, -1), due_date)
  if (to < today) return before
  return { from: before.from, to: [addDays(before.from, daysBetween(from, today)), before.to].toSorted()[0]! }
}

/** Returns the span from the first to the last day of several spans. */
export const joinSpans = (spans: readonly DaySpan[]): DaySpan => ({
  from: spans.map(({ from }) => from).toSorted()[0]!,
  to: spans
    .map(({ to }) => to)
    .toSorted()
    .at(-1)!,
})
