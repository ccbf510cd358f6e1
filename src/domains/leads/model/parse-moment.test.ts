import { expect, test } from 'vitest'
import { parseClock, parseMoment, toMomentInstant } from './parse-moment.ts'

const zone = 'America/New_York'

test.each([
  ['2026-03-16', { day: '2026-03-16', time: null }],
  ['2026-3-5', { day: '2026-03-05', time: null }],
  ['2026-03-16 14:30', { day: '2026-03-16', time: '14:30:00' }],
  ['2026-03-16T14:30:00', { day: '2026-03-16', time: '14:30:00' }],
  ['2026-03-16T14:30:00Z', { day: '2026-03-16', time: '10:30:00' }],
  ['2026-03-16T14:30:00+0000', { day: '2026-03-16', time: '10:30:00' }],
  ['2026-03-16 14:30:00 UTC', { day: '2026-03-16', time: '10:30:00' }],
  ['2026-03-16T14:30:00.000-05:00', { day: '2026-03-16', time: '15:30:00' }],
  ['1773671400', { day: '2026-03-16', time: '10:30:00' }],
  ['3/16/2026 2:30 PM', { day: '2026-03-16', time: '14:30:00' }],
  ['03/16/26, 12:05 am', { day: '2026-03-16', time: '00:05:00' }],
  ['Mar 16, 2026 at 2:30 PM', { day: '2026-03-16', time: '14:30:00' }],
  ['Monday, March 16th, 2026', { day: '2026-03-16', time: null }],
  ['16-Mar-2026 09:00', { day: '2026-03-16', time: '09:00:00' }],
  ['yesterday', null],
  ['2026-03-16 25:00', null],
  ['', null],
])('%s is parsed as it is meant [OPEN-04]', (text, expected) => {
  expect(parseMoment(text, zone)).toEqual(expected)
})

test('a time is parsed with and without AM or PM, and a day that does not exist is null', () => {
  expect(['2:30 PM', '14:30', '12:00 am', '9:05:07', '13:00 PM', 'noon'].map(parseClock)).toEqual([
    '14:30:00',
    '14:30:00',
    '00:00:00',
    '09:05:07',
    null,
    null,
  ])
  expect(toMomentInstant({ day: '2026-02-30', time: null }, zone)).toBe(null)
  expect(toMomentInstant({ day: '2026-03-16', time: '10:30:00' }, zone)).toEqual(new Date('2026-03-16T14:30:00Z'))
})
