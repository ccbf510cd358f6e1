import { stringify } from 'csv-stringify/sync'

/** A value of a cell. */
export type CsvCell = string | number | boolean | null | undefined

const formulaPattern = /^[=+\-@\t\r\n]/
/** Plain numbers and E.164 phones begin like formulas and are none. */
const plainNumberPattern = /^(-?\d+(\.\d+)?|\+\d{7,15})$/

/** Text that a spreadsheet would take for a formula gets an apostrophe before it, which shows it as text. */
const escapeFormula = (text: string) =>
  formulaPattern.test(text) && !plainNumberPattern.test(text) ? `'${text}` : text

/** Lines of a CSV file: commas, quotes where needed, CRLF as RFC 4180 has it. */
export const formatCsvLines = (rows: CsvCell[][]): string =>
  stringify(
    rows.map((row) => row.map((cell) => (cell === null || cell === undefined ? '' : escapeFormula(String(cell))))),
    { record_delimiter: 'windows' },
  )

/** Spreadsheets take a file for UTF-8 when it begins with this. */
export const byteOrderMark = '\ufeff'
