import { addDays, type CalendarDay } from '#contract/days.ts'
import type { BillingTerms } from '../contract.ts'
import { defaultDisputeDays } from '../labels.ts'

/**
 * Returns these terms and new ones that copy the latest. They start today or, if the latest start or end later, on the day
 * after; an open end of the latest becomes the day before.
 */
export function addTerms(all: readonly BillingTerms[], today: CalendarDay): BillingTerms[] {
  const latest = all.toSorted((a, b) => a.from.localeCompare(b.from)).at(-1)
  if (!latest) return [createTerms(today)]
  const last = latest.to ?? latest.from
  const from = last < today ? today : addDays(last, 1)
  const closed = { ...latest, to: latest.to ?? addDays(from, -1) }
  return [...all.map((one) => (one === latest ? closed : one)), { ...latest, from, to: null }]
}

const createTerms = (from: CalendarDay): BillingTerms => ({
  from,
  to: null,
  kind: 'flat',
  fee: 0,
  prices: { Form: 0, Call: 0 },
  included: 0,
  cap: null,
  dispute_days: defaultDisputeDays,
})
