import type { z } from 'zod'
import { msPerDay } from '#contract/days.ts'
import { isEmptyWord } from '#contract/empty-text.ts'
import { foldText } from '#contract/fold-text.ts'
import { readSureNumber } from '#contract/read-number.ts'
import { unescapeFormula } from '#core/csv/csv.ts'
import { undoDoubleEncoding } from '#core/http/decode-bytes.ts'
import type { LineCells, LineProblem } from './importable.ts'

/** Parsers for cells as people write them in spreadsheets. */

/** Returns a cell without the marks of spreadsheets: plain spaces, and nothing for `NULL`, `#N/A` or a dash alone. */
export function cleanCell(cell: string): string {
  const text = unescapeFormula(undoDoubleEncoding(cell))
    .replace(/^="([^"]*)"$/, '$1') // Excel's way to keep digits as text
    .replace(/\p{Zs}/gu, ' ')
    .trim()
  return isEmptyWord(text) ? '' : text
}

export const blankToNull = (value: unknown) => (value === undefined || value === '' ? null : value)

const booleanWords = {
  yes: 'yes true y t 1 1.0 ✓ ✔ ☑ on si sim oui ja verdadero verdadeiro vrai vero wahr',
  no: 'no false n f 0 0.0 ✗ ✘ ☐ off nao non nee nein falso faux falsch',
}
const isWordOf = (words: string, value: unknown) => words.split(' ').includes(foldText(String(value)))
/**
 * Parses yes, true, y or 1, and their opposites, also as spreadsheets and people of other languages write them; returns other values
 * unchanged, to be rejected later.
 */
export const parseYesNo = (value: unknown) =>
  isWordOf(booleanWords.yes, value) || (isWordOf(booleanWords.no, value) ? false : value)

export const yesNoHint = 'Yes or No, 1 or 0'

const accountStates: Record<string, boolean> = {
  active: true,
  enabled: true,
  invited: true,
  pending: true,
  inactive: false,
  deactivated: false,
  disabled: false,
  suspended: false,
  deleted: false,
}
/** Parses whether a person has access where a file comes from; an empty cell says yes, and undefined is no answer. */
export function parseIsActive(filled: string | undefined): boolean | undefined {
  if (filled === undefined) return true
  const is = accountStates[filled.toLowerCase()] ?? parseYesNo(filled)
  return typeof is === 'boolean' ? is : undefined
}

export const amountHint = '1200.50, $1,200.50 or 1.200,50'
export const dayHint = '2026-03-16, 03/16/2026 or 16.3.2026'

/** Parses a cell that the reader of amounts has read; text that it has refused is no number. */
export const parseReadAmount = (value: unknown) => (typeof value === 'string' && value !== '' ? Number(value) : value)

/** Says why a day cannot be that of something that has happened. Spreadsheets and databases write a missing one as of 1899, 1900 or 1970. */
export function describeUnusableDate(at: Date, now: Date): string | null {
  if (at.getTime() > now.getTime() + msPerDay) return 'More than a day ahead'
  return at.getUTCFullYear() < 2000 ? 'Before the year 2000' : null
}

/** Parses a small number that stands alone, such as a rating. */
export const parseSureNumber = (value: unknown) =>
  typeof value === 'string' && value !== '' ? (readSureNumber(value) ?? Number.NaN) : value

/** Splits a list such as `a; b | c`. */
export const splitValues = (value: string | undefined, between: RegExp) =>
  (value ?? '')
    .split(between)
    .map((one) => one.trim())
    .filter(Boolean)

/** Returns a cell's text; undefined if empty. */
export const getFilledCell = (cells: LineCells, field: string) => cells[field] || undefined

/** Names in files are the same however they are spelled. */
export const isSameName = (name: string, wanted: string): boolean => foldText(name).trim() === foldText(wanted).trim()

const byNumber = 'please use the number (NM ID)'
/** What a person can name a thing by that shares its name with another. */
const ambiguityAdvice: Record<string, string> = {
  campaign: byNumber,
  client: byNumber,
  'client site': 'please use the number at the end of the address of its page',
}

/** Finds a row by its name, then by its id: a campaign may be called 2024. Returns the problem as text if there is not exactly one. */
export function findByName<T extends { id: number }>(
  thing: string,
  name: string,
  all: readonly T[],
  isNamed: (row: T) => boolean,
): T | string {
  const found = all.filter(isNamed)
  if (found.length > 1)
    return `There are ${found.length} named ${name}; ${ambiguityAdvice[thing] ?? 'please rename one'}`
  return found[0] ?? all.find(({ id }) => String(id) === name) ?? `There is no ${thing} ${name}`
}

/**
 * Returns the id of the row that a cell names, such as the campaign in `campaign`, or what is wrong with the name. Then the id is a
 * stand-in, so that the schema of the whole line does not complain of the same cell.
 */
export function readNamedId(
  thing: string,
  cells: LineCells,
  all: readonly { id: number; name: string }[],
): { id: number; wrong: LineProblem[] } {
  const name = cells[thing] ?? ''
  const found = name ? findByName(thing, name, all, (row) => isSameName(row.name, name)) : `Please name a ${thing}`
  return typeof found === 'string' ? { id: 1, wrong: [{ field: thing, says: found }] } : { id: found.id, wrong: [] }
}

/** Converts a schema's errors to one problem per field and message; `user.email` is the field `email`. */
export const toCellProblems = (error: z.ZodError) => {
  const wrong = error.issues.map(({ path, message }) => ({
    field: String(path.findLast(isStringKey) ?? ''),
    says: message,
  }))
  return [...new Map(wrong.map((one) => [`${one.field} ${one.says}`, one])).values()]
}
const isStringKey = (part: PropertyKey) => typeof part === 'string'
