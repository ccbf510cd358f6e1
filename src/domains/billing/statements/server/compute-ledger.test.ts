import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDays, clampDayOfMonth } from '#contract/days.ts'
import { type BillingTerms, billingTermsSchema } from '#domains/campaigns/terms/contract.ts'
import { listBillingCycles } from './billing-cycles.ts'
import {
  type BillableLead,
  computeCharges,
  computeLedger,
  type LedgerCycle,
  type LedgerLine,
} from './compute-ledger.ts'

const makeTerms = (terms: Partial<BillingTerms>) => billingTermsSchema.parse({ from: '2024-01-01', ...terms })
const makeLead = (id: number, lead: Partial<BillableLead> = {}): BillableLead => ({
  id,
  type: 'Form',
  hidden: false,
  disputed: false,
  ...lead,
})
const show = (terms: Partial<BillingTerms>, leads: BillableLead[]) =>
  computeCharges(makeTerms({ kind: 'per_lead', ...terms }), leads).map(({ kind, cents }) => `${kind} ${cents}`)

test('a flat fee covers every verified lead, and each is on the statement [RPT-07]', () => {
  expect(show({ kind: 'flat', fee: 1500 }, [makeLead(1), makeLead(2)])).toEqual([
    'fee 150000',
    'not_billed 0',
    'not_billed 0',
  ])
})

test('each lead has the price of its type; hidden ones are not billed [RPT-07]', () => {
  const leads = [makeLead(1), makeLead(2, { type: 'Call' }), makeLead(3, { hidden: true })]
  expect(show({ prices: { Form: 19.99, Call: 0.1 } }, leads)).toEqual(['lead 1999', 'lead 10', 'not_billed 0'])
})

test('the fee covers the first leads, counting only billable ones [RPT-07]', () => {
  const leads = [makeLead(1, { hidden: true }), makeLead(2), makeLead(3), makeLead(4)]
  expect(show({ kind: 'flat_plus', fee: 100, included: 2, prices: { Form: 30, Call: 0 } }, leads)).toEqual([
    'fee 10000',
    'not_billed 0',
    'not_billed 0',
    'not_billed 0',
    'lead 3000',
  ])
})

test('the lead that crosses the cap is billed for the remainder, and later ones are not billed [RPT-07]', () => {
  const leads = [1, 2, 3, 4].map((id) => makeLead(id))
  expect(show({ prices: { Form: 40, Call: 0 }, cap: 100 }, leads)).toEqual([
    'lead 4000',
    'lead 4000',
    'lead 2000',
    'not_billed 0',
  ])
  expect(show({ kind: 'flat', fee: 120, cap: 100 }, [])).toEqual(['fee 10000'])
  // So is one whose type has no price: it is free before the cap, and over it afterwards.
  const calls = [makeLead(1, { type: 'Call' }), makeLead(2), makeLead(3, { type: 'Call' })]
  expect(show({ prices: { Form: 40, Call: 0 }, cap: 40 }, calls)).toEqual(['lead 0', 'lead 4000', 'not_billed 0'])
})

test('a cycle starts on the due day, or the last day of a month without it; each day is in one cycle [RPT-07]', () => {
  expect(listBillingCycles(31, '2024-01-31', '2024-03-30', []).map(({ from, to }) => `${from} ${to}`)).toEqual([
    '2024-01-31 2024-02-28',
    '2024-02-29 2024-03-30',
  ])
  // A sent cycle keeps its days when the due day changes; the next open cycle is short.
  const sent = [{ from: '2024-01-31', to: '2024-02-28' }]
  expect(listBillingCycles(15, '2024-01-31', '2024-03-20', sent)).toEqual([
    ...sent,
    { from: '2024-02-29', to: '2024-03-14' },
    { from: '2024-03-15', to: '2024-04-14' },
  ])
})

test('a correction that was sent is not made again: a lead is billed and credited once [RPT-07] [ACCT-02]', () => {
  const days = { from: '2024-01-01', to: '2024-01-31' }
  const next = { from: '2024-02-01', to: '2024-02-29' }
  const last = { from: '2024-03-01', to: '2024-03-31' }
  const terms = makeTerms({ kind: 'per_lead', prices: { Form: 10, Call: 20 } })
  const sent = computeCharges(terms, [makeLead(1)]).map((line) => ({ ...line, refers_to: null }))
  // Lead 1 is gone, and lead 2 was verified late.
  const january = { ...days, terms, sent, leads: [makeLead(2)] }
  const open = { ...last, terms, sent: null, leads: [] }
  const compute = (february: LedgerCycle) => computeLedger([january, february, open], () => 'Gone')
  const [, corrections] = compute({ ...next, terms, sent: null, leads: [] })
  expect(corrections!.map(({ lead_id, cents }) => [lead_id, cents])).toEqual([
    [1, -1000],
    [2, 1000],
  ])
  expect(compute({ ...next, terms, sent: corrections!, leads: [] })[2]).toEqual([])
})

