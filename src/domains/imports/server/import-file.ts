import { setImmediate } from 'node:timers/promises'
import { eq, sql } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
import { cutText } from '#contract/cut-text.ts'
import { decodeCsvBytes } from '#core/csv/decode-csv.ts'
import type { Tx } from '#core/db/db.ts'
import { HttpError } from '#core/http/errors.ts'
import { readUpload } from '#core/http/upload.ts'
import type { AppContext } from '#domains/app-context.ts'
import { fileErrorMessages, maxImportBytes, maxImportColumns, maxImportLines } from '../contract.ts'
import { getImportFileContext, importFilesTable } from '../schema.ts'
import { cleanCell } from './cells.ts'
import { ReadingCollector } from './column-readings.ts'
import { findDataValue, findHostBelow } from './csv-layout.ts'
import { type CsvRecord, readCsvRecords } from './read-records.ts'

type UploadedCsv = { name: string; size: number; text: string }
/** The titles of a file's first line, and the number of its other lines. */
type CsvHeader = { titles: string[]; lines: number }

/** Reads the one file of a multipart form as text. */
export async function receiveCsv(request: FastifyRequest): Promise<UploadedCsv> {
  const sent = await readUpload(request, maxImportBytes)
  if (sent === 'missing') throw createFileError(fileErrorMessages.missing)
  if (sent === 'too large') throw createFileError(fileErrorMessages.tooLarge, 413)
  if (sent === 'broken') throw createFileError(fileErrorMessages.broken)
  const name = sent.name.toWellFormed().replaceAll('\0', '').slice(-200) || 'file.csv'
  return { name, size: sent.bytes.length, text: decodeCsv(sent.bytes) }
}

const createFileError = (line: string, status = 422) => new HttpError(status, line, { file: [line] })

function decodeCsv(bytes: Buffer): string {
  const begins = (...start: number[]) => bytes.subarray(0, start.length).equals(Buffer.from(start))
  if (begins(0x50, 0x4b, 0x03, 0x04) || begins(0xd0, 0xcf, 0x11, 0xe0))
    throw createFileError(fileErrorMessages.workbook, 415)
  // Bytes that cannot be decoded become U+FFFD; their lines are refused later.
  const text = decodeCsvBytes(bytes)
  if (text.includes('\0')) throw createFileError(fileErrorMessages.binary, 415)
  if (text.trim() === '') throw createFileError(fileErrorMessages.empty)
  const format = otherFormats.find(([start]) => start.test(text))?.[1]
  if (format) throw createFileError(fileErrorMessages.otherFormat(format), 415)
  return text
}

