import { CsvError, parse } from 'csv-parse/sync'
import { HttpError } from '#core/http/errors.ts'
import { areLinesQuoted, type CsvLayout, detectCsvLayout, layoutLines, mayBeSplit, unquoteLine } from './csv-layout.ts'

/** A record of a CSV file with the line it starts on, or why it cannot be read. */
export type CsvRecord = ReadRecord | BrokenRecord
/** `width` is how many cells it has as it is written; `isStray` says that empty ones at its end are not those that most lines have. */
type ReadRecord = { line: number; cells: string[]; width: number; separator: string; isStray: boolean }
/** `text` is the record's first line, unchanged. */
type BrokenRecord = { line: number; broken: string; text: string }
type PhysicalLine = { line: number; text: string }

/** A longer record has a quote that is never closed. */
const recordLimits = { lines: 500, characters: 1024 * 1024 }

/**
 * Reads a CSV file, a record at a time, however large it is; the first one is its header, and lines before that are skipped. Only a
 * broken record is lost: reading continues with the line after its first one, so that one stray quote does not swallow the rest of
 * the file.
 */
export async function* readCsvRecords(chunks: AsyncIterable<string>): AsyncGenerator<CsvRecord> {
  let waiting: PhysicalLine[] = []
  let layout: CsvLayout | undefined
  let header: string[] | undefined
  let read = (physical: PhysicalLine) => physical
  const complete = function* (isEnd: boolean): Generator<CsvRecord> {
    if (!layout) {
      if (!isEnd && waiting.length < layoutLines && countCharacters(waiting) < recordLimits.characters) return
      if (areLinesQuoted(waiting.map(({ text }) => text)))
        read = ({ line, text }) => ({ line, text: unquoteLine(text) })
      waiting = waiting.map(read)
      layout = detectCsvLayout(waiting.map(({ text }) => text))
      waiting = waiting.slice(layout.header)
    }
    while (waiting.length > 0) {
      const [first] = waiting as [PhysicalLine]
      const end = findRecordEnd(waiting, layout.separator)
      const isTooLong = waiting.length > recordLimits.lines || countCharacters(waiting) > recordLimits.characters
      if (end === null && !isEnd && !isTooLong) return
      const record = end === null ? unclosedRecord(first) : parseRecord(waiting.slice(0, end), layout)
      if (record && 'cells' in record) {
        // Spreadsheets write lines of separators below the last one that was ever used.
        const isEmpty = header !== undefined && record.cells.every((cell) => cell === '')
        header ??= record.cells
        if (!isEmpty) yield fitToHeader(record, header, layout.extra, waiting.slice(0, end ?? 1))
      } else if (record) yield record
      waiting = waiting.slice(record && 'cells' in record ? (end ?? 1) : 1)
    }
  }
  for await (const physical of readPhysicalLines(chunks)) {
    waiting.push(read(physical))
    yield* complete(false)
  }
  yield* complete(true)
}

/**
 * Returns how many of these lines make up the first record, up to where every quote is closed; null if it goes on. A quote opens a cell only
 * where the cell begins: `5" pipe` has none.
 */
function findRecordEnd(lines: PhysicalLine[], separator: string): number | null {
  let isQuoted = false
  const last = lines.findIndex(({ text }) => {
    if (isQuoted || text.includes('"')) isQuoted = isQuotedAfter(text, separator, isQuoted)
    return !isQuoted
  })
  return last === -1 ? null : last + 1
}

/** Returns whether a line ends within a quoted cell; `isQuoted` says whether it begins in one. */
function isQuotedAfter(text: string, separator: string, isQuoted: boolean): boolean {
  for (let rest = isQuoted ? `"${text}` : text; ; ) {
    if (/^\s*=?"/.test(rest)) {
      const cell = /^\s*=?"(?:[^"]|"")*"(?!")/.exec(rest)
      if (!cell) return true
      rest = rest.slice(cell[0].length)
    }
    const end = rest.indexOf(separator)
    if (end === -1) return false
    rest = rest.slice(end + 1)
  }
}

