import { expect, test } from 'vitest'
import { addDays, addMonths, formatDay, getDateRangePresets, getToday, parseTypedDay } from './days.ts'

test('today is the day in the agency’s time zone, not the browser’s', () => {
  const night = new Date('2026-03-02T03:30:00Z')
  expect(getToday('America/New_York', night)).toBe('2026-03-01')
  expect(getToday('UTC', night)).toBe('2026-03-02')
})

test('adding months stays within a shorter month', () => {
  expect(addMonths('2026-03-31', -1)).toBe('2026-02-28')
  expect(addMonths('2024-03-31', -1)).toBe('2024-02-29')
  expect(addMonths('2026-01-15', -1)).toBe('2025-12-15')
  expect(addDays('2026-03-08', 1)).toBe('2026-03-09')
})

test('typed days are read in the usual formats, and days that do not exist are refused', () => {
  expect(['3/1/2026', '03/01/26', '2026-3-1', ' 03-01-2026 '].map(parseTypedDay)).toEqual(Array(4).fill('2026-03-01'))
  expect(['2/30/2026', '13/13/2026', 'soon', '', '1/1'].map(parseTypedDay)).toEqual(Array(5).fill(null))
})

test.each([
  ...['25/11/2026', '25.11.2026', '25-11-26', '2026/11/25', '2026.11.25', '2026-11-25T10:00:00Z'],
  ...['Nov 25, 2026', 'November 25 2026', 'Nov. 25th, 2026', '25 Nov 2026', '25th November, 2026', '25-Nov-2026'],
  ...['Wed Nov 25 2026', 'Wednesday, November 25, 2026', '11/25/2026\u200e', '\u00a011/25/2026', '１１/２５/２０２６'],
])('%s is November 25, as it is pasted into a field [EDGE-02]', (pasted) => {
  expect(parseTypedDay(pasted)).toBe('2026-11-25')
})

test('what may be another day, or none, is not read [EDGE-02]', () => {
  for (const text of [
    'Nov 2026',
    '25 26 Nov 2026',
    'Nov 31, 2026',
    'Noon 25, 2026',
    '45987',
    '20261125',
    '11/25',
    '31/11/2026',
  ])
    expect([text, parseTypedDay(text)]).toEqual([text, null])
})

test('days are shown as MM/dd/yyyy', () => {
  expect([formatDay('2026-03-01'), formatDay('2026-03-01T14:05:00Z'), formatDay(null)]).toEqual([
    '03/01/2026',
    '03/01/2026',
    null,
  ])
})

test('the preset ranges end today or where their names say', () => {
  const ranges = Object.fromEntries(
    getDateRangePresets('2026-03-21').map(({ label, from, to }) => [label, `${from} ${to}`]),
  )
  expect(ranges).toMatchObject({
    Yesterday: '2026-03-20 2026-03-20',
    'Last 7 days': '2026-03-15 2026-03-21',
    'Last month until today': '2026-02-21 2026-03-21',
    'Previous month': '2026-02-01 2026-02-28',
  })
})
