import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readCorpus } from '#test/corpus.ts'
import type { DecimalMark } from './column-reading.ts'
import { decideNumbers, describeNumberProblem, readNumber, readSureNumber, readTypedAmount } from './read-number.ts'

type NumberCase = { text: string; point: number | null; comma: number | null }
test.each(readCorpus<NumberCase>('numbers'))(
  '$text is read as $point with a point, $comma with a comma [EDGE-01]',
  (one) => {
    const { text, point, comma } = one
    expect({ point: readNumber(text, 'point'), comma: readNumber(text, 'comma') }).toEqual({ point, comma })
  },
)

type ColumnCase = {
  kind: string
  separator: string
  values: string[]
  as: DecimalMark
  asked: boolean
  contradicts: boolean
}
const columns = readCorpus<ColumnCase>('columns').filter(({ kind }) => kind === 'amounts')
test.each(columns)('a column of $values in a file of $separator is read as $as, asked: $asked [EDGE-01]', (one) => {
  const { values, separator, as, asked, contradicts } = one
  expect(decideNumbers(values, separator)).toEqual({ as, preset: as, asked, contradicts })
})

test('a number that stands alone is read only if it has one meaning [EDGE-01]', () => {
  expect(['1,200', '12,50', '1.500', '1500', 'x'].map(readSureNumber)).toEqual([1200, 12.5, null, 1500, null])
})

test('a typed whole amount may end with its decimal point [EDGE-01]', () => {
  const read = { '1500.': 1500, '1,500.': 1500, '$0.': 0, ' 12345. ': 12345, '': null }
  for (const [text, amount] of Object.entries(read)) expect(readTypedAmount(text), text).toBe(amount)
  for (const text of ['1.500.', '12.50.', '12,50.', '1500..', '.', '1,50.', '.5.'])
    expect(readTypedAmount(text), text).toBe(Number.NaN)
})

test('a refusal names the form of the column, and what Excel has shortened [EDGE-01]', () => {
  expect(describeNumberProblem('1.200,50', 'point')).toBe('Not an amount (such as 1,200.50)')
  expect(describeNumberProblem('1.51E+10', 'comma')).toBe('Not an amount: Excel has shortened this number')
  expect(describeNumberProblem('########', 'comma')).toBe('Not an amount: Excel has shortened this number')
})

type Writer = { mark: DecimalMark; write: (amount: number) => string }
const byLocale = (locale: string, mark: DecimalMark, options: Intl.NumberFormatOptions = {}): Writer => ({
  mark,
  write: (amount) => new Intl.NumberFormat(locale, { minimumFractionDigits: 2, ...options }).format(amount),
})
const money = (currency: string): Intl.NumberFormatOptions => ({ style: 'currency', currency })
const writers: Writer[] = [
  byLocale('en-US', 'point'),
  byLocale('en-US', 'point', money('USD')),
  byLocale('en-US', 'point', { ...money('USD'), currencyDisplay: 'code' }),
  byLocale('en-US', 'point', { ...money('USD'), currencySign: 'accounting' }),
  byLocale('en-CA', 'point', money('USD')),
  byLocale('de-DE', 'comma', money('EUR')),
  byLocale('de-CH', 'point', money('CHF')),
  byLocale('fr-FR', 'comma', money('EUR')),
  byLocale('nb-NO', 'comma', money('NOK')),
  byLocale('sv-SE', 'comma', money('SEK')),
  byLocale('pt-BR', 'comma', money('BRL')),
  byLocale('es-ES', 'comma'),
  { mark: 'point', write: (amount) => amount.toFixed(2) },
  { mark: 'comma', write: (amount) => amount.toFixed(2).replace('.', ',') },
  { mark: 'point', write: (amount) => (amount < 0 ? `${(-amount).toFixed(2)}-` : amount.toFixed(2)) },
  { mark: 'point', write: (amount) => (amount < 0 ? `(${(-amount).toFixed(2)})` : `$${amount.toFixed(2)}`) },
]
const amounts = fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }).map((cents) => cents / 100)

test('what any writer of amounts writes is read back to the cent, alone and as a column [EDGE-01]', () => {
  fc.assert(
    fc.property(fc.constantFrom(...writers), fc.array(amounts, { minLength: 1, maxLength: 20 }), (writer, values) => {
      const texts = values.map(writer.write)
      const reading = decideNumbers(texts)
      expect(reading).toMatchObject({ as: writer.mark, asked: false })
      expect(texts.map((text) => readNumber(text, reading.as))).toEqual(values.map((value) => value + 0))
    }),
    { numRuns: 1000 },
  )
})

test('whole amounts with a thousands mark are right or asked, never another magnitude in silence [EDGE-01]', () => {
  const whole = fc.integer({ min: 0, max: 99_999_999 })
  const wholeWriters: ((amount: number) => string)[] = ['en-US', 'de-DE', 'fr-FR', 'de-CH'].map(
    (locale) => (amount) => new Intl.NumberFormat(locale).format(amount),
  )
  fc.assert(
    fc.property(
      fc.constantFrom(...wholeWriters),
      fc.constantFrom(',', ';', '\t'),
      fc.array(whole, { minLength: 1, maxLength: 10 }),
      (write, separator, values) => {
        const texts = values.map(write)
        const { as, asked } = decideNumbers(texts, separator)
        if (!asked) expect(texts.map((text) => readNumber(text, as))).toEqual(values)
      },
    ),
    { numRuns: 1000 },
  )
})

test('any text is a number with its own digits in their order, or none [EDGE-01]', () => {
  const text = fc.string({ unit: fc.constantFrom(..."0123456789.,' -+()$€xe"), maxLength: 12 })
  fc.assert(
    fc.property(text, fc.constantFrom<DecimalMark>('point', 'comma'), (written, mark) => {
      const value = readNumber(written, mark)
      if (value === null) return
      const digits = written.replace(/\D/g, '')
      const cents = Math.round(Math.abs(value) * 1000).toString()
      expect(`${digits}000`.replace(/^0+/, '').startsWith(cents.replace(/0+$/, ''))).toBe(true)
    }),
    { numRuns: 5000 },
  )
})
