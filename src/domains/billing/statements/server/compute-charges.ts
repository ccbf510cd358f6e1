import type { BillingTerms } from '#domains/campaigns/terms/contract.ts'
import { toCents } from '../../cents.ts'
import type { LeadStanding, LineKind } from '../labels.ts'

/** A verified lead of a cycle. */
export type BillableLead = {
  id: number
  type: 'Form' | 'Call'
  archived: boolean
  hidden: boolean
  /** The client disputes the lead, and the dispute is undecided. */
  disputed: boolean
}

/** What a cycle charges: its fee, and a line for each verified lead. */
export type StatementCharge = {
  kind: Extract<LineKind, 'fee' | 'lead' | 'not_billed'>
  lead_id: number | null
  cents: number
  /** Null for the fee. */
  standing: LeadStanding | null
  because: string
}

/**
 * Returns the charges of a cycle under its terms, leads in order of arrival. Archived and hidden leads are not billed
 * and do not count as included. A disputed lead is billed until the dispute is accepted.
 */
export function computeCharges(terms: BillingTerms, leads: readonly BillableLead[]): StatementCharge[] {
  const cap = terms.cap === null ? Number.POSITIVE_INFINITY : toCents(terms.cap)
  const charges: StatementCharge[] = []
  let spent = 0
  if (terms.kind !== 'per_lead') {
    spent = Math.min(toCents(terms.fee), cap)
    charges.push({ kind: 'fee', lead_id: null, cents: spent, standing: null, because: describeFee(terms) })
  }
  let included = terms.kind === 'per_lead' ? 0 : terms.kind === 'flat' ? Number.POSITIVE_INFINITY : terms.included
  for (const lead of leads) {
    const unbilled = lead.archived ? 'archived' : lead.hidden ? 'hidden' : included > 0 ? 'included' : null
    if (unbilled === 'included') included -= 1
    if (unbilled) {
      charges.push(notBilled(lead, unbilled))
      continue
    }
    const price = toCents(terms.prices[lead.type])
    const left = cap - spent
    if (price > 0 && left === 0) {
      charges.push(notBilled(lead, 'over_cap'))
      continue
    }
    const cents = Math.min(price, left)
    spent += cents
    charges.push(toBilledCharge(lead, cents, cents < price))
  }
  return charges
}

const describeFee = ({ kind, included }: BillingTerms) => (kind === 'flat' ? 'Flat fee' : `Fee for ${included} leads`)

const reasons = {
  included: 'Covered by the fee',
  over_cap: 'Over the cap',
  archived: 'Archived',
  hidden: 'Hidden',
} as const

const notBilled = ({ id, disputed }: BillableLead, standing: keyof typeof reasons): StatementCharge => ({
  kind: 'not_billed',
  lead_id: id,
  cents: 0,
  standing: disputed ? 'disputed' : standing,
  because: withDispute(reasons[standing], disputed),
})

const toBilledCharge = ({ id, type, disputed }: BillableLead, cents: number, isCapped: boolean): StatementCharge => ({
  kind: 'lead',
  lead_id: id,
  cents,
  standing: disputed ? 'disputed' : 'billed',
  because: withDispute(`Verified ${type.toLowerCase()}${isCapped ? ', up to the cap' : ''}`, disputed),
})

const withDispute = (because: string, disputed: boolean) =>
  disputed ? `${because}; disputed, not decided yet` : because