/** What other programs name .csv or .xls, by how it begins. */
const otherFormats: readonly (readonly [start: RegExp, format: string])[] = [
  [/^\ufeff?\s*<(?:!doctype html|html|head|meta|style|table)\b/i, 'a web page, although it may open in Excel'],
  [/^\ufeff?\s*<(?:\?xml|\w+:?\w* xmlns)/i, 'an XML file, although it may open in Excel'],
  [/^\ufeff?\s*(?:\[\s*)?\{\s*"/, 'a JSON file'],
  [/^%PDF-/, 'a PDF'],
  [/^\{\\rtf/, 'a text document'],
  [/^\ufeff?BEGIN:VCARD\b/i, 'a file of contacts (vCard)'],
]

/** Reads the header and counts the lines. Throws for a file that cannot be imported at all. */
export async function readCsvHeader(text: string): Promise<CsvHeader> {
  let titles: string[] | null = null
  let lines = 0
  for await (const record of readCsvRecords(splitChunks(text))) {
    if (titles === null) {
      if ('broken' in record) throw createFileError(`Line ${record.line}: ${record.broken}`)
      titles = record.cells
      validateTitles(titles)
    } else {
      if (lines === 0 && 'cells' in record) rejectValue(findHostBelow(titles, record.cells))
      lines += 1
    }
    if (lines > maxImportLines) throw createFileError(fileErrorMessages.tooManyLines)
  }
  if (titles === null) throw createFileError(fileErrorMessages.empty)
  if (lines === 0) throw createFileError(fileErrorMessages.onlyHeader)
  return { titles: titles.map((title) => cutText(title, 200)), lines }
}

function validateTitles(titles: string[]) {
  if (titles.length > maxImportColumns) throw createFileError(fileErrorMessages.tooWide)
  if (titles.every((title) => title === '')) throw createFileError(fileErrorMessages.blankHeader)
  rejectValue(findDataValue(titles))
}

function rejectValue(value: string | undefined) {
  if (value !== undefined) throw createFileError(fileErrorMessages.noHeader(cutText(value, 80)))
}

/** Returns the first values of each column, to tell what it may hold. */
export async function readFirstValues(records: AsyncIterable<CsvRecord>): Promise<string[][]> {
  let columns: string[][] | null = null
  let lines = 0
  for await (const record of records) {
    if (!('cells' in record)) continue
    if (columns === null) columns = record.cells.map(() => [])
    else {
      for (const [at, written] of record.cells.entries()) {
        const cell = cleanCell(written)
        if (cell !== '') columns[at]?.push(cell)
      }
      lines += 1
    }
    if (lines === maxFirstLines) break
  }
  return columns ?? []
}
const maxFirstLines = 100

type ColumnValues = {
  /** The first values of each column. */
  samples: string[][]
  /** All its distinct values, if they are few. */
  words: string[][]
  readings: ReadingCollector
}

export async function readColumnValues(text: string, columns: number): Promise<ColumnValues> {
  const samples = Array.from({ length: columns }, (): string[] => [])
  const words = Array.from({ length: columns }, () => new Set<string>())
  let readings: ReadingCollector | null = null
  let rows = 0
  for await (const record of readCsvRecords(splitChunks(text))) {
    if (!('cells' in record) || record.cells.length !== columns) continue
    if (readings === null) {
      readings = new ReadingCollector(samples.keys(), columns, record.separator)
      continue
    }
    rows += 1
    readings.add(record.cells)
    for (const [at, written] of record.cells.entries()) {
      const cell = cleanCell(written)
      if (cell === '') continue
      if (rows <= maxSamples) samples[at]!.push(cell.slice(0, 80))
      if (words[at]!.size <= maxWords) words[at]!.add(cell.slice(0, 200))
    }
  }
  return {
    samples,
    words: words.map((set) => (set.size > maxWords ? [] : [...set])),
    readings: readings ?? new ReadingCollector(samples.keys(), columns, ','),
  }
}
const maxSamples = 3
/** Beyond this many distinct values, no one would map them one by one. */
const maxWords = 40

/** Yields the text in chunks, returning to the event loop between them so that a long file does not block the process. */
export async function* splitChunks(text: string): AsyncGenerator<string> {
  const length = 32 * 1024
  for (let at = 0; at < text.length; at += length) {
    yield text.slice(at, at + length)
    await setImmediate()
  }
}

export const sealImportFile = ({ secrets }: AppContext, id: number, text: string) =>
  secrets.seal(text, getImportFileContext(id))

/** The stored file. An erasure changes its text and its version. */
type StoredFile = { text: string; version: string }
const fileVersion = sql<string>`xmin::text`

/** Reads the stored file; null if it was deleted. */
export async function readStoredFile({ db, secrets }: AppContext, id: number): Promise<StoredFile | null> {
  const [file] = await db
    .select({ content: importFilesTable.content, version: fileVersion })
    .from(importFilesTable)
    .where(eq(importFilesTable.import_id, id))
  return file ? { text: secrets.open(file.content, getImportFileContext(id)), version: file.version } : null
}

export const readImportFile = async (context: AppContext, id: number): Promise<string | null> =>
  (await readStoredFile(context, id))?.text ?? null

/** Returns whether the file is still as it was read, and keeps it so until the commit. */
export async function lockStoredFile(tx: Tx, id: number, { version }: StoredFile): Promise<boolean> {
  const [now] = await tx
    .select({ version: fileVersion })
    .from(importFilesTable)
    .where(eq(importFilesTable.import_id, id))
    .for('share')
  return now?.version === version
}
