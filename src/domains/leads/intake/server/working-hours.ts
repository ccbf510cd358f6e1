import { wallClockOf } from '#core/time/local-time.ts'
import type { Schedule } from '#domains/campaigns/contract.ts'

export type WorkingHours = { schedule: Schedule; timezone: string }

const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const

/**
 * Whether somebody should have been there to answer, by the clock on the campaign's wall; the end is not part of the
 * hours. `because` says which hours were asked: 'Mon 10:00-19:00 America/Chicago', or 'Sun closed America/Chicago'.
 */
export function isWorkingTime({ schedule, timezone }: WorkingHours, at: Date): { open: boolean; because: string } {
  const { day, time } = wallClockOf(at, timezone)
  const weekday = new Date(`${day}T00:00Z`).getUTCDay()
  const hours = schedule.find((entry) => entry.day === weekday)
  const name = days[weekday]
  if (!hours?.enabled) return { open: false, because: `${name} closed ${timezone}` }
  return {
    open: hours.startTime <= time && time.slice(0, 5) < hours.endTime,
    because: `${name} ${hours.startTime}-${hours.endTime} ${timezone}`,
  }
}
