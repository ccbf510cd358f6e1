import { addDays, type CalendarDay, formatDaySpan, formatLongDay } from '#contract/days.ts'
import { formatBriefMoney } from '#contract/money.ts'

type Days = { [Day in 'from' | 'to']: CalendarDay | null } // an emptied field has none

/** Says from when the service fee applies: after terms that end, until the next ones begin. */
export function describeGaps(all: readonly Days[], serviceFee: number): string[] {
  const spans = all
    .flatMap(({ from, to }) => (from ? { from, to } : []))
    .toSorted((a, b) => a.from.localeCompare(b.from))
  return spans.flatMap(({ to }, index) => {
    if (to === null) return []
    const day = addDays(to, 1)
    const next = spans[index + 1]?.from
    if (next !== undefined && next <= day) return []
    const days = next === undefined ? `From ${formatLongDay(day)}` : formatDaySpan({ from: day, to: addDays(next, -1) })
    return `${days}: the service fee of ${formatBriefMoney(serviceFee)}.`
  })
}
