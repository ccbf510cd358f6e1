import { msPerDay } from '#contract/days.ts'

/** The last leads of a client site through one provider: when the first and the last of them came, and how many they are. */
export type LatestLeads = { first: Date; last: Date; count: number }
export type SourceSilence = { days_silent: number; usual_gap: number | null; silent: boolean }

/** Nobody is silent before that, however much usually comes. */
const minSilentDays = 7
const usualGapFactor = 5
/** Who sent one lead only is taken for somebody who sends one a week. */
const defaultGapDays = 7
/** After that the site has given the provider up, if it still sends through the other one. */
const abandonedAfterDays = 180

export const countDaysSince = (from: Date, now: Date) =>
  Math.max(0, Math.floor((now.getTime() - from.getTime()) / msPerDay))

/**
 * Silent is a provider of which nothing came for longer than seven days and five times the usual gap, the mean one between the
 * last leads. One that has been silent for half a year is forgotten, unless nothing else comes either.
 */
export function computeSilence({ first, last, count }: LatestLeads, now: Date, othersSend: boolean): SourceSilence {
  const days = (now.getTime() - last.getTime()) / msPerDay
  const gap = count < 2 ? null : (last.getTime() - first.getTime()) / msPerDay / (count - 1)
  const isLong = days > Math.max(minSilentDays, usualGapFactor * (gap ?? defaultGapDays))
  return {
    days_silent: countDaysSince(last, now),
    usual_gap: gap === null ? null : Math.round(gap * 100) / 100,
    silent: isLong && (days <= abandonedAfterDays || !othersSend),
  }
}

export const isStillSending = ({ last }: LatestLeads, now: Date) => countDaysSince(last, now) <= abandonedAfterDays
/** A new site is given the same time as a silent one. */
export const isSilentTooLong = (since: Date, now: Date) => countDaysSince(since, now) > minSilentDays
