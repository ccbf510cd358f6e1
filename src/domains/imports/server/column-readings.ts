import { isDeepStrictEqual } from 'node:util'
import {
  type ColumnReading,
  type DateOrder,
  type DecimalMark,
  dateOrders,
  decimalMarks,
} from '#contract/column-reading.ts'
import { DateColumn, describeDateProblem, readMoment, readSureMoment, readZone } from '#contract/read-date.ts'
import { describeNumberProblem, NumberColumn, readNumber, readSureNumber } from '#contract/read-number.ts'
import { toWallClock, toWrittenInstant } from '#core/time/local-time.ts'
import type { OpenReading, ReadingChoice } from '../contract.ts'
import { cleanCell } from './cells.ts'
import type { ColumnMapping, ImportField, LineCells, LineProblem } from './importable.ts'
import type { CsvRecord } from './read-records.ts'

/** How a person says that fields are read, and how they are read, by field. */
export type ReadingAnswers = Readonly<Record<string, ReadingChoice>>

/** How the column of a field is read. */
export type FieldReading = OpenReading & { field: string }

/** How each column could be read, as amounts and as dates. */
type ColumnReadings = { amounts: ColumnReading<DecimalMark>; dates: ColumnReading<DateOrder> }

/** Collects what the values of these columns show. */
export class ReadingCollector {
  readonly #columns = new Map<number, { numbers: NumberColumn; dates: DateColumn }>()
  readonly #width: number
  readonly #separator: string

  constructor(columns: Iterable<number>, width: number, separator: string) {
    for (const column of columns) this.#columns.set(column, { numbers: new NumberColumn(), dates: new DateColumn() })
    this.#width = width
    this.#separator = separator
  }

