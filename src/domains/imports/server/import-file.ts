import { setImmediate } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
import { HttpError } from '#core/http/errors.ts'
import { readUpload } from '#core/http/upload.ts'
import type { AppContext } from '#domains/app-context.ts'
import { fileErrorMessages, maxImportBytes, maxImportColumns, maxImportLines } from '../contract.ts'
import { getImportFileContext, importFilesTable } from '../schema.ts'
import { readCsvRecords } from './read-records.ts'

type UploadedCsv = { name: string; size: number; text: string }
/** What a file's first line says, and how many more there are. */
type CsvHeader = { titles: string[]; lines: number }

/** The one file of a multipart form, as text, whatever it calls itself. */
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
  if (begins(0xff, 0xfe) || begins(0xfe, 0xff)) throw createFileError(fileErrorMessages.wide, 415)
  if (bytes.includes(0)) throw createFileError(fileErrorMessages.binary, 415)
  // What is not UTF-8 becomes a sign of its own, and costs its line when that is read.
  const text = new TextDecoder().decode(bytes)
  if (text.trim() === '') throw createFileError(fileErrorMessages.empty)
  return text
}

/** Reads the header and counts the lines; a file that could not be imported at all is refused here. */
export async function readCsvHeader(text: string): Promise<CsvHeader> {
  let titles: string[] | null = null
  let lines = 0
  for await (const record of readCsvRecords(splitChunks(text))) {
    if (titles === null) {
      if ('broken' in record) throw createFileError(`Line ${record.line}: ${record.broken}`)
      titles = record.cells
      validateTitles(titles)
    } else lines += 1
    if (lines > maxImportLines) throw createFileError(fileErrorMessages.tooManyLines)
  }
  if (titles === null) throw createFileError(fileErrorMessages.empty)
  if (lines === 0) throw createFileError(fileErrorMessages.onlyHeader)
  return { titles: titles.map((title) => title.slice(0, 200)), lines }
}

function validateTitles(titles: string[]) {
  if (titles.length > maxImportColumns) throw createFileError(fileErrorMessages.tooWide)
  if (titles.every((title) => title === '')) throw createFileError(fileErrorMessages.blankHeader)
  const value = titles.find(isDataValue)
  if (value !== undefined) throw createFileError(fileErrorMessages.noHeader(value.slice(0, 80)))
}

/** A number, a date, a phone, an amount, an email, an address: nothing that a column is called. */
const isDataValue = (title: string) => /^[$+(]?\d[\d\s.,:/()-]*$/.test(title) || /^\S+@\S+$|^https?:\/\//i.test(title)

/** The first values of each column. */
export async function readColumnSamples(text: string, columns: number): Promise<string[][]> {
  const rows: string[][] = []
  for await (const record of readCsvRecords(splitChunks(text))) {
    if ('cells' in record && record.cells.length === columns) rows.push(record.cells)
    if (rows.length > maxSamples) break
  }
  return Array.from({ length: columns }, (_, at) =>
    rows
      .slice(1)
      .map((cells) => cells[at] ?? '')
      .filter(Boolean)
      .map((cell) => cell.slice(0, 80)),
  )
}
const maxSamples = 3

/** In parts, and with a breath between them: a long file must not keep everybody else waiting. */
export async function* splitChunks(text: string): AsyncGenerator<string> {
  const length = 32 * 1024
  for (let at = 0; at < text.length; at += length) {
    yield text.slice(at, at + length)
    await setImmediate()
  }
}

export const sealImportFile = ({ secrets }: AppContext, id: number, text: string) =>
  secrets.seal(text, getImportFileContext(id))

/** Null where it is not kept any more. */
export async function readImportFile({ db, secrets }: AppContext, id: number): Promise<string | null> {
  const [file] = await db.select().from(importFilesTable).where(eq(importFilesTable.import_id, id))
  return file ? secrets.open(file.content, getImportFileContext(id)) : null
}
