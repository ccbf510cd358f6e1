import type { CalendarDay } from '#contract/days.ts'
import type { BillingTerms } from '#domains/campaigns/terms/contract.ts'
import type { LeadStanding, LineKind } from '../labels.ts'
import type { StatementDays } from './billing-cycles.ts'
import { type BillableLead, computeCharges, type StatementCharge } from './compute-charges.ts'

/** A line, in cents. `refers_to` is the first day of the sent statement that it corrects. */
export type LedgerLine = Omit<StatementCharge, 'kind'> & { kind: LineKind; refers_to: CalendarDay | null }

/** A cycle with its terms, its current verified leads, and the lines frozen when it was sent. */
export type LedgerCycle = StatementDays & {
  terms: BillingTerms
  leads: readonly BillableLead[]
  /** Null while it is open. */
  sent: readonly LedgerLine[] | null
}

/** Returns why a lead is no longer among the verified leads of its cycle. */
export type ExplainGone = (leadId: number) => string

/**
 * Returns the lines of each cycle, oldest first. A sent cycle has its frozen lines. An open cycle has its current
 * charges, and the first open cycle after a sent one also has the corrections of the sent one. So a sent cycle's lines
 * and all lines that refer to it always add up to its current charges.
 */
export function computeLedger(cycles: readonly LedgerCycle[], explainGone: ExplainGone): (readonly LedgerLine[])[] {
  const frozen = cycles.flatMap(({ sent }) => sent ?? [])
  return cycles.map(({ terms, leads, sent }, index) => {
    if (sent) return sent
    const own = computeCharges(terms, leads).map((charge) => ({ ...charge, refers_to: null }))
    const corrected = listCorrectedCycles(cycles, index, (cycle) => cycle.sent !== null)
    return [...own, ...corrected.flatMap((cycle) => correctCycle(cycle, frozen, explainGone))]
  })
}

/** Returns the sent cycles whose corrections are on this open cycle: those between it and the previous open one. */
export function listCorrectedCycles<Cycle>(
  cycles: readonly Cycle[],
  index: number,
  isSent: (cycle: Cycle) => boolean,
): Cycle[] {
  const before = cycles.slice(0, index)
  return before.slice(before.findLastIndex((cycle) => !isSent(cycle)) + 1)
}

function correctCycle(cycle: LedgerCycle, frozen: readonly LedgerLine[], explainGone: ExplainGone): LedgerLine[] {
  const now = new Map(computeCharges(cycle.terms, cycle.leads).map((charge) => [charge.lead_id, charge]))
  const booked = new Map<number | null, { cents: number; standing: LeadStanding | null }>()
  const own = cycle.sent?.filter(({ refers_to }) => refers_to === null) ?? []
  const corrections = frozen.filter(({ refers_to }) => refers_to === cycle.from)
  for (const { lead_id, cents, standing } of [...own, ...corrections])
    booked.set(lead_id, { cents: (booked.get(lead_id)?.cents ?? 0) + cents, standing })
  return [...new Set([...booked.keys(), ...now.keys()])].flatMap((lead_id) => {
    const before = booked.get(lead_id) ?? absent
    const charge = now.get(lead_id)
    const after = charge ?? absent
    const cents = after.cents - before.cents
    if (cents === 0 && after.standing === before.standing) return []
    const isCredit = cents < 0 || (cents === 0 && after.standing === 'gone')
    return {
      kind: isCredit ? ('credit' as const) : ('adjustment' as const),
      lead_id,
      cents,
      standing: after.standing,
      because: charge ? describeChange(before.standing, charge) : explainGone(lead_id ?? 0),
      refers_to: cycle.from,
    }
  })
}

const absent = { cents: 0, standing: 'gone' } as const

function describeChange(before: LeadStanding | null, { because, standing }: StatementCharge): string {
  if (before === 'gone') return `${because}; verified, or moved to this campaign, after the statement was sent`
  if (before === 'disputed' && (standing === 'billed' || standing === 'included' || standing === 'over_cap'))
    return `${because}; no longer disputed`
  return because
}
