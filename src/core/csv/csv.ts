import { stringify } from 'csv-stringify/sync'

/** A value of a cell. */
export type Cell = string | number | boolean | null | undefined

const startsAFormula = /^[=+\-@\t\r\n]/
/** Plain numbers and E.164 phones begin like formulas and are none. */
const harmless = /^(-?\d+(\.\d+)?|\+\d{7,15})$/

/** Text that a spreadsheet would take for a formula gets an apostrophe before it, which shows it as text. */
export const defused = (text: string) => (startsAFormula.test(text) && !harmless.test(text) ? `'${text}` : text)

/** Lines of a CSV file: commas, quotes where needed, CRLF as RFC 4180 has it. */
export const csvLines = (rows: Cell[][]): string =>
  stringify(
    rows.map((row) => row.map((cell) => (cell === null || cell === undefined ? '' : defused(String(cell))))),
    { record_delimiter: 'windows' },
  )

/** Spreadsheets take a file for UTF-8 when it begins with this. */
export const byteOrderMark = '\ufeff'
