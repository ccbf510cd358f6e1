import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toWrittenInstant } from '#core/time/local-time.ts'
import { readCorpus } from '#test/corpus.ts'
import type { DateOrder } from './column-reading.ts'
import { decideDates, describeDateProblem, readClock, readMoment, readSureMoment } from './read-date.ts'

const zone = 'America/New_York'
const readInstant = (text: string, order: DateOrder) => {
  const moment = readMoment(text, order)
  return moment && toWrittenInstant(moment, zone)
}

type DateCase = { text: string; order: DateOrder; instant: string | null }
test.each(readCorpus<DateCase>('dates'))('$text is read as $instant [EDGE-02]', ({ text, order, instant }) => {
  expect(readInstant(text, order)?.toISOString() ?? null).toBe(instant)
})

type ColumnCase = { kind: string; values: string[]; as: DateOrder; asked: boolean; contradicts: boolean }
const columns = readCorpus<ColumnCase>('columns').filter(({ kind }) => kind === 'dates')
test.each(columns)(
  'a column of $values is read as $as, asked: $asked [EDGE-02]',
  ({ values, as, asked, contradicts }) => {
    expect(decideDates(values)).toEqual({ as, preset: as, asked, contradicts })
  },
)

test.each([
  ['2026-03-16', '2026-03-16', null],
  ['2026-3-5', '2026-03-05', null],
  ['2026-03-16 14:30', '2026-03-16', '14:30:00'],
  ['2026-03-16T14:30:00', '2026-03-16', '14:30:00'],
  ['3/16/2026 2:30 PM', '2026-03-16', '14:30:00'],
  ['03/16/26, 12:05 am', '2026-03-16', '00:05:00'],
  ['Mar 16, 2026 at 2:30 PM', '2026-03-16', '14:30:00'],
  ['Monday, March 16th, 2026', '2026-03-16', null],
  ['16-Mar-2026 09:00', '2026-03-16', '09:00:00'],
])('%s is parsed as it is meant [OPEN-04]', (text, day, time) => {
  expect(readMoment(text, 'mdy')).toEqual({ day, time, zone: null })
})

test('a time is parsed with and without AM or PM', () => {
  expect(['2:30 PM', '14:30', '12:00 am', '9:05:07', '13:00 PM', 'noon', '12'].map(readClock)).toEqual([
    '14:30:00',
    '14:30:00',
    '00:00:00',
    '09:05:07',
    null,
    null,
    null,
  ])
})

test('a date that stands alone is read only if it has one meaning [EDGE-02]', () => {
  expect(['11/25/2026', '25/11/2026', '05/11/2026', '05/05/2026'].map((text) => readSureMoment(text)?.day)).toEqual([
    '2026-11-25',
    '2026-11-25',
    undefined,
    '2026-05-05',
  ])
})

test('a refusal names the form of the column, and says a word about Excel [EDGE-02]', () => {
  expect(describeDateProblem('25/11/2026', 'mdy')).toBe('Not a date (month/day/year, such as 11/25/2026)')
  // 44879 is the same day in a workbook that counts from 1904; Excel knows, so it is Excel that writes the date.
  for (const serial of ['46341', '46341.5', '44879'])
    expect(describeDateProblem(serial, 'mdy')).toBe(
      'Not a date: this is how Excel counts days. Format the column as a date in Excel, and save the file again',
    )
  expect(describeDateProblem('1.79E+12', 'mdy')).toContain('Excel has shortened this number')
  for (const number of ['2026', '0.5', '112526'])
    expect(describeDateProblem(number, 'mdy')).toBe('Not a date (month/day/year, such as 11/25/2026)')
})

test('a refusal says whether the day or the time is wrong [EDGE-02]', () => {
  for (const day of ['02/30/2026', '2026-02-29', 'Nov 31, 2026', '11/31/2026 1:05 PM'])
    expect(describeDateProblem(day, 'mdy'), day).toBe(
      'Not a date (month/day/year, such as 11/25/2026): there is no such day',
    )
  for (const time of ['11/25/2026 24:00', '2026-11-25T25:05:00Z', '2026-11-25 13:05 IST', 'Nov 25, 2026 13:05 PM'])
    expect(describeDateProblem(time, 'mdy'), time).toBe(
      'Not a date (month/day/year, such as 11/25/2026 13:05): the time cannot be read',
    )
  expect(describeDateProblem('26-11-15', 'mdy')).toBe(
    'Not a date (month/day/year, such as 11/25/2026): write the year with four digits',
  )
  expect(readSureMoment('26-11-15')).toBeNull()
  expect(describeDateProblem('15/11/2026 1:05 PM', 'mdy')).toBe('Not a date (month/day/year, such as 11/25/2026)')
})

