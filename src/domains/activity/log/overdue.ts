import type { CalendarDay } from '#contract/days.ts'

/** Returns whether an open task's day has passed. */
export const isTaskOverdue = (
  { is_task, is_done, date }: { is_task?: 0 | 1; is_done?: 0 | 1; date: CalendarDay },
  now: CalendarDay,
) => is_task === 1 && is_done !== 1 && date < now
