import { formatWallClock } from '#contract/zoned-time.ts'
import type { Lead } from '#domains/leads/contract.ts'
import { formatClock } from '#ui/cells/clock.ts'

/** Formats the time in the client's zone for clients, with its name; else in the agency's. */
export const formatLeadTime = ({ lead_date, lead_time }: Lead, zone: string | null): string =>
  zone === null ? (formatClock(lead_time) ?? lead_time) : formatWallClock(lead_date, lead_time, zone)
