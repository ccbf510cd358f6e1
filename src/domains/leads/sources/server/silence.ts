import { msPerDay } from '#contract/days.ts'

/** The last leads of a client site through one provider: when the first and the last of them came, and how many they are. */
export type LatestLeads = { first: Date; last: Date; count: number }

export const countDaysSince = (from: Date, now: Date) =>
  Math.max(0, Math.floor((now.getTime() - from.getTime()) / msPerDay))

/** The mean days between them, null where there is one only. */
export function computeUsualGap({ first, last, count }: LatestLeads): number | null {
  if (count < 2) return null
  return Math.round(((last.getTime() - first.getTime()) / msPerDay / (count - 1)) * 100) / 100
}