/**
 * Cuts off the empty cells beyond the header: some tools end each line, but not the header, with a separator. A line that has them alone keeps
 * them, so that it is refused, if a value with a separator in it may have moved the cells behind it. Adds those of columns without a title
 * at its end, which Excel leaves out below the 16th line.
 */
function fitToHeader(record: ReadRecord, header: string[], extra: number, lines: PhysicalLine[]): ReadRecord {
  const { cells, separator } = record
  const isBlank = (cell: string) => cell === ''
  const beyond = cells.slice(header.length)
  if (!beyond.every(isBlank) || !header.slice(cells.length).every(isBlank)) return record
  const isStray = beyond.length > 0 && beyond.length !== extra
  if (isStray && mayBeSplit(joinLines(lines), separator)) return { ...record, isStray }
  return { ...record, isStray, cells: header.map((_, at) => cells[at] ?? '') }
}

const joinLines = (lines: PhysicalLine[]) => lines.map(({ text }) => text).join('\n')
const countCharacters = (lines: PhysicalLine[]) => lines.reduce((sum, { text }) => sum + text.length, 0)
const unclosedRecord = ({ line, text }: PhysicalLine): BrokenRecord => ({
  line,
  text,
  broken: 'A quote is opened and never closed',
})

/** Null for a blank line. */
function parseRecord(lines: PhysicalLine[], { separator }: CsvLayout): CsvRecord | null {
  const [{ line }] = lines as [PhysicalLine]
  const text = joinLines(lines)
  if (text.trim() === '') return null
  if (text.includes('\ufffd')) return { line, text, broken: 'The line has bytes that are not UTF-8' }
  const toRecord = (cells: string[]): ReadRecord => ({ line, cells, width: cells.length, separator, isStray: false })
  // Most lines have no quotes and need no parser.
  if (!text.includes('"')) return toRecord(text.split(separator).map((cell) => cell.trim()))
  try {
    const options = {
      ...{ delimiter: separator, trim: true, relax_column_count: true, record_delimiter: '\0' },
      relax_quotes: true, // within a cell that does not begin with one
    }
    const [cells] = parse(dropEqualSigns(text, separator), options) as string[][] // the parser returns only text
    return toRecord(cells ?? [])
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    // Not the parser's message: it quotes the cell, which may be a password.
    const broken = 'A quote is not allowed here: quote the cell, and double the quotes inside it'
    return { line, text: lines[0]?.text ?? '', broken }
  }
}

/** Reads `="00123"`, which keeps Excel from reading a number, as `"00123"`. */
function dropEqualSigns(text: string, separator: string): string {
  const isBetween = (sign: string | undefined) => sign === undefined || sign === separator
  return text.replace(/=("(?:[^"]|"")*")/g, (whole, quoted: string, at: number) =>
    isBetween(text[at - 1]) && isBetween(text[at + whole.length]) ? quoted : whole,
  )
}

async function* readPhysicalLines(chunks: AsyncIterable<string>): AsyncGenerator<PhysicalLine> {
  let line = 0
  let rest = ''
  const next = (text: string): PhysicalLine => {
    line += 1
    // Files that were put together have a mark in the middle; the first may have been read as Windows-1252.
    const plain = text.replace(line === 1 ? /^(?:\ufeff|ï»¿)+/ : /^\ufeff+/, '')
    const whole = plain.endsWith('\x1a') ? plain.slice(0, -1) : plain // old programs end a file with Ctrl-Z
    return { line, text: whole.replace(/\r$/, '') }
  }
  for await (const chunk of chunks) {
    const parts = (rest + chunk).split(/\r?\n|\r(?!\n|$)/)
    rest = parts.pop() ?? ''
    for (const part of parts) yield next(part)
    if (rest.length > 8 * recordLimits.characters)
      throw new HttpError(422, 'The file cannot be read: it has no line breaks')
  }
  yield next(rest)
}
