import { shortMonthNames } from '#contract/days.ts'
import { formatMoney } from '#contract/money.ts'
import type { StatementDocument } from './contract.ts'
import { groupTitles } from './labels.ts'

type DocumentGroup = StatementDocument['groups'][number]

/** Nov 9, 2026 */
export function formatDocumentDay(day: string): string {
  const [year, month, number] = day.split('-').map(Number) as [number, number, number] // yyyy-MM-dd
  return `${shortMonthNames[month - 1]} ${number}, ${year}`
}

export const formatCycle = ({ from, to }: { from: string; to: string }) =>
  `${formatDocumentDay(from)} – ${formatDocumentDay(to)}`

/** Calls: 3 × $62.50 */
export function describeGroup({ kind, count, price }: DocumentGroup): string {
  if (kind === 'fee') return groupTitles.fee
  if (kind === 'calls' || kind === 'forms')
    return price === null ? `${groupTitles[kind]}: ${count}` : `${groupTitles[kind]}: ${count} × ${formatMoney(price)}`
  return `${groupTitles[kind]}: ${count}`
}

export const getDocumentTitle = ({ number }: StatementDocument) =>
  number ? `Statement ${number}` : 'Statement, not sent yet'

/** What is shown above the lines. */
export const listDocumentFacts = ({ campaign, from, to, issued_on, due_on }: StatementDocument): [string, string][] => [
  ['Campaign', campaign],
  ['Billing cycle', formatCycle({ from, to })],
  ...(issued_on ? [['Issued', formatDocumentDay(issued_on)] as [string, string]] : []),
  ...(due_on ? [['Due', formatDocumentDay(due_on)] as [string, string]] : []),
]

/** Whether the client owes it; the rest is not billed. */
export const getTotalLabel = ({ state, total }: StatementDocument) =>
  state === 'paid' ? 'Total, paid' : total < 0 ? 'Total in your favor' : 'Total due'
