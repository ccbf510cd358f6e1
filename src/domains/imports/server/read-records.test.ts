import { expect, test } from 'vitest'
import { decodeCsvBytes, decodeCsvChunks } from '#core/csv/decode-csv.ts'
import { readCorpus } from '#test/corpus.ts'
import { cleanCell } from './cells.ts'
import { splitChunks } from './import-file.ts'
import { readCsvRecords } from './read-records.ts'

type FileCase = { source: string; text: string; charset?: string; titles: string[]; lines: number; first: string[] }

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = []
  for await (const item of items) all.push(item)
  return all
}
const swapBytes = (bytes: Buffer) => Buffer.from(bytes).swap16()
const toBytes = (text: string, letters: Record<string, number>) =>
  Buffer.from([...text].map((letter) => letters[letter] ?? letter.charCodeAt(0)))
const macLetters = {
  ...{ É: 0x83, Ñ: 0x84, Ü: 0x86, ç: 0x8d, é: 0x8e, í: 0x92, ñ: 0x96, ó: 0x97, ü: 0x9f, ß: 0xa7 },
  '’': 0xd5,
}
const windowsSigns = { '€': 0x80, '’': 0x92, '“': 0x93, '”': 0x94, '–': 0x96, '—': 0x97 }
const writers: Record<string, (text: string) => Buffer> = {
  'utf-16le': (text) => Buffer.from(`\ufeff${text}`, 'utf16le'),
  'utf-16le unmarked': (text) => Buffer.from(text, 'utf16le'),
  'utf-16be unmarked': (text) => swapBytes(Buffer.from(text, 'utf16le')),
  'utf-16be': (text) => swapBytes(Buffer.from(`\ufeff${text}`, 'utf16le')),
  'windows-1252': (text) => toBytes(text, windowsSigns),
  macintosh: (text) => toBytes(text, macLetters),
}

test.each(readCorpus<FileCase>('files'))('a file as in $source is read [EDGE-08]', async (one) => {
  const bytes = (writers[one.charset ?? ''] ?? Buffer.from)(one.text)
  const text = decodeCsvBytes(bytes)
  const records = await collect(readCsvRecords(splitChunks(text)))
  const [header, ...lines] = records.map((record) => ('cells' in record ? record.cells : []))
  expect([header, lines.length, lines[0]]).toEqual([one.titles, one.lines, one.first])
  // In pieces, as the command line reads it: three bytes at a time.
  const pieces = Array.from({ length: Math.ceil(bytes.length / 3) }, (_, at) => bytes.subarray(at * 3, at * 3 + 3))
  const open = async function* () {
    yield* pieces
  }
  expect((await collect(decodeCsvChunks(open))).join('')).toBe(text)
})

test('the header of a file that was put behind another one is a header again, mark or not [EDGE-08]', async () => {
  const records = await collect(readCsvRecords(splitChunks('\ufeffDate,Name\n2025-11-15,Ann\n\ufeffDate,Name\n')))
  expect(records.map((record) => ('cells' in record ? record.cells : null))).toEqual([
    ['Date', 'Name'],
    ['2025-11-15', 'Ann'],
    ['Date', 'Name'],
  ])
})

test('text that is UTF-8 in places stays UTF-8, so that only its broken lines are lost [EDGE-08]', () => {
  const mixed = Buffer.concat([Buffer.from('José\n'), Buffer.from('José', 'latin1')])
  expect(decodeCsvBytes(mixed)).toBe('José\nJos\ufffd')
})

test('a sign for a lost letter is UTF-8 too, and its line is refused [EDGE-08]', async () => {
  const text = decodeCsvBytes(Buffer.from('Date,Name\n2025-11-15,Jos\ufffd\n2025-11-16,Ann\n'))
  const records = await collect(readCsvRecords(splitChunks(text)))
  expect(records.map((record) => ('cells' in record ? record.cells : record.broken))).toEqual([
    ['Date', 'Name'],
    'The line has bytes that are not UTF-8',
    ['2025-11-16', 'Ann'],
  ])
})

test('what spreadsheets write for nothing is nothing, and no-break spaces are spaces [EDGE-08]', () => {
  const nothing = [
    'NULL',
    'null',
    'N/A',
    'n/a',
    '#N/A',
    '#REF!',
    '#VALUE!',
    '#NAME?',
    '#DIV/0!',
    '-',
    ' - ',
    '#ref!',
    '#SPILL!',
    String.raw`\N`,
    '<null>',
    '–',
  ]
  expect(nothing.map(cleanCell)).toEqual(nothing.map(() => ''))
  expect(['Outside\u00a0Plumbing', 'JosÃ©', 'Nullarbor', '-5', 'N/A Roofing'].map(cleanCell)).toEqual([
    'Outside Plumbing',
    'José',
    'Nullarbor',
    '-5',
    'N/A Roofing',
  ])
})
