import { stringify } from 'csv-stringify/sync'

/** The value of a cell. */
export type CsvCell = string | number | boolean | null | undefined

/**
 * The first characters of formulas; Excel in Japanese takes the full-width ones as well. PostgreSQL writes some files by the same rule: see
 * csv-sql.ts.
 */
export const formulaStarts = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠']
/** Patterns with the same meaning in JavaScript and PostgreSQL. */
export const plainNumberPattern = '^-?[0-9]+([.][0-9]+)?$'
export const writtenPhonePattern = '^[+]([ ().-]*[0-9]){7,15}$'

const [plainNumber, writtenPhone] = [new RegExp(plainNumberPattern), new RegExp(writtenPhonePattern)]

/**
 * Prefixes text that a spreadsheet would take for a formula with an apostrophe, which shows it as text. A phone becomes E.164
 * instead: Excel and LibreOffice read that as a number, but `+1-407-555-5016` as a subtraction.
 */
function escapeFormula(text: string): string {
  if (!formulaStarts.includes(text.charAt(0))) return text
  if (writtenPhone.test(text)) return `+${text.replace(/[^0-9]/g, '')}`
  return plainNumber.test(text) ? text : `'${text}`
}

/** Returns a cell of one of our own files without the apostrophe of `escapeFormula`. */
export const unescapeFormula = (cell: string): string =>
  cell.startsWith("'") && formulaStarts.includes(cell.charAt(1)) ? cell.slice(1) : cell

/** Formats CSV lines as in RFC 4180: commas, quotes where needed (also around a lone line feed), CRLF. */
export const formatCsvLines = (rows: CsvCell[][]): string =>
  stringify(
    rows.map((row) => row.map((cell) => (cell === null || cell === undefined ? '' : escapeFormula(String(cell))))),
    { record_delimiter: 'windows', quote_record_delimiter: true },
  )

/** Spreadsheets read a file that starts with this mark as UTF-8. */
export const byteOrderMark = '\ufeff'