test('a correction of a disputed lead says that the dispute is undecided, or is one no longer [RPT-06] [RPT-07]', () => {
  const days = { from: '2024-01-01', to: '2024-01-31' }
  const next = { from: '2024-02-01', to: '2024-02-29' }
  const terms = makeTerms({ kind: 'per_lead', prices: { Form: 10, Call: 20 } })
  const sent = computeCharges(terms, [makeLead(1, { disputed: true })]).map((line) => ({ ...line, refers_to: null }))
  const reasonFor = (lead: Partial<BillableLead>) =>
    computeLedger(
      [
        { ...days, terms, sent, leads: [makeLead(1, lead)] },
        { ...next, terms, sent: null, leads: [] },
      ],
      () => 'Gone',
    )[1]!.map(({ because }) => because)
  expect(reasonFor({ disputed: true })).toEqual([])
  expect(reasonFor({ disputed: true, type: 'Call' })).toEqual(['Call · dispute open'])
  expect(reasonFor({ disputed: true, hidden: true })).toEqual(['Hidden · dispute open'])
  // The client took it back, or the agency refused it.
  expect(reasonFor({})).toEqual(['Form · no longer disputed'])
  expect(reasonFor({ hidden: true })).toEqual(['Hidden'])
  // A lead that was verified since came earlier and reaches the cap.
  const capped = { ...terms, cap: 10 }
  const cycles = [
    { ...days, terms: capped, sent, leads: [makeLead(2), makeLead(1)] },
    { ...next, terms: capped, sent: null, leads: [] },
  ]
  expect(computeLedger(cycles, () => 'Gone')[1]).toMatchObject([
    { lead_id: 1, cents: -1000, because: 'Over the cap · no longer disputed' },
    { lead_id: 2, cents: 1000 },
  ])
})

test('what statements up to 0.1 say of archived leads, and of free leads over the cap, is not billed later', () => {
  const days = { from: '2024-01-01', to: '2024-01-31' }
  const next = { from: '2024-02-01', to: '2024-02-29' }
  const terms = makeTerms({ kind: 'flat_plus', fee: 100, included: 1, prices: { Form: 10, Call: 0 }, cap: 110 })
  const then = (lead_id: number, standing: LedgerLine['standing'], cents: number, because: string): LedgerLine => {
    return { kind: cents > 0 ? 'lead' : 'not_billed', lead_id, cents, standing, because, refers_to: null }
  }
  const sent = [
    { kind: 'fee', lead_id: null, cents: 10_000, standing: null, because: 'Fee for 1 leads', refers_to: null } as const,
    then(1, 'archived', 0, 'Archived'),
    then(2, 'disputed', 0, 'Archived; disputed, not decided yet'),
    then(3, 'included', 0, 'Covered by the fee'),
    then(4, 'billed', 1000, 'Form'),
    then(5, 'billed', 0, 'Call'),
  ]
  const leads = [makeLead(1), makeLead(2, { disputed: true }), makeLead(3), makeLead(4), makeLead(5, { type: 'Call' })]
  const open = computeLedger(
    [
      { ...days, terms, sent, leads },
      { ...next, terms, sent: null, leads: [] },
    ],
    () => 'Gone',
  )[1]!
  expect(open).toMatchObject([{ kind: 'fee', because: 'Fee for 1 lead' }])
})

// ——— an independent calculator that knows nothing about lines ———

type SimulatedLead = {
  id: number
  day: string
  type: 'Form' | 'Call'
  ours: boolean
  verified: boolean
}

/** Returns cents. Written only from the rules. */
function calculate(terms: BillingTerms, leads: SimulatedLead[], from: string, to: string): number {
  const counted = leads
    .filter((lead) => lead.ours && lead.verified && lead.day >= from && lead.day <= to)
    .sort((a, b) => (a.day === b.day ? a.id - b.id : a.day < b.day ? -1 : 1))
  const cents = (dollars: number) => Number(dollars.toFixed(2).replace('.', ''))
  const prices = counted.map(({ type }) => cents(terms.prices[type]))
  const paid = terms.kind === 'flat' ? [] : terms.kind === 'flat_plus' ? prices.slice(terms.included) : prices
  const sum = paid.reduce((total, price) => total + price, terms.kind === 'per_lead' ? 0 : cents(terms.fee))
  return terms.cap === null ? sum : Math.min(sum, cents(terms.cap))
}

/** Cycles by counting due days month by month. */
function findCycle(due: number, day: string): { from: string; to: string } {
  const [year = 0, month = 0] = day.split('-').map(Number)
  const starts = [-1, 0, 1, 2].map((offset) => clampDayOfMonth(year, month + offset, due))
  const index = starts.findLastIndex((start) => start <= day)
  return { from: starts[index]!, to: addDays(starts[index + 1]!, -1) }
}

const money = fc.integer({ min: 0, max: 30_000 }).map((cents) => cents / 100)
const anyTerms = fc
  .record({
    kind: fc.constantFrom('flat', 'per_lead', 'flat_plus'),
    fee: money,
    prices: fc.record({ Form: money, Call: money }),
    included: fc.integer({ min: 0, max: 4 }),
    cap: fc.option(money, { nil: null }),
  })
  .map((terms) => makeTerms(terms as Partial<BillingTerms>)) // the kinds match the schema

