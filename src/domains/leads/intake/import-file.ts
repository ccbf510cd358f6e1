import { createReadStream } from 'node:fs'
import { CsvError, parse } from 'csv-parse/sync'
import { Refusal } from '#server/errors.ts'

/** A record of a CSV file with the line it begins on, its cells by column; or why it cannot be read. */
export type Line = { line: number; cells: Record<string, string> } | { line: number; broken: string }

type Physical = { line: number; text: string }

/** A record is no longer than this; whatever seems to be has a quote that was never closed. */
const most = { lines: 500, characters: 1024 * 1024 }

/**
 * Reads a CSV file with a header, a record at a time, however large it is. A record that is broken costs itself: reading goes on
 * with the line after the one it began on, so that one stray quote does not swallow the rest of the file.
 */
export async function* readLines(file: string): AsyncGenerator<Line> {
  let header: string[] | null = null
  for await (const one of records(file)) {
    if ('broken' in one) yield one
    else if (header === null) header = one.cells.map(columnName)
    else yield named(one, header)
  }
  if (header === null) throw new Refusal(422, 'The file is empty')
}

/** `Lead Date` is `lead_date`. */
const columnName = (title: string) => title.toLowerCase().replace(/[\s-]+/g, '_')

function named({ line, cells }: Read, header: string[]): Line {
  if (cells.length !== header.length)
    return { line, broken: `It has ${cells.length} cells, the header ${header.length}` }
  if (cells.some((cell) => cell.includes('\ufffd'))) return { line, broken: 'It holds bytes that are not UTF-8' }
  return { line, cells: Object.fromEntries(header.map((name, index) => [name, cells[index] ?? ''])) }
}

type Read = { line: number; cells: string[] }
type Broken = { line: number; broken: string }

async function* records(file: string): AsyncGenerator<Read | Broken> {
  let waiting: Physical[] = []
  const complete = function* (isEnd: boolean): Generator<Read | Broken> {
    while (waiting.length > 0) {
      const [first] = waiting as [Physical]
      const end = endOfRecord(waiting)
      const isTooLong = waiting.length > most.lines || size(waiting) > most.characters
      if (end === null && !isEnd && !isTooLong) return
      const record = end === null ? unclosed(first) : read(waiting.slice(0, end))
      if (record) yield record
      waiting = waiting.slice(record && 'cells' in record ? (end ?? 1) : 1)
    }
  }
  for await (const physical of physicalLines(file)) {
    waiting.push(physical)
    yield* complete(false)
  }
  yield* complete(true)
}

/** How many of these lines make the first record: up to where every quote is closed. Null where that is not yet. */
function endOfRecord(lines: Physical[]): number | null {
  let quotes = 0
  const last = lines.findIndex(({ text }) => {
    quotes += text.split('"').length - 1
    return quotes % 2 === 0
  })
  return last === -1 ? null : last + 1
}

const size = (lines: Physical[]) => lines.reduce((sum, { text }) => sum + text.length, 0)
const unclosed = ({ line }: Physical): Broken => ({ line, broken: 'A quote is opened and never closed' })

/** Null for a blank line. */
function read(lines: Physical[]): Read | Broken | null {
  const [{ line }] = lines as [Physical]
  const text = lines.map((one) => one.text).join('\n')
  if (text.trim() === '') return null
  try {
    const [cells] = parse(text, { trim: true, relax_column_count: true, record_delimiter: '\0' }) as string[][] // text is all it makes
    return { line, cells: cells ?? [] }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    return { line, broken: error.message.replace(/ at line \d+/, '') }
  }
}

async function* physicalLines(file: string): AsyncGenerator<Physical> {
  let line = 0
  let rest = ''
  const next = (text: string): Physical => {
    line += 1
    return { line, text: (line === 1 ? text.replace(/^\ufeff/, '') : text).replace(/\r$/, '') }
  }
  try {
    for await (const chunk of createReadStream(file, 'utf8')) {
      const parts = (rest + chunk).split('\n')
      rest = parts.pop() ?? ''
      for (const part of parts) yield next(part)
      if (rest.length > 8 * most.characters) throw new Error('it has no line breaks')
    }
  } catch (error) {
    throw new Refusal(422, `The file cannot be read: ${error instanceof Error ? error.message : error}`)
  }
  yield next(rest)
}
