import { stringify } from 'csv-stringify/sync'

/** A value of a cell. */
export type CsvCell = string | number | boolean | null | undefined

const formulaPattern = /^[=+\-@\t\r\n]/
const plainNumberPattern = /^-?\d+(\.\d+)?$/
const phonePattern = /^\+(?:[ ().-]*\d){7,15}$/

/**
 * Text that a spreadsheet would take for a formula gets an apostrophe before it, which shows it as text. A phone becomes E.164 instead:
 * Excel and LibreOffice read that as its digits, but `+1-407-555-5016` as a subtraction.
 */
function escapeFormula(text: string): string {
  if (phonePattern.test(text)) return `+${text.replace(/\D/g, '')}`
  return formulaPattern.test(text) && !plainNumberPattern.test(text) ? `'${text}` : text
}

/** Lines of a CSV file: commas, quotes where needed, CRLF as RFC 4180 has it. */
export const formatCsvLines = (rows: CsvCell[][]): string =>
  stringify(
    rows.map((row) => row.map((cell) => (cell === null || cell === undefined ? '' : escapeFormula(String(cell))))),
    { record_delimiter: 'windows' },
  )

/** Spreadsheets take a file for UTF-8 when it begins with this. */
export const byteOrderMark = '\ufeff'
