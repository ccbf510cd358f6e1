import type { WorkingSchedule } from '../../schedule.ts'

/** The week starting on Monday; `day` is 0 for Sunday. */
export const orderedWeekdays = [
  { day: 1, name: 'Monday' },
  { day: 2, name: 'Tuesday' },
  { day: 3, name: 'Wednesday' },
  { day: 4, name: 'Thursday' },
  { day: 5, name: 'Friday' },
  { day: 6, name: 'Saturday' },
  { day: 0, name: 'Sunday' },
] as const

/** Formats the schedule on one line: Monday 10:00–19:00, Sunday off. */
export function formatSchedule(schedule: WorkingSchedule): string {
  const days = orderedWeekdays.map(({ day, name }) => {
    const entry = schedule.find((one) => one.day === day)
    return entry?.enabled ? `${name} ${entry.startTime}–${entry.endTime}` : `${name} off`
  })
  return days.join(', ')
}
