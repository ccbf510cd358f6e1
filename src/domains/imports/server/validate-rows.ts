import type { House } from '#core/app-context.ts'
import type { Cells, Columns, Importable, Understood, Wrong } from './importable.ts'
import { type FileRecord, readRecords } from './read-records.ts'

/** What would become of a line, or becomes of it. */
export type Judged<Row> = { line: number } & (
  | { is: 'fresh'; row: Row }
  | { is: 'known' }
  | { is: 'refused'; wrong: Wrong[] }
)

type File = {
  chunks: AsyncIterable<string>
  /** What each column is, once the header is read. Throws for a file that cannot be taken. */
  columns: (titles: string[]) => Columns
  /** Lines up to this one have been dealt with. */
  after?: number
}

/** Judges each line of a file, some at a time. Nothing is written. */
export async function* judge<Row>(
  house: House,
  kind: Importable<Row>,
  { chunks, columns, after = 0 }: File,
): AsyncGenerator<Judged<Row>[]> {
  const understand = await kind.open(house)
  const seen = new Map<string, number>()
  let waiting: Line<Row>[] = []
  let titles: string[] | null = null
  let at: Columns = {}
  for await (const record of readRecords(chunks)) {
    if (titles === null && 'cells' in record) {
      titles = record.cells
      at = columns(titles)
      continue
    }
    const line = lineOf(record, titles?.length ?? 0, at, understand)
    const one = 'names' in line ? unlessSeen(line, seen) : line
    if (one.line > after) waiting.push(one)
    if (waiting.length === kind.atOnce) {
      yield await lookUp(house, kind, waiting)
      waiting = []
    }
  }
  if (titles === null) columns([])
  if (waiting.length > 0) yield await lookUp(house, kind, waiting)
}

type Good<Row> = { line: number } & Understood<Row>
type Bad = { line: number; wrong: Wrong[] }
type Line<Row> = Good<Row> | Bad

function lineOf<Row>(
  record: FileRecord,
  width: number,
  at: Columns,
  understand: (cells: Cells) => Understood<Row> | { wrong: Wrong[] },
): Line<Row> {
  const { line } = record
  const whole = (says: string): Bad => ({ line, wrong: [{ field: null, says }] })
  if ('broken' in record) return whole(record.broken)
  const { cells } = record
  if (cells.length !== width) return whole(`It has ${cells.length} cells, the header ${width}`)
  const named = Object.entries(at).map(([field, index]) => [field, cells[index] ?? ''])
  return { line, ...understand(Object.fromEntries(named)) }
}

/** Of lines that name the same thing the first one counts. */
function unlessSeen<Row>(one: Good<Row>, seen: Map<string, number>): Line<Row> {
  const before = one.names.map((name) => seen.get(name)).find((line) => line !== undefined)
  if (before !== undefined) return { line: one.line, wrong: [{ field: null, says: `It repeats line ${before}` }] }
  for (const name of one.names) seen.set(name, one.line)
  return one
}

async function lookUp<Row>({ db }: House, kind: Importable<Row>, lines: Line<Row>[]): Promise<Judged<Row>[]> {
  const good = lines.filter((one) => 'row' in one)
  const found = await kind.there(
    db,
    good.map(({ row }) => row),
  )
  const fates = new Map(good.map((one, index) => [one.line, found[index]!]))
  return lines.map((one): Judged<Row> => {
    const { line } = one
    if ('wrong' in one) return { line, is: 'refused', wrong: one.wrong }
    const fate = fates.get(line)
    if (fate === 'fresh') return { line, is: 'fresh', row: one.row }
    return fate === 'known' || fate === undefined ? { line, is: 'known' } : { line, is: 'refused', wrong: fate }
  })
}
