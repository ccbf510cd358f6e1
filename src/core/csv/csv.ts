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
/** A zero in brackets is for callers in that country: no spreadsheet knows. */
export const writtenPhonePattern = '^[+](?!.*[(]0[)])([ ().-]*[0-9]){7,15}$'
/** A number of the American plan, with what may be its extension. */
export const americanPhonePattern =
  '^([+]?1)?[ ().-]*([2-9][0-9]{2})[ ().-]*([0-9]{3})[ ().-]*([0-9]{4})(|[ ,;:#.=A-Za-z-]+[0-9]{0,9})$'
export const phoneDigitsPattern = '^[0-9]{5,}$'
/** Of one, two and three digits. No alternative begins another: PostgreSQL takes the longest. */
export const countryCodePattern =
  '^(1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|(2[1-689]|3[578]|42|5[09]|6[7-9]|8[035789]|9[679]|0[0-9])[0-9])'
/** The ends of groups of four, counted from the last digit. */
export const groupEndPattern = '([0-9])(?=([0-9]{4})+$)'

const [plainNumber, writtenPhone, americanPhone, phoneDigits, countryCode] = [
  plainNumberPattern,
  writtenPhonePattern,
  americanPhonePattern,
  phoneDigitsPattern,
  countryCodePattern,
].map((pattern) => new RegExp(pattern)) as [RegExp, RegExp, RegExp, RegExp, RegExp] // one for each
const groupEnds = new RegExp(groupEndPattern, 'g')

/**
 * Returns a phone as spreadsheets keep it as text: `(407) 555-5016`, `+44 20 7123 4567`. Excel and LibreOffice read `+14075555016` as a
 * number, and `+1-407-555-5016` as a subtraction.
 */
export function formatCsvPhone(text: string): string {
  if (americanPhone.test(text)) return text.replace(americanPhone, '($2) $3-$4$5')
  if (phoneDigits.test(text)) return text.replace(groupEnds, '$1 ')
  return writtenPhone.test(text) ? formatInternationalPhone(text) : text
}

const formatInternationalPhone = (text: string) =>
  `+${text
    .replace(/[^0-9]/g, '')
    .replace(countryCode, '$1 ')
    .replace(groupEnds, '$1 ')}`

/** Prefixes text that a spreadsheet would take for a formula with an apostrophe, which shows it as text; a phone needs none. */
function escapeFormula(text: string): string {
  if (!formulaStarts.includes(text.charAt(0))) return text
  if (writtenPhone.test(text)) return formatCsvPhone(text)
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
