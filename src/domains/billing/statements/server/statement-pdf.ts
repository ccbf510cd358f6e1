import { formatLongDay } from '#contract/days.ts'
import { formatMoney } from '#contract/money.ts'
import type { PdfDocument, PdfTable } from '#core/pdf/tagged-pdf.ts'
import { describeMasthead } from '#domains/documents/public.ts'
import type { StatementDocument } from '../contract.ts'
import {
  describeGroup,
  findLineColumns,
  getDocumentTitle,
  getTotalLabel,
  listDocumentFacts,
  nameLine,
  nothingBilled,
} from '../document-text.ts'

/** Returns a statement as a document to be drawn. */
export function describeStatementPdf(document: StatementDocument, logo: Uint8Array | null): PdfDocument {
  const { agency, client, groups, total } = document
  const title = getDocumentTitle(document)
  return {
    title: `${title}: ${client.name}`,
    author: agency.name,
    subject: 'Statement',
    blocks: [
      describeMasthead(agency, logo),
      ...(agency.address_lines.length > 0
        ? [{ kind: 'paragraph' as const, text: agency.address_lines.join('\n'), style: 'secondary' as const }]
        : []),
      { kind: 'heading', text: title },
      { kind: 'paragraph', text: `For ${client.name}` },
      ...listDocumentFacts(document).map(([label, value]) => ({
        kind: 'paragraph' as const,
        text: `${label}: ${value}`,
      })),
      { kind: 'total', label: getTotalLabel(document), value: formatMoney(total) },
      ...(groups.length === 0 ? [{ kind: 'paragraph' as const, text: nothingBilled }] : []),
      ...groups.map((group) => ({ kind: 'table' as const, ...describeGroupTable(group) })),
    ],
  }
}

function describeGroupTable(group: StatementDocument['groups'][number]): PdfTable {
  const { hasLeads, hasAmounts } = findLineColumns(group)
  const isCorrection = group.kind === 'corrections'
  const amountOf = (amount: number) => (hasAmounts ? [formatMoney(amount)] : [])
  return {
    title: [describeGroup(group), ...amountOf(group.amount)].join(' = '),
    columns: [
      ...(hasLeads
        ? ([
            ['Day', 3, 'whole'],
            ['Item', 5],
          ] as PdfTable['columns'])
        : []),
      ['Reason', 7],
      ...(isCorrection ? ([['Corrects', 3]] as PdfTable['columns']) : []),
      ...(hasAmounts ? ([['Amount', 2, 'end']] as PdfTable['columns']) : []),
    ],
    rows: group.lines.map((line) => [
      ...(hasLeads ? [line.day ? formatLongDay(line.day) : '–', nameLine(line) ?? '–'] : []),
      line.because,
      ...(isCorrection ? [line.refers_to ?? '–'] : []),
      ...amountOf(line.amount),
    ]),
  }
}
