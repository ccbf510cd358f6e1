import {
  addDays,
  type CalendarDay,
  clampDayOfMonth,
  daysBetween,
  endOfMonth,
  startOfMonth,
  startOfWeek,
} from '#contract/days.ts'
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

/**
 * Returns the first day of the cycle that a campaign reports with the client's cycle from `first`: the last one that began by then. By
 * months, because the days of short ones do not tell the 30th from the 31st: cycles would be left out, or reported again.
 */
export function findReportedCycle(first: CalendarDay, clientDueDay: number, dueDay: number): CalendarDay {
  const [year = 0, month = 1] = first.split('-').map(Number)
  return clampDayOfMonth(year, dueDay <= clientDueDay ? month : month - 1, dueDay)
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
