import { addDays, type CalendarDay } from '#contract/days.ts'
import { computeBillingCycle } from '#domains/campaigns/public.ts'
import { firstNumberedDay } from '../contract.ts'

/** The days of a statement, both included. */
export type StatementDays = { from: CalendarDay; to: CalendarDay }

/**
 * Returns the cycles of a campaign from its first day to today, oldest first. Sent cycles keep their days even if the
 * due day has changed; the others fill the gaps, so that every day is in exactly one cycle.
 */
export function listBillingCycles(
  dueDay: number,
  firstDay: CalendarDay,
  today: CalendarDay,
  sent: readonly StatementDays[],
): StatementDays[] {
  const cycles: StatementDays[] = []
  let day = sent[0] && sent[0].from <= firstDay ? sent[0].from : computeBillingCycle(dueDay, firstDay).from
  if (day < firstNumberedDay) day = firstNumberedDay // statements of earlier days have no number
  while (day <= today) {
    const frozen = sent.find(({ from }) => from === day)
    const nextSent = sent.find(({ from }) => from > day)?.from
    const { next } = computeBillingCycle(dueDay, day)
    const end = nextSent && nextSent < next ? nextSent : next
    cycles.push(frozen ? { from: frozen.from, to: frozen.to } : { from: day, to: addDays(end, -1) })
    day = addDays(cycles.at(-1)!.to, 1)
  }
  return cycles
}
