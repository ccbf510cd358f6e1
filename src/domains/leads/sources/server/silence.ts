import { msPerDay } from '#contract/days.ts'

/** The last leads of a client site through one provider: the times of the first and the last of them, and their number. */
export type LatestLeads = { first: Date; last: Date; count: number }

export const countDaysSince = (from: Date, now: Date) =>
  Math.max(0, Math.floor((now.getTime() - from.getTime()) / msPerDay))

/** Returns the mean days between leads; null if there is only one. */
export function computeUsualGap({ first, last, count }: LatestLeads): number | null {
  if (count < 2) return null
  return Math.round(((last.getTime() - first.getTime()) / msPerDay / (count - 1)) * 100) / 100
}
