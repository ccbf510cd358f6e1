import { isEmptyWord } from '#contract/empty-text.ts'
import { isWithheldPhone } from '#contract/read-phone.ts'
import { unescapeFormula } from '#core/csv/csv.ts'
import type { AppContext } from '#domains/app-context.ts'
import { cleanCell, parseYesNo } from './cells.ts'
import { type FieldReading, readCells, type TitleZones } from './column-readings.ts'
import {
  type ColumnMapping,
  dropReasonTitle,
  type ImportDefinition,
  type ImportField,
  isSameTitle,
  type LineCells,
  type LineParser,
  type LineProblem,
  listColumnsInstead,
  type ParsedLine,
  replaceValues,
  type ValuedProblem,
  type ValueMapping,
} from './importable.ts'
import { type CsvRecord, readCsvRecords } from './read-records.ts'
import { splitTitleZone } from './title-zone.ts'

/** The outcome of a line. */
export type LineOutcome<Row> = { line: number } & (
  | { is: 'fresh'; row: Row }
  | { is: 'known' }
  | { is: 'refused'; wrong: ValuedProblem[] }
)

type ImportInput = {
  chunks: AsyncIterable<string>
  /** Maps the header to fields. Throws for a file that cannot be imported. */
  columns: (titles: string[]) => ColumnMapping
  values?: ValueMapping
  /** How the columns of amounts and dates are read. */
  readings: readonly FieldReading[]
  /** The fields whose column counts as none. */
  empty: readonly string[]
  /** Lines up to this one have been processed. */
  after?: number
}

/** Validates the lines of a file in batches. Writes nothing. */
export async function* validateLines<Row>(
  context: AppContext,
  kind: ImportDefinition<Row>,
  { chunks, columns, values = {}, readings, empty, after = 0 }: ImportInput,
): AsyncGenerator<LineOutcome<Row>[]> {
  const open = await kind.open(context)
  let titles: string[] | null = null
  let at: ColumnMapping = {}
  let columnsOf: FieldColumns = {}
  let instead: FieldColumns = {}
  let amounts: number[] = []
  const secrets = listSecrets(kind.fields)
  let zones: TitleZones = {}
  const understand: LineParser<Row> = (cells, line) => {
    const { cells: read, wrong } = readCells(cells, kind.fields, readings, context.settings.AGENCY_TIMEZONE, zones)
    const parsed = open(read, line)
    if (wrong.length === 0) return parsed
    // What the definition says of the same cell says less.
    const others = 'wrong' in parsed ? parsed.wrong : []
    const said = (problem: LineProblem) => wrong.find(({ field }) => field === problem.field) ?? problem
    return { wrong: [...new Set([...others.map(said), ...wrong])] }
  }
  const seen = new Map<string, number>()
  let waiting: CheckedLine<Row>[] = []
  for await (const record of readCsvRecords(chunks)) {
    if (titles === null && 'cells' in record) {
      titles = record.cells
      at = Object.fromEntries(Object.entries(columns(titles)).filter(([field]) => !empty.includes(field)))
      columnsOf = findFieldColumns(titles, at)
      instead = listColumnsInstead(kind.fields, titles, at)
      amounts = kind.fields.flatMap(({ name, reads }) => (reads === 'amount' ? (columnsOf[name] ?? []) : []))
      zones = findTitleZones(record.cells, at)
      continue
    }
    const line = parseLine(
      record,
      { titles: titles ?? [], columns: at, fields: kind.fields, columnsOf, instead, amounts, secrets, values },
      understand,
    )
    const one = 'names' in line ? rejectRepeated(line, seen) : line
    if (one.line > after) waiting.push(one)
    if (waiting.length === kind.atOnce) {
      yield await lookUpLines(context, kind, waiting)
      waiting = []
    }
  }
  if (titles === null) columns([])
  if (waiting.length > 0) yield await lookUpLines(context, kind, waiting)
}

/** The columns that may fill a field: the chosen one, then those of the same title that no field has. */
type FieldColumns = Readonly<Record<string, readonly number[]>>

export function findFieldColumns(titles: readonly string[], columns: ColumnMapping): FieldColumns {
  const chosen = Object.values(columns)
  const others = (index: number) =>
    titles.flatMap((title, at) => (!chosen.includes(at) && isSameTitle(title, titles[index] ?? '') ? [at] : []))
  return Object.fromEntries(Object.entries(columns).map(([field, index]) => [field, [index, ...others(index)]]))
}

