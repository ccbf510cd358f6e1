/** The last leads of a client site through one provider: when the first and the last of them came, and how many they are. */
export type Latest = { first: Date; last: Date; count: number }
export type Silence = { days_silent: number; usual_gap: number | null; silent: boolean }

const aDay = 86_400_000
/** Nobody is silent before that, however much usually comes. */
const atLeast = 7
const timesUsual = 5
/** Who sent one lead only is taken for somebody who sends one a week. */
const unknownGap = 7
/** After that the site has given the provider up, if it still sends through the other one. */
const givenUp = 180

export const daysSince = (from: Date, now: Date) => Math.max(0, Math.floor((now.getTime() - from.getTime()) / aDay))

/**
 * Silent is a provider of which nothing came for longer than seven days and five times the usual gap, the mean one between the
 * last leads. One that has been silent for half a year is forgotten, unless nothing else comes either.
 */
export function silenceOf({ first, last, count }: Latest, now: Date, othersSend: boolean): Silence {
  const days = (now.getTime() - last.getTime()) / aDay
  const gap = count < 2 ? null : (last.getTime() - first.getTime()) / aDay / (count - 1)
  const isLong = days > Math.max(atLeast, timesUsual * (gap ?? unknownGap))
  return {
    days_silent: daysSince(last, now),
    usual_gap: gap === null ? null : Math.round(gap * 100) / 100,
    silent: isLong && (days <= givenUp || !othersSend),
  }
}

export const sends = ({ last }: Latest, now: Date) => daysSince(last, now) <= givenUp
/** A new site is given the same time as a silent one. */
export const isOverdue = (since: Date, now: Date) => daysSince(since, now) > atLeast
