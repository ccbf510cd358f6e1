import { countOf } from '#contract/count-of.ts'
import { type CalendarDay, shortMonthNames } from '#contract/days.ts'
import type { BillingTerms } from '#domains/campaigns/terms/contract.ts'
import { toCents } from '../../cents.ts'
import type { LeadStanding, LineKind } from '../labels.ts'
import type { StatementDays } from './billing-cycles.ts'

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
 * Returns the lines of each cycle, oldest first. A sent cycle has its frozen lines, an open cycle its current charges, and one open cycle
 * also has the corrections of all sent ones. So a sent cycle's lines and all lines that refer to it always add up to its current charges.
 */
export function computeLedger(cycles: readonly LedgerCycle[], explainGone: ExplainGone): (readonly LedgerLine[])[] {
  const frozen = cycles.flatMap(({ sent }) => sent ?? [])
  const own = cycles.map(
    ({ terms, leads, sent }) => sent ?? computeCharges(terms, leads).map((charge) => ({ ...charge, refers_to: null })),
  )
  const lastSent = cycles.findLastIndex(({ sent }) => sent !== null)
  const correcting = findCorrecting(cycles, lastSent, (_, index) => own[index]!.length > 0)
  const sent = cycles.filter((cycle) => cycle.sent !== null)
  return own.map((lines, index) =>
    index === correcting ? [...lines, ...sent.flatMap((cycle) => correctCycle(cycle, frozen, explainGone))] : lines,
  )
}

/**
 * Returns the index of the open cycle with the corrections: the first one after all that were sent. One without charges of its own is passed
 * over once the next one has ended, because no one looks for a statement there. The last cycle is today's.
 */
export const findCorrecting = <Cycle>(
  cycles: readonly Cycle[],
  lastSent: number,
  hasCharges: (cycle: Cycle, index: number) => boolean,
): number =>
  cycles.findIndex((cycle, index) => index > lastSent && (index >= cycles.length - 2 || hasCharges(cycle, index)))

function correctCycle(cycle: LedgerCycle, frozen: readonly LedgerLine[], explainGone: ExplainGone): LedgerLine[] {
  const booked = new Map<number | null, { cents: number; standing: LeadStanding | null; because: string }>()
  const own = cycle.sent?.filter(({ refers_to }) => refers_to === null) ?? []
  const corrections = frozen.filter(({ refers_to }) => refers_to === cycle.from)
  for (const { lead_id, cents, standing, because } of [...own, ...corrections])
    booked.set(lead_id, { cents: (booked.get(lead_id)?.cents ?? 0) + cents, standing, because })
  const charges = computeCharges(cycle.terms, cycle.leads, (id) => wasUnbilledAsArchived(booked.get(id)))
  const now = new Map(charges.map((charge) => [charge.lead_id, charge]))
  return [...new Set([...booked.keys(), ...now.keys()])].flatMap((lead_id) => {
    const before = booked.get(lead_id) ?? absent
    const charge = now.get(lead_id)
    const after = charge ?? absent
    const cents = after.cents - before.cents
    if (cents === 0 && isSameStanding(before.standing, after.standing)) return []
    const isCredit = cents < 0 || (cents === 0 && after.standing === 'gone')
    return {
      kind: isCredit ? ('credit' as const) : ('adjustment' as const),
      lead_id,
      cents,
      standing: after.standing,
      because: charge ? describeChange(before.standing, charge, cycle) : explainGone(lead_id ?? 0),
      refers_to: cycle.from,
    }
  })
}

/** Until 0.1 archived leads were not billed. Where a statement says so, that stands: no one is billed years later. */
const wasUnbilledAsArchived = (line: { standing: LeadStanding | null; because: string } | undefined): boolean =>
  line !== undefined && (line.standing === 'archived' || /^Archived(;| ·)/.test(line.because)) // the semicolon until 0.2

