import { stringify } from 'csv-stringify/sync'

/** A value of a cell. */
export type CsvCell = string | number | boolean | null | undefined

/** What a formula begins with. PostgreSQL writes some files by the same rule: see csv-sql.ts. */
export const formulaStarts = ['=', '+', '-', '@', '\t', '\r', '\n']
/** Patterns that JavaScript and PostgreSQL read alike. */
export const plainNumberPattern = '^-?[0-9]+([.][0-9]+)?$'
export const writtenPhonePattern = '^[+]([ ().-]*[0-9]){7,15}$'

const [plainNumber, writtenPhone] = [new RegExp(plainNumberPattern), new RegExp(writtenPhonePattern)]

/**
 * Text that a spreadsheet would take for a formula gets an apostrophe before it, which shows it as text. A phone becomes E.164 instead:
 * Excel and LibreOffice read that as its digits, but `+1-407-555-5016` as a subtraction.
 */
function escapeFormula(text: string): string {
  if (!formulaStarts.includes(text.charAt(0))) return text
  if (writtenPhone.test(text)) return `+${text.replace(/[^0-9]/g, '')}`
  return plainNumber.test(text) ? text : `'${text}`
}

/** Lines of a CSV file: commas, quotes where needed (around a lone line feed too), CRLF as RFC 4180 has it. */
export const formatCsvLines = (rows: CsvCell[][]): string =>
  stringify(
    rows.map((row) => row.map((cell) => (cell === null || cell === undefined ? '' : escapeFormula(String(cell))))),
    { record_delimiter: 'windows', quote_record_delimiter: true },
  )

/** Spreadsheets take a file for UTF-8 when it begins with this. */
export const byteOrderMark = '\ufeff'
