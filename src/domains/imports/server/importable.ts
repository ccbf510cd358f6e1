import type { PgColumn } from 'drizzle-orm/pg-core'
import type { AuditActor } from '#core/audit/write-audit.ts'
import type { DbOrTx, Tx } from '#core/db/db.ts'
import type { CurrentUser } from '#domains/access/public.ts'
import type { AppContext } from '#domains/app-context.ts'
import type { ImportKind } from '../labels.ts'
import { splitTitleZone } from './title-zone.ts'

/** A field that a line may fill. */
export type ImportField = {
  /** Its API name. */
  name: string
  /** Its label. */
  label: string
  /** A file without this field is rejected. */
  required?: boolean
  /** Other column titles that are recognized. */
  also?: readonly string[]
  /** Titles of columns without a field whose value counts, if it fits, where its own cell is empty. */
  instead?: readonly string[]
  /** Whether a value is one of this field, null if it does not show that. A column is not guessed if most of its values are none. */
  fits?: (value: string) => boolean | null
  /** A hint for values other than plain text. */
  about?: string
  /** The only accepted values, if they are few. */
  choices?: readonly string[]
  /** Whether a value names another row, for which the file may have a name of its own. */
  isReference?: boolean
  /** Whether its cells are passwords or keys: read as they are written, and not stored with a problem. */
  isSecret?: boolean
  /** Whether its cells are sentences, so that a number may be part of one. */
  isProse?: boolean
  /** Which reader its cells go through: they reach the definition as `1200.5`, `2026-11-25` or, of a moment, `2026-11-25T13:05:09Z`. */
  reads?: 'amount' | 'day' | 'moment'
  /** The field of the day whose time of day this is. Its cells reach the definition with the zone that a title of the two names. */
  timeOf?: string
  /** Whether a column of it without any value counts as none, where an empty cell says something. */
  isNoneIfEmpty?: boolean
}

/** The cells of a line by our field names; fields that the file lacks are absent. */
export type LineCells = Readonly<Record<string, string>>
/** What is wrong with a line, and in which field; null for the line as a whole. */
export type LineProblem = { field: string | null; says: string }
/** A problem with the cell's value; null for a whole line, an empty cell, or a secret. */
export type ValuedProblem = LineProblem & { value: string | null }
export type ParsedLine<Row> = {
  row: Row
  /** Keys that no other line may repeat. */
  names: string[]
}

/** A line as it stands in the file, a cell a column; `isMapped` says whether a field has the cell. */
export type FileLine = readonly { title: string; value: string; isMapped: boolean }[]
export type LineParser<Row> = (cells: LineCells, line: FileLine) => ParsedLine<Row> | { wrong: LineProblem[] }

/** Who imports, and in which request. */
export type ImportCaller = { context: AppContext; me: CurrentUser; actor: AuditActor }

/**
 * How one kind of row is imported, with the schemas and mutations of its domain. The command line and the browser
 * share it.
 */
export interface ImportDefinition<Row> {
  readonly fields: readonly ImportField[]
  /** The number of lines per lookup and commit. */
  readonly atOnce: number
  /** Loads reference data and returns the parser of a line. */
  open(context: AppContext): Promise<LineParser<Row>>
  /** Throws if this person cannot run it now. */
  assertRunnable?(tx: Tx, me: CurrentUser, context: AppContext): Promise<void>
  /** Matches columns to fields where their titles alone do not say it. */
  matchColumns?(titles: readonly string[], values: FirstValues): ColumnMapping
  /** Returns the columns without a field whose values are not left out. */
  listKeptColumns?(titles: readonly string[], columns: ColumnMapping): number[]
  /** Returns the names that a value of this field may be. */
  listNames?(db: DbOrTx, field: string): Promise<string[]>
  /** Returns for each row, in order, whether it is new, exists already (and stays as it is), or why it is refused. */
  there(db: DbOrTx, rows: Row[]): Promise<('fresh' | 'known' | LineProblem[])[]>
  /** Inserts the rows in one transaction. Returns for each, in order, its id, or that it exists by now, or why it is refused. */
  write(tx: Tx, by: ImportCaller, rows: Row[]): Promise<({ id: number } | 'known' | LineProblem[])[]>
  /** Removes rows that an import created, unless changed or used since. Returns the reason for each row that stays. */
  remove(tx: Tx, by: ImportCaller, ids: number[], findUses: FindUses): Promise<Map<number, string>>
}

/** A column that refers to imported rows, and the reason why a row that it refers to stays. */
export type RowReference = { column: PgColumn; reason: string }
/** Returns the rows that other rows refer to by now, with the reason. To be called once the rows are locked. */
export type FindUses = () => Promise<Map<number, string>>

/** How each kind is imported, and what refers to its rows. `unknown`, because a definition only receives rows that it parsed itself. */
export type ImportDefinitions = Readonly<
  Record<ImportKind, ImportDefinition<unknown> & { references: readonly RowReference[] }>
>

/** The index of the file's column for each of our fields. */
export type ColumnMapping = Record<string, number>

/** The title of the last column of a file of refused lines. */
export const reasonTitle = 'Reason'