/** Until 0.1 a lead without a price was billed $0 over the cap, too. */
const isSameStanding = (before: LeadStanding | null, after: LeadStanding | null): boolean =>
  before === after || (before === 'billed' && after === 'over_cap')

const absent = { cents: 0, standing: 'gone' } as const

function describeChange(before: LeadStanding | null, { because, standing }: StatementCharge, { from }: StatementDays) {
  if (before === 'gone') return `${because} · added after the ${formatMonth(from)} statement was sent`
  if (before === 'disputed' && (standing === 'billed' || standing === 'included' || standing === 'over_cap'))
    return `${because} · no longer disputed`
  return because
}

const formatMonth = (day: CalendarDay) => shortMonthNames[Number(day.slice(5, 7)) - 1]

/** A verified lead of a cycle. */
export type BillableLead = {
  id: number
  type: 'Form' | 'Call'
  hidden: boolean
  /** The client disputes the lead, and the dispute is undecided. */
  disputed: boolean
}

/** What a cycle charges: its fee, and a line for each verified lead. */
type StatementCharge = {
  kind: Extract<LineKind, 'fee' | 'lead' | 'not_billed'>
  lead_id: number | null
  cents: number
  /** Null for the fee. */
  standing: LeadStanding | null
  because: string
}

/**
 * Returns the charges of a cycle under its terms, leads in order of arrival. Hidden leads are not billed and do not count as included;
 * whether a lead is archived does not matter, because anyone may archive. A disputed lead is billed until the dispute is accepted.
 */
export function computeCharges(
  terms: BillingTerms,
  leads: readonly BillableLead[],
  isLeftArchived: (id: number) => boolean = () => false,
): StatementCharge[] {
  const cap = terms.cap === null ? Number.POSITIVE_INFINITY : toCents(terms.cap)
  const charges: StatementCharge[] = []
  let spent = 0
  if (terms.kind !== 'per_lead') {
    spent = Math.min(toCents(terms.fee), cap)
    charges.push({ kind: 'fee', lead_id: null, cents: spent, standing: null, because: describeFee(terms) })
  }
  let included = terms.kind === 'per_lead' ? 0 : terms.kind === 'flat' ? Number.POSITIVE_INFINITY : terms.included
  for (const lead of leads) {
    const unbilled = isLeftArchived(lead.id) ? 'archived' : lead.hidden ? 'hidden' : included > 0 ? 'included' : null
    if (unbilled === 'included') included -= 1
    if (unbilled) {
      charges.push(notBilled(lead, unbilled))
      continue
    }
    const price = toCents(terms.prices[lead.type])
    const left = cap - spent
    if (left === 0) {
      charges.push(notBilled(lead, 'over_cap'))
      continue
    }
    const cents = Math.min(price, left)
    spent += cents
    charges.push(toBilledCharge(lead, cents, cents < price))
  }
  return charges
}

const describeFee = ({ kind, included }: BillingTerms) =>
  kind === 'flat' ? 'Flat fee' : `Fee for ${countOf(included, 'lead')}`

/** Stored with the lines of sent statements, which `document.ts` knows by these words: they stay as they are. */
export const unbilledReasons = {
  included: 'Covered by the fee',
  over_cap: 'Over the cap',
  archived: 'Archived',
  hidden: 'Hidden',
} as const

const notBilled = ({ id, disputed }: BillableLead, standing: keyof typeof unbilledReasons): StatementCharge => ({
  kind: 'not_billed',
  lead_id: id,
  cents: 0,
  standing: disputed ? 'disputed' : standing,
  because: withDispute(unbilledReasons[standing], disputed),
})

const toBilledCharge = ({ id, type, disputed }: BillableLead, cents: number, isCapped: boolean): StatementCharge => ({
  kind: 'lead',
  lead_id: id,
  cents,
  standing: disputed ? 'disputed' : 'billed',
  because: withDispute(isCapped ? `${type} (capped)` : type, disputed),
})

const withDispute = (because: string, disputed: boolean) => (disputed ? `${because} · dispute open` : because)