const languages = ['en', 'de', 'de-AT', 'es', 'es-PE', 'fr', 'it', 'nl', 'pt']
test('what the languages of Western Europe call a day is that day, and no other one [EDGE-02]', () => {
  const days = Array.from({ length: 365 }, (_, at) => new Date(Date.UTC(2026, 0, 1 + at)))
  for (const language of languages)
    for (const dateStyle of ['medium', 'long', 'full'] as const) {
      const { format } = new Intl.DateTimeFormat(language, { dateStyle, timeZone: 'UTC' })
      for (const day of days)
        expect(readMoment(format(day), 'dmy')?.day, format(day)).toBe(day.toISOString().slice(0, 10))
    }
})

const pad = (value: number) => String(value).padStart(2, '0')
const instants = fc
  .integer({ min: Date.UTC(2001, 8, 10) / 1000, max: Date.UTC(2099, 11, 30) / 1000 })
  .map((seconds) => new Date(seconds * 1000))
const formatOffset = (instant: Date, minutes: number, colon: string) => {
  const local = new Date(instant.getTime() + minutes * 60_000).toISOString().slice(0, 19)
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  return `${local}${minutes < 0 ? '-' : '+'}${pad(hours)}${colon}${pad(rest)}`
}
const instantWriters: ((instant: Date) => string)[] = [
  (instant) => instant.toISOString(),
  (instant) => instant.toUTCString(),
  (instant) => String(instant),
  (instant) => String(instant.getTime() / 1000),
  (instant) => String(instant.getTime()),
  (instant) => formatOffset(instant, 330, ':'),
  (instant) => formatOffset(instant, -300, ''),
  (instant) => formatOffset(instant, 0, ':').replace('T', ' '),
  (instant) => `${formatOffset(instant, 120, ':')}[Europe/Berlin]`,
  (instant) =>
    `${new Intl.DateTimeFormat('en-US', { dateStyle: 'short', timeStyle: 'medium', timeZone: 'UTC' }).format(instant).replace(/\/(\d\d),/, '/20$1,')} UTC`,
]

test('an instant that any program writes stays that instant, also through clock changes [EDGE-02]', () => {
  fc.assert(
    fc.property(fc.constantFrom(...instantWriters), instants, (write, instant) => {
      expect(readInstant(write(instant), 'mdy')?.toISOString(), write(instant)).toBe(instant.toISOString())
    }),
    { numRuns: 2000 },
  )
})

/** A year of two digits is in 1969 to 2068. */
const daysOfTwoDigits = instants.filter((instant) => instant.getUTCFullYear() < 2069)
const dayWriters = [
  { order: 'mdy', write: ([year, month, day]: number[]) => `${month}/${day}/${year}` },
  { order: 'mdy', write: ([year, month, day]: number[]) => `${pad(month!)}-${pad(day!)}-${String(year).slice(2)}` },
  { order: 'dmy', write: ([year, month, day]: number[]) => `${day}/${month}/${year}` },
  { order: 'dmy', write: ([year, month, day]: number[]) => `${pad(day!)}.${pad(month!)}.${year} 09:30` },
  {
    order: 'dmy',
    write: ([year, month, day]: number[]) => `${pad(day!)}/${pad(month!)}/${String(year).slice(2)} à 9h30`,
  },
  { order: 'dmy', write: ([year, month, day]: number[]) => `${day}. ${month}. ${year} um 09:30 Uhr` },
  { order: 'ymd', write: ([year, month, day]: number[]) => `${year}-${pad(month!)}-${pad(day!)}` },
] as const

test('a column of days is read as it was written, or asked: never another month in silence [EDGE-02]', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...dayWriters),
      fc.array(daysOfTwoDigits, { minLength: 1, maxLength: 12 }),
      (writer, found) => {
        const days = found.map((instant) => instant.toISOString().slice(0, 10))
        const texts = days.map((day) => writer.write(day.split('-').map(Number)))
        const { as, asked } = decideDates(texts)
        if (!asked) expect(texts.map((text) => readMoment(text, as)?.day)).toEqual(days)
        expect(texts.map((text) => readMoment(text, writer.order)?.day)).toEqual(days)
      },
    ),
    { numRuns: 1000 },
  )
})

test('a date that may be read two ways is sure where everything else of it is written as in the United States [EDGE-02]', () => {
  for (const text of [
    '05/11/2026 01:05 PM -05:00',
    '05/11/2026 1:05 PM EST',
    '05/11/2026, 01:05:00 p.m. CST',
    '05/11/2026 1:05 PM -04:00',
    '05/11/2026 1:05 PM -10:00',
  ])
    expect(readSureMoment(text)?.day, text).toBe('2026-05-11')
  for (const text of [
    '05/11/2026 01:05 PM',
    '05/11/2026 13:05 -05:00',
    '05/11/2026 01:05 PM -03:00',
    '05/11/2026 01:05 PM -11:00',
    '05/11/2026 01:05 PM +05:30',
    '05.11.2026 01:05 PM EST',
  ])
    expect(readSureMoment(text), text).toBeNull()
})
