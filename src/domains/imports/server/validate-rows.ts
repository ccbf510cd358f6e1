import type { AppContext } from '#domains/app-context.ts'
import type { ColumnMapping, ImportDefinition, LineCells, LineProblem, ParsedLine } from './importable.ts'
import { type CsvRecord, readCsvRecords } from './read-records.ts'

/** The outcome of a line. */
export type LineOutcome<Row> = { line: number } & (
  | { is: 'fresh'; row: Row }
  | { is: 'known' }
  | { is: 'refused'; wrong: LineProblem[] }
)

type ImportInput = {
  chunks: AsyncIterable<string>
  /** Maps the header to fields. Throws for a file that cannot be imported. */
  columns: (titles: string[]) => ColumnMapping
  /** Lines up to this one have been dealt with. */
  after?: number
}

/** Validates the lines of a file in batches. Writes nothing. */
export async function* validateLines<Row>(
  context: AppContext,
  kind: ImportDefinition<Row>,
  { chunks, columns, after = 0 }: ImportInput,
): AsyncGenerator<LineOutcome<Row>[]> {
  const understand = await kind.open(context)
  const seen = new Map<string, number>()
  let waiting: CheckedLine<Row>[] = []
  let titles: string[] | null = null
  let at: ColumnMapping = {}
  for await (const record of readCsvRecords(chunks)) {
    if (titles === null && 'cells' in record) {
      titles = record.cells
      at = columns(titles)
      continue
    }
    const line = parseLine(record, titles?.length ?? 0, at, understand)
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

type ValidLine<Row> = { line: number } & ParsedLine<Row>
type InvalidLine = { line: number; wrong: LineProblem[] }
type CheckedLine<Row> = ValidLine<Row> | InvalidLine

function parseLine<Row>(
  record: CsvRecord,
  width: number,
  at: ColumnMapping,
  understand: (cells: LineCells) => ParsedLine<Row> | { wrong: LineProblem[] },
): CheckedLine<Row> {
  const { line } = record
  const whole = (says: string): InvalidLine => ({ line, wrong: [{ field: null, says }] })
  if ('broken' in record) return whole(record.broken)
  const { cells } = record
  if (cells.length !== width) return whole(`It has ${cells.length} cells, the header ${width}`)
  const named = Object.entries(at).map(([field, index]) => [field, cells[index] ?? ''])
  return { line, ...understand(Object.fromEntries(named)) }
}

/** Refuses a line that repeats a key of an earlier one. */
function rejectRepeated<Row>(one: ValidLine<Row>, seen: Map<string, number>): CheckedLine<Row> {
  const before = one.names.map((name) => seen.get(name)).find((line) => line !== undefined)
  if (before !== undefined) return { line: one.line, wrong: [{ field: null, says: `It repeats line ${before}` }] }
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
  const fates = new Map(good.map((one, index) => [one.line, found[index]!]))
  return lines.map((one): LineOutcome<Row> => {
    const { line } = one
    if ('wrong' in one) return { line, is: 'refused', wrong: one.wrong }
    const fate = fates.get(line)
    if (fate === 'fresh') return { line, is: 'fresh', row: one.row }
    return fate === 'known' || fate === undefined ? { line, is: 'known' } : { line, is: 'refused', wrong: fate }
  })
}