/** Reads a file for the fields whose column has no value in any line, of those where it counts as none. */
export async function findEmptyFields(
  records: AsyncIterable<CsvRecord>,
  fields: readonly ImportField[],
  matchColumns: (titles: string[]) => ColumnMapping,
): Promise<string[]> {
  let titles: string[] | null = null
  let open: (readonly [field: string, columns: readonly number[]])[] = []
  for await (const record of records) {
    if (!('cells' in record)) continue
    const { cells } = record
    if (titles === null) {
      titles = cells
      const columnsOf = findFieldColumns(titles, matchColumns(titles))
      open = fields.flatMap(({ name, isNoneIfEmpty }) =>
        isNoneIfEmpty && columnsOf[name] ? [[name, columnsOf[name]] as const] : [],
      )
    }
    const isValue = (at: number) => cells[at] !== titles?.[at] && cleanCell(cells[at] ?? '') !== ''
    open = open.filter(([, columns]) => !columns.some(isValue))
    if (open.length === 0) break // as in most files
  }
  return open.map(([field]) => field)
}

const findTitleZones = (titles: readonly string[], columns: ColumnMapping): TitleZones =>
  Object.fromEntries(
    Object.entries(columns).flatMap(([field, index]) => {
      const { zone } = splitTitleZone(titles[index] ?? '')
      return zone === null ? [] : [[field, zone]]
    }),
  )

type ValidLine<Row> = { line: number; cells: LineCells } & ParsedLine<Row>
type InvalidLine = { line: number; wrong: ValuedProblem[] }
type CheckedLine<Row> = ValidLine<Row> | InvalidLine

type LineColumns = {
  titles: string[]
  columns: ColumnMapping
  fields: readonly ImportField[]
  columnsOf: FieldColumns
  instead: FieldColumns
  amounts: readonly number[]
  secrets: ReadonlySet<string>
  values: ValueMapping
}

function parseLine<Row>(
  record: CsvRecord,
  { titles, columns, fields, columnsOf, instead, amounts, secrets, values }: LineColumns,
  understand: LineParser<Row>,
): CheckedLine<Row> {
  const { line } = record
  if ('broken' in record) return toWholeLineProblem(line, record.broken)
  const isTorn = isAmountSplit(record, amounts, fields, columnsOf) || isContactMoved(record, titles)
  if (record.cells.length !== titles.length || isTorn)
    return toWholeLineProblem(line, describeWidth(record, titles.length))
  const own = dropReasonTitle(titles, columns, fields, [record.cells.at(-1) ?? ''])
  const cells = record.cells.slice(0, own.length)
  if (cells.every((cell, index) => cell === titles[index])) return toWholeLineProblem(line, 'The header again')
  if (isTotalsLine(cells)) return toWholeLineProblem(line, 'A line of totals')
  const clean = cells.map(cleanCell)
  const taken = Object.entries(columnsOf).map(([name, indexes]) => {
    const fits = (index: number) => fields.find((field) => field.name === name)?.fits?.(clean[index] ?? '')
    return [name, indexes.find((index) => clean[index]) ?? instead[name]?.find(fits) ?? indexes[0]!] as const
  })
  const isOfRefused = own.length < titles.length
  const readSecret = (cell: string) => readSecretCell(isOfRefused ? unescapeFormula(cell) : cell)
  const said = Object.fromEntries(
    taken.map(([field, index]) => [field, (secrets.has(field) ? readSecret(cells[index] ?? '') : clean[index]) ?? '']),
  )
  const mapped = new Set(taken.map(([, index]) => index))
  const whole = own.map((title, index) => ({ title, value: clean[index] ?? '', isMapped: mapped.has(index) }))
  const parsed = understand(replaceValues(said, values), whole)
  return 'wrong' in parsed ? { line, wrong: addValues(parsed.wrong, said, secrets) } : { line, cells: said, ...parsed }
}

type ReadRecord = Extract<CsvRecord, { cells: string[] }>

/**
 * Returns whether an amount such as `1500,50` may stand in two cells, in a line with an empty cell more than the header. Where each line has
 * one, the second cell may as well be a number of its own column, such as a duration.
 */
function isAmountSplit(
  { cells, width, separator, isStray }: ReadRecord,
  amounts: readonly number[],
  fields: readonly ImportField[],
  columnsOf: FieldColumns,
) {
  if (separator !== ',' || width <= cells.length) return false
  const hasNumbers = (at: number) => fields.some(({ name, isProse }) => !isProse && columnsOf[name]?.includes(at))
  return amounts.some(
    (at) =>
      /^\D{0,3}\d+$/.test(cells[at] ?? '') &&
      /^\d{1,3}(?:\.\d\d?)?\D{0,3}$/.test(cells[at + 1] ?? '') &&
      (isStray || !hasNumbers(at + 1)),
  )
}