  add(cells: readonly string[]): void {
    if (cells.length !== this.#width) return
    for (const [index, { numbers, dates }] of this.#columns) {
      const cell = cleanCell(cells[index] ?? '')
      if (!/\d/.test(cell)) continue
      numbers.add(cell)
      dates.add(cell)
    }
  }

  get(column: number): ColumnReadings | null {
    const found = this.#columns.get(column)
    return found ? { amounts: found.numbers.decide(this.#separator), dates: found.dates.decide() } : null
  }
}

/** Reads a whole file for how the columns of amounts and dates are read. */
export async function readFieldReadings(
  records: AsyncIterable<CsvRecord>,
  fields: readonly ImportField[],
  matchColumns: (titles: string[]) => ColumnMapping,
  answers: ReadingAnswers = {},
): Promise<FieldReading[]> {
  let collector: ReadingCollector | null = null
  let columns: ColumnMapping = {}
  for await (const record of records) {
    if (!('cells' in record)) continue
    if (collector) collector.add(record.cells)
    else {
      const { cells, separator } = record
      columns = matchColumns(cells)
      const read = fields.flatMap(({ name, reads }) => (reads ? (columns[name] ?? []) : []))
      collector = new ReadingCollector(read, cells.length, separator)
    }
  }
  return listFieldReadings(fields, columns, (index) => collector?.get(index) ?? null, answers)
}

/** Returns how the chosen columns of amounts and dates are read; an answer goes before what their values show. */
export function listFieldReadings(
  fields: readonly ImportField[],
  columns: ColumnMapping,
  find: (column: number) => ColumnReadings | null,
  answers: ReadingAnswers,
): FieldReading[] {
  return fields.flatMap(({ name, reads }) => {
    const index = columns[name]
    const found = reads && index !== undefined ? find(index) : null
    if (!found) return []
    const reading: ColumnReading<ReadingChoice> = reads === 'amount' ? found.amounts : found.dates
    const answer = answers[name]
    return { field: name, ...reading, ...(answer && { as: answer, contradicts: false }) }
  })
}

/** Returns what may be answered for a field; nothing if it is plain text. */
export const listReadingChoices = ({ reads }: Pick<ImportField, 'reads'>): readonly ReadingChoice[] =>
  reads === undefined ? [] : reads === 'amount' ? decimalMarks : dateOrders

/** The time zones that titles name, by field. Their times are in them, if they name no other zone. */
export type TitleZones = Readonly<Record<string, string>>

/** Rewrites the cells of amounts and dates in one form. What does not fit the reading of its column stays, as a problem. */
export function readCells(
  cells: LineCells,
  fields: readonly ImportField[],
  readings: readonly FieldReading[],
  zone: string,
  titleZones: TitleZones,
): { cells: LineCells; wrong: LineProblem[] } {
  const read: Record<string, string> = { ...cells }
  const wrong: LineProblem[] = []
  for (const { name, reads, timeOf } of fields) {
    const text = cells[name]
    if (!(reads || timeOf) || !text) continue
    const as = readings.find(({ field }) => field === name)?.as
    const hasTime = fields.some((other) => other.timeOf === name && cells[other.name])
    const value =
      reads === 'amount'
        ? readAmountCell(text, as)
        : reads
          ? readDateCell(text, as, { reads, hasTime, zone, titleZone: titleZones[name] })
          : readTimeCell(text, titleZones[name], titleZones[timeOf ?? ''])
    if (typeof value === 'string') read[name] = value
    else wrong.push({ field: name, says: value.problem })
  }
  return { cells: read, wrong }
}

type CellProblem = { problem: string }

/** A value that a person has typed for every line has no column, and is read alone. */
function readAmountCell(text: string, as: ReadingChoice | undefined): string | CellProblem {
  const mark = decimalMarks.find((one) => one === as)
  const value = mark ? readNumber(text, mark) : readSureNumber(text)
  return value === null ? { problem: describeNumberProblem(text, mark ?? 'point') } : String(value)
}

function readDateCell(
  text: string,
  as: ReadingChoice | undefined,
  column: { reads: 'day' | 'moment'; hasTime: boolean; zone: string; titleZone: string | undefined },
): string | CellProblem {
  const { reads, hasTime, zone, titleZone } = column
  const order = dateOrders.find((one) => one === as)
  const moment = order ? readMoment(text, order) : readSureMoment(text)
  if (moment === null) return { problem: describeDateProblem(text, order ?? 'mdy') }
  const { day, time } = moment
  // Midnight in any zone is how programs write a day.
  if ((hasTime || reads === 'day') && time === '00:00:00') return day
  const named = moment.zone ?? (titleZone && readZone(titleZone)) ?? null
  if (named === null || time === null) return time === null || reads === 'day' ? day : `${day}T${time}`
  const instant = toWrittenInstant({ ...moment, zone: named }, zone)
  return reads === 'day' ? toWallClock(instant, zone).day : instant.toISOString()
}

/**
 * Returns a cell in a form that means the same alone, for a file that does not say how its columns are read: `03.04.2026` is written
 * `2026-04-03`, `1.500` as `1500,00`. What says it already stays, and what cannot be read.
 */
export const toSureCell = (text: string, { reads }: Pick<ImportField, 'reads'>, as: ReadingChoice): string =>
  (reads === 'amount' ? toSureAmount(cleanCell(text), as) : toSureDate(cleanCell(text), as)) ?? text

function toSureAmount(text: string, as: ReadingChoice): string | null {
  const mark = decimalMarks.find((one) => one === as)
  const value = mark ? readNumber(text, mark) : null
  if (value === null || readSureNumber(text) === value) return null
  const cents = value.toFixed(2)
  if (Number(cents) !== value) return null // no amount has three digits behind its mark
  return mark === 'comma' ? cents.replace('.', ',') : cents
}

function toSureDate(text: string, as: ReadingChoice): string | null {
  const order = dateOrders.find((one) => one === as)
  const moment = order ? readMoment(text, order) : null
  if (moment === null || isDeepStrictEqual(readSureMoment(text), moment)) return null
  const { day, time, zone } = moment
  if (time === null) return day
  if (zone === null) return `${day} ${time}`
  // As it was written, not in UTC: midnight beside a time of its own is only a day.
  const ahead = (Date.parse(`${day}T${time}Z`) - toWrittenInstant(moment, 'UTC').getTime()) / 60_000
  const [hours, minutes] = [Math.floor(Math.abs(ahead) / 60), Math.abs(ahead) % 60].map((part) =>
    String(part).padStart(2, '0'),
  )
  return `${day}T${time}${ahead < 0 ? '-' : '+'}${hours}:${minutes}`
}

/** The zone of a time without one is that of its own title, or of its day's. */
function readTimeCell(text: string, ofTime: string | undefined, ofDay: string | undefined): string | CellProblem {
  const written = readMoment(`2000-01-01 ${text}`, 'ymd')
  if (!written?.time || written.zone !== null) return text
  const zone = ofTime ?? ofDay
  if (zone === undefined) return text
  if (ofDay === undefined || readZone(zone) === readZone(ofDay)) return `${text} ${zone}`
  return { problem: `The title of the time says ${zone}, that of the date ${ofDay}` }
}
