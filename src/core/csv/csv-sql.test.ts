import { type SQL, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { pino } from 'pino'
import { afterAll, expect, test } from 'vitest'
import { connectDatabase, copyAsCsv } from '#core/db/db.ts'
import { createDatabase } from '#test/database.ts'
import { LineEnds } from './copied-csv.ts'
import { formatCsvLines } from './csv.ts'
import { csvTextSql } from './csv-sql.ts'

const database = await createDatabase({ migrated: false })
const connected = connectDatabase(database.url, pino({ level: 'silent' }))
afterAll(async () => {
  await connected.pool.end()
  await database.drop()
})

const odd = [
  '=',
  '+',
  '-',
  '@',
  '＝',
  '＋',
  '－',
  '＠',
  '\uff00',
  '\t',
  '\r',
  '\n',
  '"',
  ',',
  "'",
  '\\',
  '.',
  ' ',
  '(',
  ')',
  '0',
  '7',
  'e',
  'é',
  '😀',
  '',
]
const digits = fc.string({ unit: fc.constantFrom(...'0123456789 -().'), maxLength: 24 })
const text = fc.oneof(
  fc.string({ unit: fc.constantFrom(...odd), maxLength: 8 }),
  digits.map((number) => `+${number}`),
  digits.map((number) => `-${number}`),
  fc.string({ unit: 'binary' }).filter((one) => one.isWellFormed() && !one.includes('\0')), // PostgreSQL's text has neither
  fc.constantFrom(
    '+15125550144',
    '+1 (512) 555-0144',
    '+1234567',
    '+123456',
    `+${'1'.repeat(16)}`,
    '-12.50',
    '\\.',
    '""',
  ),
)
// Two columns: PostgreSQL quotes a line that is only \. although the text is the same.
const lines = fc.array(fc.tuple(fc.option(text), text), { minLength: 1, maxLength: 40 })

test('PostgreSQL writes a line of any text exactly as the program does, with formulas escaped [LEAD-81]', async () => {
  await fc.assert(
    fc.asyncProperty(lines, fc.integer({ min: 1, max: 50 }), async (rows, chunkSize) => {
      expect(await copyLines(rows, chunkSize)).toBe(formatCsvLines(rows))
    }),
    { numRuns: 50 },
  )
})

/** Returns the lines as PostgreSQL writes them, converted in chunks of this size. */
async function copyLines(rows: (string | null)[][], chunkSize: number): Promise<string> {
  const values = rows.map((row, nth) => sql`(${nth}, ${sql.join(row.map(toParam), sql`, `)})`)
  const bytes = await connected.db.transaction(async (tx) => {
    const copy = copyAsCsv(
      tx,
      sql`select ${csvTextSql(sql`one`)}, ${csvTextSql(sql`two`)} from (values ${sql.join(values, sql`, `)}) line (nth, one, two) order by nth`,
    )
    return Buffer.concat(await copy.toArray())
  })
  const lineEnds = new LineEnds()
  const chunks = Array.from({ length: Math.ceil(bytes.length / chunkSize) }, (_, nth) =>
    lineEnds.convert(bytes.subarray(nth * chunkSize, (nth + 1) * chunkSize)),
  )
  expect(lineEnds.count).toBe(rows.length)
  return Buffer.concat(chunks).toString()
}

const toParam = (value: string | null): SQL => sql`${value}::text`