/**
 * Returns whether a phone or an email stands a cell behind its title, in a line that fits again without an empty cell, or the last cell of
 * such a line is none. The fields do not tell: where each line has moved, they are chosen by what stands there.
 */
function isContactMoved({ cells, width, isStray }: ReadRecord, titles: readonly string[]): boolean {
  if (width <= cells.length) return false
  const last = titles.length - 1
  return titles.some((title, at) => {
    const [here = '', next = '', nextTitle = ''] = [cells[at], cells[at + 1], titles[at + 1]]
    if (aboutContact.test(title) || isNoContact(here)) return false
    const isLast = isStray && at === last
    if (emailTitle.test(title))
      return !here.includes('@') && (isLast || (/^\S+@\S+$/.test(next) && !emailTitle.test(nextTitle)))
    const isPhone = /^\D{0,3}\d(?:\D{0,2}\d){6,}$/.test(next) && !numberTitle.test(nextTitle)
    return phoneTitle.test(title) && !/\d/.test(here) && (isLast || isPhone)
  })
}
const emailTitle = /e-?mail/i
const phoneTitle = /phone|mobile|\bcell\b/i
const numberTitle = /phone|mobile|\bcell|number|\btel|fax|whats ?app|\bcall|dial|#/i
/** `Phone Type`, `Email Opt-In`: no phone and no email. */
const aboutContact = /type|status|\bopt|verif|valid|consent|subscri|carrier|label/i
const isNoContact = (cell: string) =>
  cleanCell(cell) === '' ||
  isWithheldPhone(cell) ||
  typeof parseYesNo(cell) === 'boolean' ||
  /^(?:no|not|none|nil|same|declined|refused|keine?|ningun[oa]|aucun)\b/i.test(cell)

function describeWidth({ width: count, separator, isStray }: ReadRecord, width: number): string {
  const says = `The line has ${count === 1 ? '1 cell' : `${count} cells`}, the header ${width}`
  if (count <= width || separator === '\t') return says
  const unless = isStray ? `, unless the ‘${separator}’ at the end is one too many` : ''
  return `${says}: a value with ‘${separator}’ in it needs quotes${unless}`
}

const toWholeLineProblem = (line: number, says: string): InvalidLine => ({
  line,
  wrong: [{ field: null, says, value: null }],
})

/** Reports end with their sums: `Total`, `Total (12)` or `Average`, and little more. */
const isTotalsLine = (cells: readonly string[]) =>
  totalWords.test(cells.find((cell) => cell !== '') ?? '') &&
  cells.filter((cell) => cell !== '').every((cell, at) => at === 0 || /^[^\p{L}@]*$/u.test(cell))

const totalWords =
  /^(?:(?:grand |sub-?|overall )?totals?|total general|totale|sum|summe|gesamt|count|average)\s*(?::?\s*\(?[\d.,]+\)?)?\s*:?$/i

const listSecrets = (fields: readonly ImportField[]): ReadonlySet<string> =>
  new Set(fields.flatMap(({ name, isSecret }) => (isSecret ? [name] : [])))

/** A secret stays as it is written, but for a word that says there is none. */
const readSecretCell = (cell: string) => (isEmptyWord(cell) ? '' : cell)

const addValues = (wrong: LineProblem[], said: LineCells, secrets: ReadonlySet<string>): ValuedProblem[] =>
  wrong.map((one) => ({
    ...one,
    value: one.field !== null && !secrets.has(one.field) ? said[one.field]?.slice(0, 200) || null : null,
  }))

/** Refuses a line that repeats a key of an earlier one. */
function rejectRepeated<Row>(one: ValidLine<Row>, seen: Map<string, number>): CheckedLine<Row> {
  const before = one.names.map((name) => seen.get(name)).find((line) => line !== undefined)
  if (before !== undefined) return toWholeLineProblem(one.line, `Repeats line ${before}`)
  for (const name of one.names) seen.set(name, one.line)
  return one
}

async function lookUpLines<Row>(
  { db }: AppContext,
  kind: ImportDefinition<Row>,
  lines: CheckedLine<Row>[],
): Promise<LineOutcome<Row>[]> {
  const good = lines.filter((one) => 'row' in one)
  const found = await kind.there(
    db,
    good.map(({ row }) => row),
  )
  const results = new Map(good.map((one, index) => [one.line, found[index]!]))
  return lines.map((one): LineOutcome<Row> => {
    const { line } = one
    if ('wrong' in one) return { line, is: 'refused', wrong: one.wrong }
    const result = results.get(line)
    if (result === 'fresh') return { line, is: 'fresh', row: one.row }
    return result === 'known' || result === undefined
      ? { line, is: 'known' }
      : { line, is: 'refused', wrong: addValues(result, one.cells, listSecrets(kind.fields)) }
  })
}
