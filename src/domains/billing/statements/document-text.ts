import { formatDaySpan, formatLongDay } from '#contract/days.ts'
import { formatMoney } from '#contract/money.ts'
import type { StatementDocument } from './contract.ts'
import { groupTitles } from './labels.ts'

type DocumentGroup = StatementDocument['groups'][number]

/** Calls: 1,200 × $62.50 */
export function describeGroup({ kind, count, price }: DocumentGroup): string {
  if (kind === 'fee') return groupTitles.fee
  const counted = `${groupTitles[kind]}: ${count.toLocaleString('en-US')}`
  const isPriced = price !== null && (kind === 'calls' || kind === 'forms')
  return isPriced ? `${counted} × ${formatMoney(price)}` : counted
}

type DocumentLine = DocumentGroup['lines'][number]

/** What a line is for; null for one that is for no lead. */
export const nameLine = ({ lead_id, name }: DocumentLine) => (lead_id === null ? null : (name ?? 'Unnamed lead'))

/** Which columns say something of a group's lines: a fee has no day, and what is not billed no amount. */
export const findLineColumns = ({ kind, lines }: DocumentGroup) => ({
  hasLeads: lines.some(({ lead_id, day }) => lead_id !== null || day !== null),
  hasAmounts: kind !== 'not_billed',
})

export const getDocumentTitle = ({ number }: StatementDocument) =>
  number ? `Statement ${number}` : 'Statement, not sent yet'

/** When it is to be paid: what is in the client’s favor, or comes to nothing, has no such day. */
export const getDueDay = (storedDay: string | null, total: number) => (total > 0 ? storedDay : null)

/** What is shown above the lines. */
export const listDocumentFacts = ({
  campaign,
  from,
  to,
  days_timezone_name,
  issued_on,
  due_on,
}: StatementDocument): [string, string][] => [
  ['Campaign', campaign],
  ['Billing cycle', formatDaySpan({ from, to })],
  ...(days_timezone_name ? [['Days begin', `at midnight ${days_timezone_name}`] as [string, string]] : []),
  ...(issued_on ? [['Issued', formatLongDay(issued_on)] as [string, string]] : []),
  ...(due_on ? [['Due', formatLongDay(due_on)] as [string, string]] : []),
]

/** Instead of lines where there are none. */
export const nothingBilled = 'Nothing is billed in this cycle.'

/** Whether the client owes it; the rest is not billed. */
export const getTotalLabel = ({ state, total }: StatementDocument) =>
  state === 'paid' ? 'Total, paid' : total < 0 ? 'Total in your favor' : 'Total due'