/** Days around the ends of two winters, one with a leap day. */
const anyDay = fc.integer({ min: 0, max: 200 }).map((days) => addDays('2023-11-20', days))
const anyDue = fc.oneof(fc.constantFrom(28, 29, 30, 31), fc.integer({ min: 1, max: 31 }))
const pick = fc.nat(1000)
const anyStep = fc.oneof(
  fc.record({ do: fc.constant('add' as const), day: anyDay, type: fc.constantFrom('Form' as const, 'Call' as const) }),
  fc.record({ do: fc.constant('verify' as const), pick }),
  fc.record({ do: fc.constant('move' as const), pick }),
  fc.record({ do: fc.constant('retype' as const), pick }),
  fc.record({ do: fc.constant('redate' as const), pick, day: anyDay }),
  fc.record({ do: fc.constant('due' as const), due: anyDue }),
  fc.record({ do: fc.constant('terms' as const), terms: anyTerms }),
  fc.record({ do: fc.constant('send' as const), pick }),
)

test('after any sequence of sends and changes, every cent is billed where it is due, and every verified lead once [RPT-07, ACCT-02]', () => {
  const today = '2024-06-07'
  fc.assert(
    fc.property(anyDue, anyTerms, fc.array(anyStep, { maxLength: 60 }), (startDue, startTerms, steps) => {
      let due = startDue
      let terms = startTerms
      const leads: SimulatedLead[] = []
      const sent = new Map<string, { to: string; terms: BillingTerms; lines: readonly LedgerLine[] }>()

      const read = () => {
        const days = [...sent].map(([from, { to }]) => ({ from, to })).sort((a, b) => (a.from < b.from ? -1 : 1))
        const cycles = listBillingCycles(due, '2023-11-20', today, days).map(
          ({ from, to }): LedgerCycle => ({
            from,
            to,
            terms: sent.get(from)?.terms ?? terms,
            sent: sent.get(from)?.lines ?? null,
            leads: leads
              .filter((lead) => lead.ours && lead.verified && lead.day >= from && lead.day <= to)
              .sort((a, b) => a.day.localeCompare(b.day) || a.id - b.id)
              .map(({ id, type }) => makeLead(id, { type })),
          }),
        )
        const lines = computeLedger(cycles, () => 'Gone')
        return cycles.map((cycle, index) => ({ ...cycle, lines: lines[index]! }))
      }

      const check = () => {
        const statements = read()
        const all = statements.flatMap(({ lines }) => lines)
        for (const { from, to, terms: own, lines } of statements) {
          const billed = [
            ...lines.filter(({ refers_to }) => refers_to === null),
            ...all.filter(({ refers_to }) => refers_to === from),
          ]
          expect(billed.reduce((sum, { cents }) => sum + cents, 0)).toBe(calculate(own, leads, from, to))
          const once = lines.map(({ lead_id, refers_to }) => `${lead_id} ${refers_to}`)
          expect(new Set(once).size).toBe(once.length)
        }
        for (const { id, ours, verified } of leads) {
          const last = new Map<string, string | null>()
          for (const { from, lines } of statements)
            for (const line of lines) if (line.lead_id === id) last.set(line.refers_to ?? from, line.standing)
          const standings = [...last.values()].filter((standing) => standing !== 'gone')
          expect(standings.length).toBe(ours && verified ? 1 : 0)
        }
        // No one looks for a correction on an old cycle that bills nothing.
        for (const { lines } of statements.slice(0, -2).filter((one) => one.sent === null))
          expect(lines.length === 0 || lines.some(({ refers_to }) => refers_to === null)).toBe(true)
        if (sent.size === 0) for (const { from, to } of statements) expect({ from, to }).toEqual(findCycle(due, from))
      }

      for (const step of steps) {
        const lead = 'pick' in step ? leads[step.pick % Math.max(leads.length, 1)] : undefined
        if (step.do === 'add')
          leads.push({
            id: leads.length + 1,
            day: step.day,
            type: step.type,
            ours: true,
            verified: true,
          })
        else if (step.do === 'due') due = step.due
        else if (step.do === 'terms') terms = step.terms
        else if (step.do === 'send') {
          const ended = read().filter((one) => one.to < today && one.sent === null)
          const one = ended[step.pick % Math.max(ended.length, 1)]
          if (one) sent.set(one.from, { to: one.to, terms: one.terms, lines: one.lines })
        } else if (lead && step.do === 'verify') lead.verified = !lead.verified
        else if (lead && step.do === 'move') lead.ours = !lead.ours
        else if (lead && step.do === 'retype') lead.type = lead.type === 'Form' ? 'Call' : 'Form'
        else if (lead && step.do === 'redate') lead.day = step.day
        check()
      }
    }),
    { numRuns: 300 },
  )
})
