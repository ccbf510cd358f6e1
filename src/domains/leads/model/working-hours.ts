import { toWallClock } from '#core/time/local-time.ts'
import type { WorkingSchedule } from '#domains/campaigns/contract.ts'

export type CampaignHours = { schedule: WorkingSchedule; timezone: string }

const dayNames = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const

/**
 * Returns whether the campaign was open at that time, in its own time zone; the end is exclusive. `because` names the hours:
 * 'Mon 10:00-19:00 America/Chicago', or 'Sun closed America/Chicago'.
 */
export function checkWorkingTime({ schedule, timezone }: CampaignHours, at: Date): { open: boolean; because: string } {
  const { day, time } = toWallClock(at, timezone)
  const weekday = new Date(`${day}T00:00Z`).getUTCDay()
  const hours = schedule.find((entry) => entry.day === weekday)
  const name = dayNames[weekday]
  if (!hours?.enabled) return { open: false, because: `${name} closed ${timezone}` }
  return {
    open: hours.startTime <= time && time.slice(0, 5) < hours.endTime,
    because: `${name} ${hours.startTime}-${hours.endTime} ${timezone}`,
  }
}
