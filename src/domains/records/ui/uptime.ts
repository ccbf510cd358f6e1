import { msPerDay } from '#contract/days.ts'

export const uptimeDays = 90

type Status = 0 | 1 | null
type UptimeSpan = { from: number; to: number; status: Status }

/**
 * Returns the spans of the last 90 days from a log of changes, newest first. What a site was before its first entry is not known; without
 * entries it has always been what it is now.
 */
export function computeUptime(
  changes: readonly { created_at: string; status: Status }[],
  now: Status,
  at: number,
): { spans: UptimeSpan[]; share: number | null } {
  const begins = at - uptimeDays * msPerDay
  const spans: UptimeSpan[] = []
  let to = at
  for (const { created_at, status } of changes) {
    const from = Math.max(begins, Date.parse(created_at))
    if (from < to) spans.unshift({ from, to, status })
    to = Math.min(to, from)
    if (from === begins) break
  }
  if (to > begins) spans.unshift({ from: begins, to, status: changes.length > 0 ? null : now })
  const sum = (status: Status) =>
    spans.reduce((total, span) => total + (span.status === status ? span.to - span.from : 0), 0)
  const known = sum(0) + sum(1)
  return { spans, share: known === 0 ? null : Math.floor((1000 * sum(1)) / known) / 10 }
}
