import { addDays, addMonths, type CalendarDay, clampDayOfMonth, startOfWeek } from '#contract/days.ts'
import { endOfZonedDay, toInstant, toWallClock } from '#core/time/local-time.ts'
import { computeBillingCycle } from '#domains/campaigns/public.ts'
import type { DaySpan } from '../../weekly-report/weeks.ts'
import type { ReportPeriod } from '../labels.ts'
import { resolvePeriodSpan } from './span.ts'

export type ReportSchedule = { every: ReportPeriod; day: number; hour: number }
/** The client's time zone, the agency's, and the day on which the client's cycles start. */
export type ScheduleContext = { clientZone: string; agencyZone: string; dueDay: number }
/** A time at which a schedule sends, and the period it reports: the last one that ended before that day. */
export type ScheduledSlot = { at: Date; span: DaySpan }

/** Lists the slots around a moment in order: several before it and several after it. */
export function listScheduledSlots(schedule: ReportSchedule, context: ScheduleContext, now: Date): ScheduledSlot[] {
  const today = toWallClock(now, context.clientZone).day
  return listScheduledDays(schedule, context.dueDay, today).map((day) => {
    const current = resolvePeriodSpan(schedule.every, day, context.dueDay)
    const span = resolvePeriodSpan(schedule.every, addDays(current.from, -1), context.dueDay)
    return { at: computeSendingTime(schedule.hour, day, span, context), span }
  })
}

/** Returns that hour in the client's time zone, but not before the agency's last day of the period is over. */
function computeSendingTime(
  hour: number,
  day: CalendarDay,
  span: DaySpan,
  { clientZone, agencyZone }: ScheduleContext,
) {
  const wanted = toInstant(day, `${String(hour).padStart(2, '0')}:00`, clientZone)
  const ended = endOfZonedDay(span.to, agencyZone)
  return new Date(Math.max(wanted.getTime(), ended.getTime()))
}

const stepsAround = [-2, -1, 0, 1, 2, 3]

function listScheduledDays({ every, day }: ReportSchedule, dueDay: number, today: CalendarDay): CalendarDay[] {
  const [year = 0, month = 1] = today.split('-').map(Number)
  switch (every) {
    case 'week': {
      const sunday = addDays(startOfWeek(addDays(today, 1)), -1)
      return stepsAround.map((step) => addDays(sunday, 7 * step + day))
    }
    case 'month':
      return stepsAround.map((step) => clampDayOfMonth(year, month + step, day))
    case 'cycle':
      return stepsAround.map((step) => {
        const { from, next } = computeBillingCycle(dueDay, addMonths(`${today.slice(0, 8)}01`, step))
        const wanted = addDays(from, day - 1)
        return wanted < next ? wanted : addDays(next, -1)
      })
  }
}

/** Returns the last period that has ended, by the agency's days. */
export function findEndedPeriod(every: ReportPeriod, { agencyZone, dueDay }: ScheduleContext, now: Date): DaySpan {
  const current = resolvePeriodSpan(every, toWallClock(now, agencyZone).day, dueDay)
  return resolvePeriodSpan(every, addDays(current.from, -1), dueDay)
}

/** Returns the slot that should have been sent by now; slots before the schedule was set do not count. */
export const findDueSlot = (slots: readonly ScheduledSlot[], now: Date, setAt: Date): ScheduledSlot | undefined =>
  slots.findLast(({ at }) => at <= now && at > setAt)

/** Returns the next slot whose period has not been handled; `handled` is the first day of the last one that was. */
export const findNextSlot = (
  slots: readonly ScheduledSlot[],
  now: Date,
  handled: CalendarDay | null,
): ScheduledSlot | undefined => slots.find((slot) => slot.at > now && !isHandled(slot, handled))

/** A period that begins before the last one that was handled has no day of its own: the due day has moved back. */
export const isHandled = ({ span }: ScheduledSlot, handled: CalendarDay | null): boolean =>
  handled !== null && span.from <= handled
