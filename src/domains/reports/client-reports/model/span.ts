import { addDays, type CalendarDay, endOfMonth, startOfMonth, startOfWeek } from '#contract/days.ts'
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

/** Returns the span from the first to the last day of several spans. */
export const joinSpans = (spans: readonly DaySpan[]): DaySpan => ({
  from: spans.map(({ from }) => from).toSorted()[0]!,
  to: spans
    .map(({ to }) => to)
    .toSorted()
    .at(-1)!,
})
