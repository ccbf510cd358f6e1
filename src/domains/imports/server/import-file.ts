import { setImmediate } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
import type { House } from '#core/app-context.ts'
import { Refusal } from '#core/http/errors.ts'
import { uploaded } from '#core/http/upload.ts'
import { maxColumns, maxFileBytes, maxLines, fileRefusals as says } from '../contract.ts'
import { filePlace, importFiles } from '../schema.ts'
import { readRecords } from './read-records.ts'

type Received = { name: string; size: number; text: string }
/** What a file's first line says, and how many more there are. */
type Head = { titles: string[]; lines: number }

/** The one file of a multipart form, as text, whatever it calls itself. */
export async function receive(request: FastifyRequest): Promise<Received> {
  const sent = await uploaded(request, maxFileBytes)
  if (sent === 'missing') throw refused(says.missing)
  if (sent === 'too large') throw refused(says.tooLarge, 413)
  if (sent === 'broken') throw refused(says.broken)
  const name = sent.name.toWellFormed().replaceAll('\0', '').slice(-200) || 'file.csv'
  return { name, size: sent.bytes.length, text: textOf(sent.bytes) }
}

const refused = (line: string, status = 422) => new Refusal(status, line, { file: [line] })

function textOf(bytes: Buffer): string {
  const begins = (...start: number[]) => bytes.subarray(0, start.length).equals(Buffer.from(start))
  if (begins(0x50, 0x4b, 0x03, 0x04) || begins(0xd0, 0xcf, 0x11, 0xe0)) throw refused(says.workbook, 415)
  if (begins(0xff, 0xfe) || begins(0xfe, 0xff)) throw refused(says.wide, 415)
  if (bytes.includes(0)) throw refused(says.binary, 415)
  // What is not UTF-8 becomes a sign of its own, and costs its line when that is read.
  const text = new TextDecoder().decode(bytes)
  if (text.trim() === '') throw refused(says.empty)
  return text
}

/** Reads the header and counts the lines; a file that could not be imported at all is refused here. */
export async function headOf(text: string): Promise<Head> {
  let titles: string[] | null = null
  let lines = 0
  for await (const record of readRecords(chunksOf(text))) {
    if (titles === null) {
      if ('broken' in record) throw refused(`Line ${record.line}: ${record.broken}`)
      titles = record.cells
      checkTitles(titles)
    } else lines += 1
    if (lines > maxLines) throw refused(says.tooManyLines)
  }
  if (titles === null) throw refused(says.empty)
  if (lines === 0) throw refused(says.onlyHeader)
  return { titles: titles.map((title) => title.slice(0, 200)), lines }
}

function checkTitles(titles: string[]) {
  if (titles.length > maxColumns) throw refused(says.tooWide)
  if (titles.every((title) => title === '')) throw refused(says.blankHeader)
  const value = titles.find(isValue)
  if (value !== undefined) throw refused(says.noHeader(value.slice(0, 80)))
}

/** A number, a date, a phone, an amount, an email, an address: nothing that a column is called. */
const isValue = (title: string) => /^[$+(]?\d[\d\s.,:/()-]*$/.test(title) || /^\S+@\S+$|^https?:\/\//i.test(title)

/** The first values of each column. */
export async function samplesOf(text: string, columns: number): Promise<string[][]> {
  const rows: string[][] = []
  for await (const record of readRecords(chunksOf(text))) {
    if ('cells' in record && record.cells.length === columns) rows.push(record.cells)
    if (rows.length > mostSamples) break
  }
  return Array.from({ length: columns }, (_, at) =>
    rows
      .slice(1)
      .map((cells) => cells[at] ?? '')
      .filter(Boolean)
      .map((cell) => cell.slice(0, 80)),
  )
}
const mostSamples = 3

/** In parts, and with a breath between them: a long file must not keep everybody else waiting. */
export async function* chunksOf(text: string): AsyncGenerator<string> {
  const length = 32 * 1024
  for (let at = 0; at < text.length; at += length) {
    yield text.slice(at, at + length)
    await setImmediate()
  }
}

export const sealed = ({ secrets }: House, id: number, text: string) => secrets.seal(text, filePlace(id))

/** Null where it is not kept any more. */
export async function keptFile({ db, secrets }: House, id: number): Promise<string | null> {
  const [file] = await db.select().from(importFiles).where(eq(importFiles.import_id, id))
  return file ? secrets.open(file.content, filePlace(id)) : null
}
