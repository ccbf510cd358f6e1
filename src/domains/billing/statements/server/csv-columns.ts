import type { CsvCell } from '#core/csv/csv.ts'
import { parseStatementId, type Statement } from '../contract.ts'
import type { StatementLine } from '../fields.ts'
import { lineKindTitles, statementStateTitles } from '../labels.ts'

/** A line of a statement, for accounting programs. */
export type StatementCsvRow = { statement: Statement; line: StatementLine }

export const toCsvRows = (statements: Statement[]): StatementCsvRow[] =>
  statements.flatMap((statement) => statement.lines.map((line) => ({ statement, line })))

export const statementCsvColumns: { title: string; cell: (row: StatementCsvRow) => CsvCell }[] = [
  { title: 'Statement', cell: ({ statement }) => statement.id },
  { title: 'Campaign ID', cell: ({ statement }) => statement.campaign.id },
  { title: 'Campaign', cell: ({ statement }) => statement.campaign.name },
  { title: 'From', cell: ({ statement }) => statement.from },
  { title: 'To', cell: ({ statement }) => statement.to },
  { title: 'State', cell: ({ statement }) => statementStateTitles[statement.state] },
  { title: 'Kind', cell: ({ line }) => lineKindTitles[line.kind] },
  { title: 'Lead', cell: ({ line }) => line.lead_id },
  { title: 'Because', cell: ({ line }) => line.because },
  {
    title: 'Corrects',
    cell: ({ line }) => line.refers_to && `Statement from ${parseStatementId(line.refers_to).from}`,
  },
  { title: 'Amount', cell: ({ line }) => line.amount.toFixed(2) },
]