/** Returns the titles without that of our own reasons, if no field has the column: other programs call one so too. */
export function dropReasonTitle(
  titles: readonly string[],
  columns: ColumnMapping,
  fields: readonly ImportField[],
  reasons: readonly string[],
): readonly string[] {
  if (titles.at(-1) !== reasonTitle || Object.values(columns).includes(titles.length - 1)) return titles
  const names = [...titles, ...fields.map(({ label }) => label)].filter(Boolean)
  const isOurs = (reason: string) => lineReason.test(reason) || names.some((name) => reason.startsWith(`${name}: `))
  return reasons.every((reason) => reason === '' || isOurs(reason)) ? titles.slice(0, -1) : titles
}

/** How the reasons of a whole line begin. Those of a cell begin with its title. */
const lineReason =
  /^(?:The line has (?:\d|bytes)|The header again|A line of totals|Repeats line \d|A quote is |A test from |An outbound call|[\w ]+, (?:not|never) sent|Someone else has added )/

/** The filled cells of each column among the first lines. */
export type FirstValues = readonly (readonly string[])[]

/** Replacements of the file's values, by field: from the file's word to the field's value. */
export type ValueMapping = Record<string, Record<string, string>>

/** Returns the cells with the file's words replaced. A field without a column may have a value for `''`. */
export function replaceValues(cells: LineCells, values: ValueMapping): LineCells {
  const replaced = Object.entries(values).flatMap(([field, words]) => {
    const said = (cells[field] ?? '').toLowerCase()
    const ours = Object.entries(words).find(([word]) => word.trim().toLowerCase() === said)?.[1]
    return ours === undefined ? [] : [[field, ours]]
  })
  return { ...cells, ...Object.fromEntries(replaced) }
}

/**
 * Matches columns to fields by their titles, if their values may be such: rather those with values than empty ones, but for amounts.
 * `Lead #` is a lead number, and no name of a lead.
 */
export function guessColumns(
  fields: readonly ImportField[],
  titles: readonly string[],
  values: FirstValues,
): ColumnMapping {
  const whole = titles.map(normalizeTitle)
  const withoutZone = titles.map((title) => normalizeTitle(splitTitleZone(title).bare))
  const numbers = titles.map((title) => normalizeTitle(title.replace(numberSign, ' number')))
  const guessed: ColumnMapping = {}
  for (const field of fields) {
    const { name, label, also = [], reads, timeOf } = field
    const bare = reads === 'moment' || timeOf ? withoutZone : whole
    const isName = /name/i.test(`${name} ${label}`)
    const isTitled = (at: number, title: string) =>
      numbers[at] === title || (bare[at] === title && !(isName && numberSign.test(titles[at]!)))
    const found = [name, label, ...also]
      .map((title) => normalizeTitle(title))
      .flatMap((title) =>
        titles.flatMap((_, at) =>
          isTitled(at, title) && !Object.values(guessed).includes(at) && mayHold(field, values[at]) ? [at] : [],
        ),
      )
    // An empty amount is none yet; an empty value of another field is in another column.
    const filled = field.reads === 'amount' ? undefined : found.find((at) => values[at]?.length)
    const index = filled ?? found[0]
    if (index !== undefined) guessed[name] = index
  }
  return guessed
}

/** Returns whether the values of a column may be of a field: a mover's `From` is an address. */
export function mayHold({ fits = () => null }: ImportField, values: readonly string[] = []): boolean {
  const shown = values.map(fits).filter((one) => one !== null)
  return shown.filter(Boolean).length * 2 >= shown.length
}

const numberSign = /\s*[#№]\s*$/

/** `Lead Date` is `lead_date`, `Teléfono` `telefono`; Pipedrive's `Person - Email - Work` is an email, Forminator's `Name - First Name` a first name. */
const normalizeTitle = (title: string) =>
  title
    .replace(/^(?:(?:deal|lead|person|organi[sz]ation|contact|name) - )+(?=\S)/i, '')
    .replace(/ - (?:work|home|mobile|other)$/i, '')
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')

/** Returns, by field, the columns without one that may stand in for its own. */
export const listColumnsInstead = (
  fields: readonly ImportField[],
  titles: readonly string[],
  columns: ColumnMapping,
): Readonly<Record<string, readonly number[]>> => {
  const chosen = Object.values(columns)
  const open = titles.map((title, at) => (chosen.includes(at) ? '' : normalizeTitle(title)))
  const find = (name: string) => open.flatMap((title, at) => (title === normalizeTitle(name) ? [at] : []))
  return Object.fromEntries(fields.map(({ name, instead = [] }) => [name, instead.flatMap(find)]))
}

/** Returns whether two columns are called the same; a column without a title is like no other. */
export const isSameTitle = (one: string, other: string) =>
  one.trim() !== '' && one.trim().toLowerCase() === other.trim().toLowerCase()

/** Returns the required fields without a column. */
export const findMissingFields = (fields: readonly ImportField[], columns: ColumnMapping) =>
  fields.filter(({ name, required }) => required && columns[name] === undefined)
