import type { CalendarDay } from '#contract/days.ts'
import type { ActivityItem } from '../contract.ts'
import { isTaskOverdue } from '../log/overdue.ts'

/** Groups tasks in work order: the longest overdue first, done ones last. */
export function groupTasks(tasks: readonly ActivityItem[], now: CalendarDay) {
  const open = tasks.filter(({ is_done }) => is_done !== 1).toSorted((a, b) => a.date.localeCompare(b.date))
  return {
    overdue: open.filter((task) => isTaskOverdue(task, now)),
    today: open.filter(({ date }) => date === now),
    open: open.filter(({ date }) => date > now),
    done: tasks.filter(({ is_done }) => is_done === 1),
  }
}
