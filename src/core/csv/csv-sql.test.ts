import { type SQL, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { pino } from 'pino'
import { afterAll, expect, test } from 'vitest'
import { readPhone } from '#contract/read-phone.ts'
import { connectDatabase, copyAsCsv } from '#core/db/db.ts'
import { createDatabase } from '#test/database.ts'
import { LineEnds } from './copied-csv.ts'
import { formatCsvLines, formatCsvPhone } from './csv.ts'
import { csvPhoneSql, csvTextSql } from './csv-sql.ts'

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

test('PostgreSQL writes a phone exactly as the program does', async () => {
  await fc.assert(
    fc.asyncProperty(lines, async (rows) => {
      const phones = rows.map((row) => row.map((cell) => cell && formatCsvPhone(cell)))
      expect(await copyLines(rows, 20, csvPhoneSql)).toBe(formatCsvLines(phones))
    }),
    { numRuns: 50 },
  )
})

test('a phone is text to spreadsheets, and read back as the same number', () => {
  for (const [stored, written] of [
    ['+14075555016', '(407) 555-5016'],
    ['+1 (407) 555-5016', '(407) 555-5016'],
    ['4075555016', '(407) 555-5016'],
    ['1-407-555-5016 ext. 7', '(407) 555-5016 ext. 7'],
    ['+14075555016;ext=7', '(407) 555-5016;ext=7'],
    ['+442071234567', '+44 20 7123 4567'],
    ['+44 20 7123 4567', '+44 20 7123 4567'],
    ['+353 1 234 5678', '+353 1234 5678'],
    ['+5125550144', '+51 2555 0144'],
    ['+39 06 1234567', '+39 0 6123 4567'],
    ['5555016', '555 5016'],
    ['02071234567', '020 7123 4567'],
    ['Withheld', 'Withheld'],
  ] as const) {
    expect(formatCsvPhone(stored), stored).toBe(written)
    // Neither a number nor a formula, also where spaces or points group thousands.
    expect(written).not.toMatch(/^[+-]?[0-9]+([ .,][0-9]{3})*$/)
    const [before, after] = [readPhone(stored), readPhone(written)]
    expect([after.number, after.extension], stored).toEqual([before.number, before.extension])
  }
})

/** Returns the lines as PostgreSQL writes them, converted in chunks of this size. */
async function copyLines(rows: (string | null)[][], chunkSize: number, toCell = csvTextSql): Promise<string> {
  const values = rows.map((row, nth) => sql`(${nth}, ${sql.join(row.map(toParam), sql`, `)})`)
  const bytes = await connected.db.transaction(async (tx) => {
    const copy = copyAsCsv(
      tx,
      sql`select ${toCell(sql`one`)}, ${toCell(sql`two`)} from (values ${sql.join(values, sql`, `)}) line (nth, one, two) order by nth`,
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
