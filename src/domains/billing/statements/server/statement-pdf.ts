import { formatMoney } from '#contract/money.ts'
import type { PdfDocument, PdfTable } from '#core/pdf/tagged-pdf.ts'
import { computeAgencyColors } from '#domains/agency/public.ts'
import type { StatementDocument } from '../contract.ts'
import {
  describeGroup,
  formatDocumentDay,
  getDocumentTitle,
  getTotalLabel,
  listDocumentFacts,
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
      {
        kind: 'masthead',
        name: agency.name,
        color: computeAgencyColors(agency.color).onLight,
        logo: logo && { png: logo, alt: `Logo of ${agency.name}` },
      },
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
      ...groups.map((group) => ({ kind: 'table' as const, ...describeGroupTable(group) })),
    ],
  }
}

function describeGroupTable(group: StatementDocument['groups'][number]): PdfTable {
  const isCorrection = group.kind === 'corrections'
  return {
    title: `${describeGroup(group)}${group.kind === 'not_billed' ? '' : ` = ${formatMoney(group.amount)}`}`,
    columns: [
      ['Day', 3],
      ['Item', 5],
      ['Reason', 7],
      ...(isCorrection ? [['Corrects', 3] as [string, number]] : []),
      ['Amount', 2, 'end'],
    ],
    rows: group.lines.map(({ day, name, because, refers_to, amount }) => [
      day ? formatDocumentDay(day) : '–',
      name ?? '–',
      because,
      ...(isCorrection ? [refers_to ?? '–'] : []),
      formatMoney(amount),
    ]),
  }
}
