import { formatShortInstant } from '#contract/short-times.ts'
import { getWallClockZoneName } from '#contract/zoned-time.ts'
import type { Lead } from '#domains/leads/contract.ts'
import { formatClock, getClockFormat } from '#ui/cells/clock.ts'
import { getToday } from '#ui/cells/days.ts'
import { appConfig } from '#ui/data/environment.ts'

/** Formats the time in the client's zone for clients, with its name; else in the agency's. */
export function formatLeadTime({ lead_date, lead_time }: Lead, zone: string | null): string {
  const clock = formatClock(lead_time) ?? lead_time
  return zone === null ? clock : `${clock} ${getWallClockZoneName(lead_date, lead_time, zone)}`
}

/** Formats when a lead came in few letters, on the same clock: its date and time are read as of a zone without shifts. */
export const formatShortLeadTime = ({ lead_date, lead_time }: Lead, zone: string | null): string =>
  formatShortInstant(new Date(`${lead_date}T${lead_time}Z`), {
    zone: 'UTC',
    hourCycle: getClockFormat() === '12h' ? 'h12' : 'h23',
    now: new Date(`${getToday(zone ?? appConfig.timezone)}T12:00Z`),
  })
